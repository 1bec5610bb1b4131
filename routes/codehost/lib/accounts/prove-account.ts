import type { FastifyInstance } from 'fastify'
import { insertAudit } from '../../../../db/audit.js'
import {
  insertAuthorization, takeAuthorization, type AuthorizationRow, findByAccount, insertIdentity, updateIdentity
} from '../../../../db/codehost/identities.js'
import type { Db } from '../../../../db/index.js'
import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { IssuedTokens } from '../../../../lib/codehost/encrypted-tokens.js'
import { hashOf } from '../../../../lib/security/browser-session.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import type { ApiError } from '../../../../schemas/errors.js'
import { OauthExchangeFailed, OauthStateMismatch, CodehostAccountTaken, CodehostOtherAccount } from '../access.js'
import { isCode, storable } from '../read-host.js'

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

type EndAuthorizationDeps = Pick<FastifyInstance, 'db' | 'codehost' | 'log'>

interface Refusal { workspaceId: string, error: ApiError, userId: string | null, address: string, requestId: string }

/** Audits that a person proved an account and was refused, and revokes the token that is not needed. */
export const endAuthorization = async ({ db, codehost, log }: EndAuthorizationDeps, proof: Proof, refusal: Refusal):
Promise<void> => {
  await insertAudit(db, {
    workspace_id: refusal.workspaceId,
    user_id: refusal.userId,
    via: 'system',
    via_id: null,
    operation: 'completeCodehostAuthorization',
    target: `codehost:${proof.account_id}`,
    outcome: refusal.error.code,
    status: refusal.error.statusCode,
    remote_address: refusal.address,
    request_id: refusal.requestId
  })
  const ended = await codehost.revoke(proof.issued.access_token, false)
  if (!ended) log.warn({ account_id: proof.account_id }, 'an unneeded token of the code host was not revoked')
}

type LinkAccountDeps = Pick<FastifyInstance, 'db' | 'codehostGrants'>

interface Occasion { address: string, requestId: string }

const claim = async (trx: Db, host: string, { workspace_id, user_id }: Principal, proof: Proof): Promise<string> => {
  const { account_id, login } = proof
  const known = await findByAccount(trx, workspace_id, host, account_id)
  if (known && known.user_id !== user_id) throw CodehostAccountTaken()
  if (known) {
    await updateIdentity(trx, workspace_id, known.id, { login })
    return known.id
  }
  const made = await insertIdentity(trx, { workspace_id, user_id, host, account_id, login, joined_by: 'link' })
  if (made === undefined) throw CodehostOtherAccount()
  return made
}

/**
 * Connects a signed-in person with an account that they have just proved to own.
 * @throws codehost_account_taken, codehost_other_account
 */
export const linkAccount = ({ db, codehostGrants: grants }: LinkAccountDeps, principal: Principal, proof: Proof,
  { address, requestId }: Occasion) => db.transaction().execute(async (trx) => {
  const { workspace_id, user_id, via, via_id } = principal
  await grants.keep(trx, workspace_id, await claim(trx, grants.host, principal, proof), proof.issued)
  await insertAudit(trx, {
    workspace_id,
    user_id,
    via,
    via_id,
    operation: 'completeCodehostAuthorization',
    target: `codehost:${proof.account_id}`,
    outcome: 'succeeded',
    status: 302,
    remote_address: address,
    request_id: requestId
  })
})

/** An account that the person has proved to own. */
export interface Proof {
  account_id: string
  login: string
  name: string
  issued: IssuedTokens
  client: CodehostClient
}

type ProveAccountDeps = Pick<FastifyInstance, 'codehost' | 'codehostOauth' | 'log'>

const exchange = async ({ codehostOauth, log }: ProveAccountDeps, redirectUri: string, code: string, begun: Authorization) => {
  try {
    return await codehostOauth.client.exchange(redirectUri, code, begun)
  } catch (error) {
    // The code host's reason is for the operator's log, not for the person who signs in.
    if (!(error instanceof Error) || !('reason' in error)) throw error
    log.warn({ reason: error.reason }, 'the code host refused a code')
    throw OauthExchangeFailed()
  }
}

/** @returns a valid name of a user: the account's name, else its login */
const nameOf = ({ name, login }: HostUser): string =>
  storable(name ?? '').trim().slice(0, 100).toWellFormed().trim() || storable(login).slice(0, 100)

/**
 * Exchanges the code for a token, and reads with this token whose account it is.
 * @throws oauth_exchange_failed when the code host refuses; codehost_error and others when it fails
 */
export const proveAccount = async (deps: ProveAccountDeps, redirectUri: string, code: string, begun: Authorization):
Promise<Proof> => {
  const issued = await exchange(deps, redirectUri, code, begun)
  const client = deps.codehost.as({ account_id: '', login: '', token: issued.access_token })
  try {
    const { data: user } = await client.read('GET /user', {}, HostUser)
    return { account_id: String(user.id), login: storable(user.login), name: nameOf(user), issued, client }
  } catch (error) {
    throw isCode(error, 'codehost_reauth_required') ? OauthExchangeFailed() : error
  }
}
