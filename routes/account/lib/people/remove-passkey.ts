import { deletePasskey, findPasskey } from '../../../../db/account/passkeys.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { hasRole } from '../../../../lib/security/principal.js'
import { NotFound } from '../../../../schemas/errors.js'
import { passkeyEntry, type Where } from './passkey-entry.js'
import { requireUnscoped } from '../require-unscoped.js'

/** Removes a passkey: its person's own, or anybody's for an admin. What it has signed stays signed. */
export const removePasskey = async (db: Db, where: Where, id: string):
Promise<void> => {
  const { principal } = where
  requireUnscoped(principal, 'Without its passkeys a person is asked for less')
  const { workspace_id: workspaceId } = principal
  const whose = hasRole(principal, 'admin') ? null : principal.user_id
  await db.transaction().execute(async (trx) => {
    const found = await findPasskey(trx, workspaceId, whose, id)
    if (!found) throw NotFound()
    await deletePasskey(trx, workspaceId, id)
    const { name, credential_id } = found
    await insertAudit(trx, passkeyEntry(where, 'deletePasskey', found.user_id, { name, credential_id }))
  })
}
