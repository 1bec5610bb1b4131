import { sql } from 'kysely'
import type { Db } from '../index.js'

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
