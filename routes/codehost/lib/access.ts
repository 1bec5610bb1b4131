import type { FastifyInstance } from 'fastify'
import type { CodehostClient } from '../../../lib/codehost/client.js'
import type { HeldGrant } from '../../../plugins/codehost-grants.js'
import type { Principal } from '../../../lib/security/principal.js'
import { CodehostNotConfigured } from '../../../schemas/codehost/errors.js'

export type Deps = Pick<FastifyInstance, 'db' | 'codehost' | 'codehostGrants'>

export type Actor = Pick<Principal, 'workspace_id' | 'user_id'>

/** A person who asks the code host as themselves: what they may see there is what they may see here. */
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
  // The client gives back what it was given: a grant of these.
  const onRefused = (refused: unknown, again: boolean) => codehostGrants.refused(refused as HeldGrant, again)
  return { db, principal, client: codehost.as(grant, { onRefused }) }
}
