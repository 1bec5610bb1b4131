import type { FastifyInstance } from 'fastify'
import { insertAuthorization, takeAuthorization, type AuthorizationRow } from '../../../../db/codehost/authorizations.js'
import { hashOf } from '../../../../lib/security/attempt-cookies.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { OauthStateMismatch } from '../errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'codehostOauth'>

const verifierContext = (stateHash: Buffer) => `codehost_authorization|${stateHash.toString('hex')}|verifier`

interface Beginning {
  workspaceId: string
  redirectUri: string
  returnTo: string
  /** A secret in this browser's cookie. */
  binding: string
  /** The person who links an account; null = a sign-in. */
  linker: Pick<Principal, 'user_id' | 'via_id'> | null
}

/** @returns the URL to send the browser to, and the state that it returns with. @throws codehost_not_configured */
export const beginAuthorization = async ({ db, secrets, codehostOauth }: Deps, input: Beginning) => {
  const scopes = codehostOauth.scopesOf(input.workspaceId)
  const { url, state, verifier } = await codehostOauth.client.begin(input.redirectUri, scopes)
  const state_hash = hashOf(state)
  await insertAuthorization(db, {
    workspace_id: input.workspaceId,
    state_hash,
    binding_hash: hashOf(input.binding),
    mode: input.linker ? 'link' : 'login',
    user_id: input.linker?.user_id ?? null,
    session_id: input.linker?.via_id ?? null,
    verifier: verifier === null ? null : secrets.encrypt(verifierContext(state_hash), verifier),
    return_to: input.returnTo
  })
  return { url, state }
}

export interface Authorization extends Omit<AuthorizationRow, 'verifier'> {
  workspaceId: string
  state: string
  verifier: string | null
}

/** Takes an authorization, once. @throws oauth_state_mismatch when it is used, too old, or another browser's */
export const consumeAuthorization = async ({ db, secrets }: Deps, workspaceId: string, state: string, binding: string):
Promise<Authorization> => {
  const stateHash = hashOf(state)
  const row = await takeAuthorization(db, workspaceId, stateHash, hashOf(binding))
  if (!row) throw OauthStateMismatch()
  const verifier = row.verifier && secrets.decrypt(verifierContext(stateHash), row.verifier)
  return { ...row, workspaceId, state, verifier }
}
