import { sql } from 'kysely'
import { ago, clock, clockPlus } from '../clock.js'
import { dueRowsOf } from '../durable/due-rows.js'
import type { Db } from '../index.js'
import type { QueuedPrincipal } from './tables.js'

const sentSince = (db: Db, workspaceId: string, sessionId: string) => db
  .selectFrom('agent_session')
  .select('sent_since')
  .where('workspace_id', '=', workspaceId)
  .where('id', '=', sessionId)

/** @returns what of the session is sent to its model, as it is sent, in the order in which it was stored */
export const listMessages = (db: Db, workspaceId: string, sessionId: string) =>
  db
    .selectFrom('agent_message')
    .select(['id', 'run_id', 'seq', 'role', 'stop_reason', 'created_at', 'compaction'])
    .select(sql<unknown[]>`coalesce(sent, content)`.as('content'))
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('seq', '>=', sentSince(db, workspaceId, sessionId))
    .orderBy('seq')
    .execute()

/** The messages a person sees, where a conversation was compacted too: those with nothing but results are left out. */
const visible = (db: Db, workspaceId: string, sessionId: string) =>
  db
    .selectFrom('agent_message')
    .select(['id', 'run_id', 'seq', 'role', 'content', 'stop_reason', 'model', 'created_at', 'compaction'])
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where((where) => where.or([
      where('role', '=', 'assistant'), where('search_text', '!=', ''), where('compaction', 'is not', null)
    ]))

export type MessageRow = Awaited<ReturnType<typeof listVisibleMessages>>[number]

/** @returns a page of them, newest first */
export const listVisibleMessages = (
  db: Db,
  workspaceId: string,
  sessionId: string,
  before: number | undefined,
  limit: number
) =>
  visible(db, workspaceId, sessionId)
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()

/** @returns visible messages after a number, in order, for an export */
export const listVisibleAfter = (db: Db, workspaceId: string, sessionId: string, after: number, limit: number) =>
  visible(db, workspaceId, sessionId).where('seq', '>', after).orderBy('seq').limit(limit).execute()

/** @returns the first words of a conversation, for its title */
export const listOpening = (db: Db, workspaceId: string, sessionId: string, limit: number) =>
  db
    .selectFrom('agent_message')
    .select(['role', 'search_text'])
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('search_text', '!=', '')
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Seconds between two looks whether the session is free. */
export const queuePause = 3

export interface QueuedRow {
  workspace_id: string
  id: string
  session_id: string
  user_id: string
  principal: QueuedPrincipal
  message: string
  context: object | null
  attachment_ids: string[]
  request_id: string
  remote_address: string
}

const columns = ['workspace_id', 'id', 'session_id', 'user_id', 'principal', 'message', 'context', 'attachment_ids',
  'request_id', 'remote_address'] as const

/** Messages of one session are sent one after the other. */
const isBehind = (workspaceId: string) => sql<boolean>`exists (
  select from agent_queued_message e where e.workspace_id = ${workspaceId}
    and e.session_id = agent_queued_message.session_id
    and (e.created_at, e.id) < (agent_queued_message.created_at, agent_queued_message.id))`

export const dueMessages = dueRowsOf<QueuedRow>({
  name: 'agent_queued_message',
  state: 'state',
  columns,
  isDue: sql<boolean>`next_attempt_at <= ${clock}`,
  isLate: sql<boolean>`next_attempt_at < ${ago('30 seconds')}`,
  isBusy: isBehind,
  onClaim: sql`next_attempt_at = ${clockPlus(queuePause)}`,
  orderBy: 'next_attempt_at'
})

/** Lets the first message of a session be sent now. @returns its id */
export const expediteFirst = async (db: Db, workspaceId: string, sessionId: string): Promise<string | undefined> => {
  const row = await db.updateTable('agent_queued_message').set({ next_attempt_at: clock })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (where) => where.selectFrom('agent_queued_message').select('id')
      .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
      .orderBy('created_at').orderBy('id').limit(1))
    .returning('id').executeTakeFirst()
  return row?.id
}

/** In a transaction that holds the session. */
export const insertQueued = (trx: Db, { principal, context, attachment_ids, ...row }: QueuedRow) =>
  trx.insertInto('agent_queued_message')
    .values({
      ...row,
      principal: JSON.stringify(principal),
      context: context && JSON.stringify(context),
      attachment_ids: JSON.stringify(attachment_ids)
    })
    .returning(['id', 'session_id', 'message', 'created_at']).executeTakeFirstOrThrow()

/** @returns what waits in a session, in the order in which it will be sent */
export const listQueued = (db: Db, workspaceId: string, sessionId: string) =>
  db.selectFrom('agent_queued_message').select(['id', 'session_id', 'message', 'created_at'])
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .orderBy('created_at').orderBy('id').execute()

export const isQueued = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.selectFrom('agent_queued_message').select('id')
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst() !== undefined

/** @returns false when it was sent or taken back before */
export const deleteQueued = async (db: Db, workspaceId: string, sessionId: string, id: string): Promise<boolean> => {
  const row = await db.deleteFrom('agent_queued_message')
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('id', '=', id)
    .returning('id').executeTakeFirst()
  return row !== undefined
}
