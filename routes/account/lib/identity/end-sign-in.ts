import { deleteIdentity, findIdentityById, findProvider, findIdentity } from '../../../../db/account/identities.js'
import {
  endIdentitySessions, listIdentitySessions, findIdentitySession, takeLogoutToken
} from '../../../../db/account/identity-sessions.js'
import { endSession } from '../../../../db/account/sessions.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { reasonOf } from '../../../../lib/identity/failure.js'
import { readLogoutToken, type Logout } from '../../../../lib/identity/logout-token.js'
import type { Tokens } from '../../../../lib/identity/proof.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { NotFound } from '../../../../schemas/errors.js'
import { requireUnscoped, LogoutTokenRefused } from '../errors.js'
import { peerOf, tokensContext, type IdentityDeps } from './identity-attempt.js'

/** OpenID Connect RP-Initiated Logout 1.0, where the provider's document offers it. */
const logoutUrl = async (deps: IdentityDeps, workspaceId: string, sessionId: string, back: string) => {
  const session = await findIdentitySession(deps.db, workspaceId, sessionId)
  const provider = session && await findProvider(deps.db, workspaceId, session.provider_id)
  if (!session?.tokens || !provider) return null
  const { oidc, config } = await peerOf(deps, provider)
  if (config.serverMetadata().end_session_endpoint === undefined) return null
  // It is what was encrypted when the session began.
  const { id } = JSON.parse(deps.secrets.decrypt(tokensContext(sessionId), session.tokens)) as Tokens
  // The library refuses an address that is not https, so no script either; the page goes there.
  const hint = id !== null && { id_token_hint: id }
  return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: back, ...hint }).href
}

/** Ends the browser session of the request. @returns where the browser ends that at the provider; null = nowhere */
export const signOut = async (deps: IdentityDeps, principal: Principal, back: string): Promise<string | null> => {
  const { workspace_id: workspaceId, user_id: userId, via, via_id: sessionId } = principal
  if (via !== 'browser' || sessionId === null) return null
  const url = await logoutUrl(deps, workspaceId, sessionId, back).catch((error: unknown) => {
    deps.log.warn({ reason: reasonOf(error) }, 'the session at an identity provider is not ended')
    return null
  })
  await endSession(deps.db, workspaceId, userId, sessionId)
  await endIdentitySessions(deps.db, workspaceId, [sessionId])
  return url
}

interface Occasion { workspaceId: string, providerId: string, token: string, address: string, requestId: string }

/** @throws not_found, logout_token_refused */
const readToken = async (deps: IdentityDeps, { workspaceId, providerId, token }: Occasion) => {
  const provider = await findProvider(deps.db, workspaceId, providerId)
  if (!provider) throw NotFound()
  try {
    const peer = await peerOf(deps, provider)
    return { issuer: peer.config.serverMetadata().issuer, logout: await readLogoutToken(peer, token) }
  } catch (error) {
    deps.log.warn({ provider_id: providerId, reason: reasonOf(error) }, 'a logout token was refused')
    throw LogoutTokenRefused()
  }
}

/** A token with both names one session of one person. */
const whoseOf = (providerId: string, { sid }: Logout, identityId: string | undefined) =>
  ({ provider_id: providerId, sid, identity_id: identityId })

/**
 * Ends the sessions that a provider's logout token names, in one transaction with the token's being taken: every
 * instance asks the database at each request.
 * @throws not_found; logout_token_refused, for one that was taken before too
 */
export const endByLogoutToken = async (deps: IdentityDeps, occasion: Occasion): Promise<void> => {
  const { workspaceId, providerId, address, requestId } = occasion
  const { issuer, logout } = await readToken(deps, occasion)
  await deps.db.transaction().execute(async (trx) => {
    if (!await takeLogoutToken(trx, workspaceId, providerId, logout.jti, logout.expires)) throw LogoutTokenRefused()
    const identity = logout.subject === undefined
      ? undefined
      : await findIdentity(trx, workspaceId, issuer, logout.subject)
    // Of a person who is not known here there is nothing to end.
    if (logout.subject !== undefined && !identity) return
    const ids = await listIdentitySessions(trx, workspaceId, whoseOf(providerId, logout, identity?.id))
    await endIdentitySessions(trx, workspaceId, ids)
    await insertAudit(trx, {
      workspace_id: workspaceId,
      user_id: identity?.user_id ?? null,
      via: 'system',
      via_id: null,
      operation: 'receiveIdentityLogout',
      target: `identity:${providerId}:${logout.subject ?? logout.sid ?? ''}`.slice(0, 500),
      outcome: 'succeeded',
      status: 200,
      remote_address: address,
      request_id: requestId
    })
  })
}

/** Disconnects a person from a provider; the sessions that hang on it end. @throws insufficient_scope, not_found */
export const removeIdentity = (db: Db, by: Principal, userId: string, id: string): Promise<void> => {
  requireUnscoped(by, 'How a person signs in has no limit of scopes')
  const { workspace_id: workspaceId } = by
  return db.transaction().execute(async (trx) => {
    const identity = await findIdentityById(trx, workspaceId, id)
    if (identity?.user_id !== userId) throw NotFound()
    const ids = await listIdentitySessions(trx, workspaceId, { provider_id: identity.provider_id, identity_id: id })
    await endIdentitySessions(trx, workspaceId, ids)
    await deleteIdentity(trx, workspaceId, userId, id)
  })
}
