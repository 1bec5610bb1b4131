import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Target } from '../../schemas/agent/events.js'
import type { GrantBounds } from '../../schemas/agent/grants.js'
import { clock, clockPlus } from '../clock.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'
import { announcePolicies } from '../policies-channel.js'
import type { Json, NullableJson, NullableTime, Time } from '../types.js'

/** For a time, a tool may run again, in a conversation, on the target for which a person has approved it. */
export interface AgentGrantTable {
  workspace_id: string
  id: string
  /** Who approved it. */
  user_id: string
  session_id: string
  confirmation_id: string
  tool: string
  target: Json<Target>
  summary: string
  /** What it covers; a grant of the release before has none, and covers nothing. */
  bounds: NullableJson<GrantBounds>
  /** When it was approved: foreign text that was read since ends the grant. */
  since: Time
  created_at: Time
  expires_at: Time
  /** When it was revoked. */
  ended_at: NullableTime
}

declare module '../types.js' {
  interface Database { agent_grant: AgentGrantTable }
}

const columns = ['id', 'user_id', 'session_id', 'confirmation_id', 'tool', 'target', 'summary', 'bounds', 'since',
  'created_at', 'expires_at', 'ended_at'] as const

const own = (db: Db, workspaceId: string, userId: string) => db.selectFrom('agent_grant').select(columns)
  .select(sql<boolean>`ended_at is null and bounds is not null and expires_at > statement_timestamp()`.as('live'))
  .where('workspace_id', '=', workspaceId).where('user_id', '=', userId)

export const findGrant = (db: Db, workspaceId: string, userId: string, id: string) =>
  own(db, workspaceId, userId).where('id', '=', id).executeTakeFirst()

export type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>

/** @returns the person's grants, newest first */
export const listGrants = (db: Db, workspaceId: string, userId: string, { before, limit }: Slice):
Promise<GrantRow[]> =>
  own(db, workspaceId, userId).$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export interface NewGrant {
  user_id: string
  session_id: string
  confirmation_id: string
  tool: string
  target: Target
  summary: string
  bounds: GrantBounds
  /** When it was approved. */
  since: Date
  minutes: number
}

/** In a transaction; every instance hears of it at the commit. @returns its id */
export const insertGrant = async (trx: Db, workspaceId: string, { minutes, target, bounds, ...grant }: NewGrant):
Promise<string> => {
  const id = uuid()
  await trx.insertInto('agent_grant').values({
    ...grant,
    workspace_id: workspaceId,
    id,
    target: JSON.stringify(target),
    bounds: JSON.stringify(bounds),
    expires_at: clockPlus(minutes * 60)
  }).execute()
  await announcePolicies(trx, workspaceId)
  return id
}

export const endGrant = async (db: Db, workspaceId: string, userId: string, id: string): Promise<void> => {
  await db.updateTable('agent_grant').set({ ended_at: clock }).where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).where('id', '=', id).where('ended_at', 'is', null).execute()
}

/** @returns until when some grant of the workspace may hold; null = there is none */
export const findLastGrant = async (db: Db, workspaceId: string): Promise<Date | null> =>
  (await db.selectFrom('agent_grant').select(({ fn }) => fn.max('expires_at').as('until'))
    .where('workspace_id', '=', workspaceId).where('ended_at', 'is', null).executeTakeFirst())?.until ?? null

/** @returns the session's grants for a tool that hold at this moment, newest first */
export const listLiveGrants = (db: Db, workspaceId: string, sessionId: string, tool: string) =>
  db.selectFrom('agent_grant').select(columns).where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId).where('tool', '=', tool).where('ended_at', 'is', null)
    .where('expires_at', '>', clock).orderBy('id', 'desc').execute()

/** @returns how many calls each of the grants has allowed */
export const countUses = async (db: Db, workspaceId: string, grants: readonly GrantRow[]):
Promise<Map<string, number>> => {
  const sessions = [...new Set(grants.map(({ session_id: id }) => id))]
  if (sessions.length === 0) return new Map()
  const rows = await db.selectFrom('agent_tool_call').select(['decided_by', sql<number>`count(*)::integer`.as('uses')])
    .where('workspace_id', '=', workspaceId).where('session_id', 'in', sessions)
    .where('decided_by', 'like', 'grant:%').groupBy('decided_by').execute()
  return new Map(rows.map(({ decided_by: by, uses }): [string, number] => [String(by).slice('grant:'.length), uses]))
}
