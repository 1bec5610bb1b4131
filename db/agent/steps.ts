import { sql } from 'kysely'
import type { Db } from '../index.js'
import type { StepOf } from '../../schemas/agent/step-of.js'
import { selectTitled } from './confirmations.js'

/** Says of a question which step of which plan it is; the caller holds the lock of the run. */
export const markStep = async (trx: Db, workspaceId: string, id: string, steps: StepOf): Promise<void> => {
  await trx.updateTable('agent_confirmation').set({ steps: JSON.stringify(steps) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', 'pending').execute()
}

/** @returns the plan of steps in which a call was last decided; undefined when it never was in one */
export const findStepsOfCall = async (db: Db, workspaceId: string, callId: string): Promise<StepOf | undefined> => {
  const found = await db.selectFrom('agent_confirmation').select('steps')
    .where('workspace_id', '=', workspaceId).where('tool_call_id', '=', callId).where('steps', 'is not', null)
    .orderBy('id', 'desc').limit(1).executeTakeFirst()
  return found?.steps ?? undefined
}

/** @returns the questions of a plan of steps in the order of its steps, each with how its call stands */
export const listSteps = (db: Db, workspaceId: string, runId: string, id: string) =>
  selectTitled(db, workspaceId)
    .innerJoin('agent_tool_call as t', (join) =>
      join.onRef('t.workspace_id', '=', 'c.workspace_id').onRef('t.id', '=', 'c.tool_call_id'))
    .select(['t.status as call_status', 't.finished_at'])
    .where('c.run_id', '=', runId)
    .where(sql<string>`c.steps->>'id'`, '=', id)
    .where('s.deleted_at', 'is', null)
    .orderBy(sql`(c.steps->>'step')::integer`)
    .execute()

export type StepRow = Awaited<ReturnType<typeof listSteps>>[number]
