import { v7 as uuid } from 'uuid'
import type { FastifyInstance } from 'fastify'
import { addShare, deleteShare } from '../../../../db/agent/feedback.js'
import { findFollowing, findNextMessage, findOwnMessage, forkSession } from '../../../../db/agent/fork-session.js'
import { findLiveRun } from '../../../../db/agent/runs.js'
import { lockSession, setChosen, setPinned, setTitle } from '../../../../db/agent/sessions.js'
import type { Db } from '../../../../db/index.js'
import { requireModel } from '../../../../lib/llm/require-model.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ForkChatSession, UpdateChatSession } from '../../../../schemas/agent/sessions.js'
import { MessageNotFound, SessionBusy, SessionNotFound } from '../errors.js'

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

const notFound = (pointer: string, message: string) =>
  MessageNotFound(undefined, { errors: [{ pointer, code: 'message_not_found', message }] })

/** @returns the number of the first message that the copy does not have, when the message says which; else undefined */
const chosenCut = async (db: Db, workspaceId: string, id: string, chosen: ForkChatSession) => {
  const { before_message_id: before, after_message_id: after } = chosen
  if (before !== undefined) {
    const seq = await findOwnMessage(db, workspaceId, id, before)
    if (seq === undefined) throw notFound('/before_message_id', 'is not a message that you wrote in this session')
    return seq
  }
  if (after === undefined) return undefined
  const seq = await findFollowing(db, workspaceId, id, after)
  if (seq === undefined) throw notFound('/after_message_id', 'is not a message of this session')
  return seq ?? undefined
}

/** What is before a person's message has ended; the end of the session only has when nothing runs. */
const cutOf = async (db: Db, { workspace_id, user_id }: Principal, id: string, chosen: ForkChatSession) => {
  const next = await findNextMessage(db, workspace_id, user_id, id)
  if (next === undefined) throw SessionNotFound()
  const cut = await chosenCut(db, workspace_id, id, chosen)
  if (cut === undefined && await findLiveRun(db, workspace_id, id)) throw SessionBusy()
  return cut ?? next
}

/**
 * Copies a conversation, up to a message or with its answer, into a new session: to go on in another way from there.
 * What the old one did stays done, and is not done again.
 * @returns the id of the new session
 * @throws session_not_found, session_busy, message_not_found
 */
export const forkChat = ({ db, workspaces }: Pick<FastifyInstance, 'db' | 'workspaces'>, principal: Principal,
  from: string, chosen: ForkChatSession): Promise<string> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const budgetUsdMicros = workspaces.limitsOf(workspaceId).budget_session_usd * 1_000_000
  return db.transaction().execute(async (trx) => {
    // No step of a run is stored meanwhile: a copy must not end between a call and its result.
    if (!await lockSession(trx, workspaceId, userId, from)) throw SessionNotFound()
    const before = await cutOf(trx, principal, from, chosen)
    const to = uuid()
    await forkSession(trx, { workspaceId, from, to, before, budgetUsdMicros })
    return to
  })
}
