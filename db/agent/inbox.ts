import { sql } from 'kysely'
import { now } from '../clock.js'
import { contains } from '../columns.js'
import type { Db } from '../index.js'
import { selectTitled } from './confirmations.js'

/** Which questions a list has; what is undefined does not matter. */
export interface InboxFilter {
  /** Who asked. */
  user_id?: string | undefined
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'closed' | 'decided' | 'all'
  session_id?: string | undefined
  decided_by?: string | undefined
  name?: string | undefined
  /** In the summary, or in the target. */
  text?: string | undefined
}

const decided = ['approved', 'rejected'] as const

const selectInbox = (db: Db, workspaceId: string, filter: InboxFilter) => {
  const { status, user_id, session_id, decided_by, name, text } = filter
  return selectTitled(db, workspaceId)
    .where('s.deleted_at', 'is', null)
    .$if(status === 'pending', (query) =>
      // Written out, for the index of those alone.
      query.where('c.status', '=', sql.lit('pending')).where('c.expires_at', '>', now))
    .$if(status === 'decided', (query) => query.where('c.status', 'in', decided))
    .$if(status !== 'pending' && status !== 'decided' && status !== 'all', (query) =>
      query.where('c.status', '=', status as 'approved'))
    .$if(user_id !== undefined, (query) => query.where('c.user_id', '=', user_id ?? ''))
    .$if(session_id !== undefined, (query) => query.where('c.session_id', '=', session_id ?? ''))
    .$if(decided_by !== undefined, (query) => query.where('c.decided_by', '=', decided_by ?? ''))
    .$if(name !== undefined, (query) => query.where('c.name', '=', name ?? ''))
    .$if(text !== undefined, (query) => query.where((eb) =>
      eb.or([contains('c.summary', text), sql<boolean>`position(lower(${text}) in lower(c.target::text)) > 0`])))
}

/** @returns the questions that fit, newest first: ids are UUIDv7, their order is that of time */
export const listInbox = (db: Db, workspaceId: string, filter: InboxFilter & { before?: string, limit: number }) =>
  selectInbox(db, workspaceId, filter)
    .$if(filter.before !== undefined, (query) => query.where('c.id', '<', filter.before ?? ''))
    .orderBy('c.id', 'desc')
    .limit(filter.limit)
    .execute()

/** Where a question stands in its run: step, call of the turn, question about the call. */
export type TurnKey = [step: number, ordinal: number, id: string]

/** @returns the questions of one run that fit, in the order in which the model made the calls */
export const listTurnInbox = (db: Db, workspaceId: string, runId: string,
  filter: InboxFilter & { after?: TurnKey, limit: number }) =>
  selectInbox(db, workspaceId, filter)
    .innerJoin('agent_tool_call as t', (join) =>
      join.onRef('t.workspace_id', '=', 'c.workspace_id').onRef('t.id', '=', 'c.tool_call_id'))
    .select(['t.step', 't.ordinal'])
    .where('c.run_id', '=', runId)
    .$if(filter.after !== undefined, (query) => query.where(
      sql<boolean>`(t.step, t.ordinal, c.id) > (${sql.join(filter.after ?? [])})`))
    .orderBy('t.step').orderBy('t.ordinal').orderBy('c.id')
    .limit(filter.limit)
    .execute()

/** @returns the questions of a thread, the oldest first */
export const listThread = (db: Db, workspaceId: string, userId: string, threadId: string,
  { after, limit }: { after?: string, limit: number }) =>
  selectTitled(db, workspaceId)
    .where('s.deleted_at', 'is', null)
    .where('c.user_id', '=', userId)
    .where((eb) => eb.or([eb('c.id', '=', threadId), eb('c.thread_id', '=', threadId)]))
    .$if(after !== undefined, (query) => query.where('c.id', '>', after ?? ''))
    .orderBy('c.id')
    .limit(limit)
    .execute()
