import { sql } from 'kysely'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import type { CallStatus } from './tables.js'

const argumentCharacters = 300
const resultCharacters = 2_000
const wordCharacters = 8_000

const args = sql<string>`left(coalesce(effective_input, input)::text, ${sql.lit(argumentCharacters)})`.as('args')

/** @returns what the calls of some messages were, in short */
export const listCallGists = (db: Db, workspaceId: string, sessionId: string, messageIds: readonly string[]) =>
  messageIds.length === 0
    ? Promise.resolve([])
    : db
      .selectFrom('agent_tool_call')
      .select(['id', 'tool_use_id', 'name', 'status'])
      .select(args)
      .where('workspace_id', '=', workspaceId)
      .where('session_id', '=', sessionId)
      .where('message_id', 'in', messageIds)
      .execute()

export type CallGist = Awaited<ReturnType<typeof listCallGists>>[number]

/** Of writes: whose outcome nobody knows, or which may still run. */
const openStatuses: readonly CallStatus[] =
  ['unknown', 'timed_out', 'dispatching', 'approved', 'auto_approved', 'awaiting']

const ofSession = (db: Db, workspaceId: string, sessionId: string, limit: number) => db
  .selectFrom('agent_tool_call')
  .select(['id', 'name', 'status', 'created_at'])
  .select(args)
  .select(sql<string | null>`left(result::text, ${sql.lit(resultCharacters)})`.as('result'))
  .where('workspace_id', '=', workspaceId)
  .where('session_id', '=', sessionId)
  .orderBy('created_at', 'desc')
  .orderBy('id', 'desc')
  .limit(limit)

/** @returns the session's newest calls of three kinds: open writes, all of them that matter; other writes; reads */
export const listCallFacts = async (db: Db, workspaceId: string, sessionId: string) => {
  const isOpen = isOneOf('status', openStatuses)
  const of = (limit: number) => ofSession(db, workspaceId, sessionId, limit)
  const [open, writes, reads] = await Promise.all([
    of(1_000).where('effect', '=', 'write').where(isOpen).execute(),
    of(200).where('effect', '=', 'write').where((where) => where.not(isOpen)).execute(),
    of(100).where('effect', '=', 'read').where('status', '=', 'succeeded').execute()
  ])
  return { open, writes, reads }
}

export type CallFacts = Awaited<ReturnType<typeof listCallFacts>>

/** @returns what was decided of some calls, the newest last */
export const listDecisions = (db: Db, workspaceId: string, callIds: readonly string[]) =>
  callIds.length === 0
    ? Promise.resolve([])
    : db
      .selectFrom('agent_confirmation')
      .select(['tool_call_id', 'status', 'summary', 'reason', 'decided_at'])
      .where('workspace_id', '=', workspaceId)
      .where('tool_call_id', 'in', callIds)
      .orderBy('id')
      .execute()

export type Decision = Awaited<ReturnType<typeof listDecisions>>[number]

/** @returns what the person wrote, the newest first, each with the facts of its moment; and what they wrote first */
export const listWords = async (db: Db, workspaceId: string, sessionId: string, limit: number) => {
  const words = db
    .selectFrom('agent_message')
    .select('seq')
    .select(sql<string>`left(search_text, ${sql.lit(wordCharacters)})`.as('text'))
    .select(sql<string | null>`content->0->>'text'`.as('context'))
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('role', '=', 'user')
    .where('search_text', '!=', '')
  const [newest, [first]] = await Promise.all([
    words.orderBy('seq', 'desc').limit(limit).execute(), words.orderBy('seq').limit(1).execute()
  ])
  return first && !newest.some(({ seq }) => seq === first.seq) ? [...newest, first] : newest
}

export type Words = Awaited<ReturnType<typeof listWords>>
