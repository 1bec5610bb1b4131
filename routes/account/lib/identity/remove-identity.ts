import { deleteIdentity, findIdentityById } from '../../../../db/account/identities.js'
import { endIdentitySessions, listIdentitySessions } from '../../../../db/account/identity-sessions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { NotFound } from '../../../../schemas/errors.js'
import { requireUnscoped } from '../require-unscoped.js'

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
