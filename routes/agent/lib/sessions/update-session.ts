import type { FastifyInstance } from 'fastify'
import { lockSession, setChosen, setPinned, setTitle } from '../../../../db/agent/sessions.js'
import { addShare, deleteShare } from '../../../../db/agent/shares.js'
import { requireModel } from '../../../../lib/llm/require-model.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { UpdateChatSession } from '../../../../schemas/agent/sessions.js'
import { SessionNotFound } from '../errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'llm'>

/** Changes what is given, all or nothing. @throws session_not_found, as `requireModel` */
export const updateSession = async ({ db, llm }: Deps, { workspace_id, user_id }: Principal, id: string,
  { title, pinned, shared, ...chosen }: UpdateChatSession): Promise<void> => {
  if (typeof chosen.model === 'string') await requireModel(llm.of(workspace_id), chosen.model, '/model')
  await db.transaction().execute(async (trx) => {
    if (!await lockSession(trx, workspace_id, user_id, id)) throw SessionNotFound()
    if (title !== undefined) await setTitle(trx, workspace_id, user_id, id, title.trim(), 'user')
    if (pinned !== undefined) await setPinned(trx, workspace_id, id, pinned)
    if (shared !== undefined) await (shared ? addShare : deleteShare)(trx, workspace_id, id)
    if (Object.keys(chosen).length > 0) await setChosen(trx, workspace_id, id, chosen)
  })
}
