import type { FastifyInstance } from 'fastify'
import type { CodehostClient } from '../../../lib/codehost/client.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { HeldGrant } from '../../../plugins/codehost-grants.js'
import { CodehostNotConfigured } from '../../../schemas/codehost/errors.js'
import { defineError } from '../../../schemas/errors.js'

export {
  BranchTaken, CodehostAccountTaken, CodehostBadResponse, CodehostConflict, codehostErrors, CodehostForbidden,
  CodehostNotConfigured, CodehostNotConnected, CodehostNotFound, CodehostOtherAccount, CodehostValidation, OauthDenied,
  OauthExchangeFailed, OauthStateMismatch, RepoNotFound, SignInNotAllowed, upstreamErrors
} from '../../../schemas/codehost/errors.js'

export const InvalidRepoId = defineError('invalid_repo_id', 'A repository is named by its numeric id', 400)
export const UnsupportedQualifier = defineError('unsupported_qualifier',
  'Searches are narrowed by parameters, not by qualifiers in the text', 400)
export const WebhookSignatureInvalid = defineError('webhook_signature_invalid',
  'The signature does not fit the body', 401)
export const WebhookNotConfigured = defineError('webhook_not_configured',
  'No webhook secret is configured, so no webhook is accepted', 503)

export type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'codehostGrants'>

export type Actor = Pick<Principal, 'workspace_id' | 'user_id'>

/** Access to the code host as a person: they see here what they may see there. */
export interface Access {
  db: Deps['db']
  principal: Actor
  client: CodehostClient
}

/** @throws codehost_not_configured, codehost_not_connected, codehost_reauth_required */
export const accessFor = async (deps: Deps, principal: Actor): Promise<Access> => {
  const { db, codehost, codehostGrants } = deps
  if (!codehost.configured) throw CodehostNotConfigured()
  const grant = await codehostGrants.of(principal)
  // The client passes on the grant that it was made with.
  const onRefused = (refused: unknown, again: boolean) => codehostGrants.refused(refused as HeldGrant, again)
  return { db, principal, client: codehost.as(grant, { onRefused }) }
}
