import { voidLinks } from '../../../../db/account/links.js'
import { endSessionsOf } from '../../../../db/account/sessions.js'
import { findUser, hasActiveAdmin, updateUser } from '../../../../db/account/users.js'
import { lockWorkspace } from '../../../../db/account/workspace.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { UpdateUser, User } from '../../../../schemas/account/users.js'
import { LastAdmin } from '../errors.js'
import { requireUnscoped } from '../require-unscoped.js'
import { explainMiss } from '../../../../schemas/revisions.js'

/** @throws insufficient_scope for a token with scopes that would change what a person may do */
export const requireMayChange = (by: Principal, { role, status }: UpdateUser): void => {
  if (role === undefined && status === undefined) return
  requireUnscoped(by, 'Role and status decide what a person may do without a limit of scopes')
}

/** Changes a user. A disabled one is out at once: no session, no link, and tokens are refused by the status. */
export const changeUser = (db: Db, workspaceId: string, id: string, change: UpdateUser, revisions?: number[]):
Promise<User> => db.transaction().execute(async (trx) => {
  await lockWorkspace(trx, workspaceId)
  const user = await updateUser(trx, workspaceId, id, change, revisions)
  if (!user) throw explainMiss(await findUser(trx, workspaceId, id))
  if (!await hasActiveAdmin(trx, workspaceId)) throw LastAdmin()
  if (user.status === 'disabled') {
    await endSessionsOf(trx, workspaceId, id)
    await voidLinks(trx, workspaceId, { user_id: id })
  }
  return user
})
