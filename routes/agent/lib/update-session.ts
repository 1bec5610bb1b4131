import { lockSession, setPinned, setTitle } from '../../../db/agent/sessions.js'
import { addShare, deleteShare } from '../../../db/agent/shares.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { UpdateChatSession } from '../../../schemas/agent/sessions.js'
import { SessionNotFound } from './errors.js'

/** Changes what is given, all or nothing. @throws session_not_found */
export const updateSession = (db: Db, { workspace_id, user_id }: Principal, id: string,
  { title, pinned, shared }: UpdateChatSession): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!await lockSession(trx, workspace_id, user_id, id)) throw SessionNotFound()
    if (title !== undefined) await setTitle(trx, workspace_id, user_id, id, title.trim(), 'user')
    if (pinned !== undefined) await setPinned(trx, workspace_id, id, pinned)
    if (shared !== undefined) await (shared ? addShare : deleteShare)(trx, workspace_id, id)
  })
