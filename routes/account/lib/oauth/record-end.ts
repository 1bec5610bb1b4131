import type { KoaContextWithOIDC } from 'oidc-provider'
import { findAssistantOwner } from '../../../../db/account/assistants.js'
import { insertAudit } from '../../../../db/audit.js'
import type { OauthDeps } from './deps.js'
import { locate } from './ids.js'

/** A client that gives its token back disconnects itself; everything else is a code or token that came twice. */
const operationOf = (ctx: KoaContextWithOIDC): string =>
  ctx.oidc.route === 'revocation' ? 'revokeAssistantToken' : 'endReusedTokens'

/** Leaves an entry of the record: nobody of ours sent the request that ended it. */
export const recordEnd = async (deps: OauthDeps, ctx: KoaContextWithOIDC, grantId: string): Promise<void> => {
  const grant = locate(grantId)
  const userId = grant && await findAssistantOwner(deps.db, grant.workspaceId, grant.id)
  if (!grant || userId === undefined) return
  await insertAudit(deps.db, {
    workspace_id: grant.workspaceId,
    user_id: userId,
    via: 'token',
    via_id: grant.id,
    operation: operationOf(ctx),
    target: grant.id,
    outcome: 'succeeded',
    status: ctx.status,
    remote_address: ctx.ip,
    request_id: grant.id
  })
  deps.unnumbered.soon(grant.workspaceId)
}
