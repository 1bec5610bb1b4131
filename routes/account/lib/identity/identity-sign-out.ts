import { findProvider } from '../../../../db/account/identity-providers.js'
import { endIdentitySessions, findIdentitySession } from '../../../../db/account/identity-sessions.js'
import { endSession } from '../../../../db/account/sessions.js'
import { reasonOf } from '../../../../lib/identity/failure.js'
import type { Tokens } from '../../../../lib/identity/proof.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { peerOf, tokensContext, type IdentityDeps } from './identity-deps.js'

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
