import { sql } from 'kysely'
import type { Db } from '../index.js'

/** Which tools give back text that people outside the workspace may have written; those of tool servers all do. */
export type ForeignTools = readonly string[]

/** What stands in the name of a workspace's own tools; see lib/tools/workspace-tools.ts. */
const ownTool = '__'

const one = sql<number>`1`.as('one')

/** @returns whether foreign text came into the session after this time */
export const hasReadSince = async (db: Db, workspaceId: string, sessionId: string, since: Date | null,
  tools: ForeignTools): Promise<boolean> => {
  const time = sql<Date>`coalesce(${since}::timestamptz, '-infinity')`
  const read = db.selectFrom('agent_tool_call').select(one)
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .where('status', '<>', 'denied').where('finished_at', '>', time)
    .where(sql<boolean>`(name = any(${[...tools]}::text[]) or position(${ownTool} in name) > 0)`)
  const attached = db.selectFrom('agent_message').select(one)
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('created_at', '>', time)
    .where(sql<boolean>`content::text like '%"type":"attachment"%'`)
  const fired = db.selectFrom('agent_trigger_firing').select(one)
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId)
    .where(sql<boolean>`greatest(created_at, started_at, noted_at) > ${time}`)
  const row = await db.selectNoFrom(({ or, exists }) =>
    or([exists(read), exists(attached), exists(fired)]).$castTo<boolean>().as('tainted')).executeTakeFirstOrThrow()
  return row.tainted
}

/** When a person last decided something that the session asked, and what set its run off. */
const findOrigin = (db: Db, workspaceId: string, sessionId: string, runId: string) => {
  const kind = db.selectFrom('agent_session').select('kind')
    .where('workspace_id', '=', workspaceId).where('id', '=', sessionId)
  const decided = db.selectFrom('agent_confirmation').select(({ fn }) => fn.max('decided_at').as('decided_at'))
    .where('workspace_id', '=', workspaceId).where('session_id', '=', sessionId).where('kind', '=', 'tool')
    .where('status', 'in', ['approved', 'rejected'])
  const fired = db.selectFrom('agent_run').select(one)
    .where('workspace_id', '=', workspaceId).where('id', '=', runId)
    .where(sql<boolean>`principal->>'firing_id' is not null`)
  const proposed = db.selectFrom('agent_trigger_proposal').select(one)
    .where('workspace_id', '=', workspaceId).where('run_id', '=', runId)
  return db.selectNoFrom([kind.as('kind'), decided.as('decided_at')])
    .select(({ or, exists }) => or([exists(fired), exists(proposed)]).$castTo<boolean>().as('trigger'))
    .executeTakeFirstOrThrow()
}

export interface Taint { tainted: boolean, trigger: boolean }

/**
 * @returns whether the session has read foreign text since a person last decided, and whether a trigger set its run
 * off, which is tainted by that. What an outside assistant has read before it proposed a call is not known here, so
 * such a call is tainted, too
 */
export const findTaint = async (db: Db, workspaceId: string, sessionId: string, runId: string, tools: ForeignTools):
Promise<Taint> => {
  const { kind, decided_at: decided, trigger } = await findOrigin(db, workspaceId, sessionId, runId)
  // A session that is not stored yet is that of a call that a client proposes.
  if (trigger || kind !== 'chat') return { tainted: true, trigger }
  return { tainted: await hasReadSince(db, workspaceId, sessionId, decided, tools), trigger }
}
