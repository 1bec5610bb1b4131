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

/** @returns a page of messages a person sees, newest first: those with nothing but results are left out */
export const listVisibleMessages = (
  db: Db,
  workspaceId: string,
  sessionId: string,
  before: number | undefined,
  limit: number
) =>
  db
    .selectFrom('agent_message')
    .select(['id', 'run_id', 'seq', 'role', 'content', 'stop_reason', 'created_at', 'compaction'])
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where((where) => where.or([
      where('role', '=', 'assistant'), where('search_text', '!=', ''), where('compaction', 'is not', null)
    ]))
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()

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
