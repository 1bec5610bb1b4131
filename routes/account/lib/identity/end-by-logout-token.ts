import { findIdentity } from '../../../../db/account/identities.js'
import { findProvider } from '../../../../db/account/identity-providers.js'
import { endIdentitySessions, listIdentitySessions, takeLogoutToken } from '../../../../db/account/identity-sessions.js'
import { insertAudit } from '../../../../db/audit.js'
import { reasonOf } from '../../../../lib/identity/failure.js'
import { readLogoutToken, type Logout } from '../../../../lib/identity/logout-token.js'
import { NotFound } from '../../../../schemas/errors.js'
import { LogoutTokenRefused } from '../errors.js'
import { peerOf, type IdentityDeps } from './identity-deps.js'

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
