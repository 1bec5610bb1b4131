import { type Generated, sql } from 'kysely'
import type { StepOf } from '../../schemas/agent/requirements.js'
import { anyOf } from '../columns.js'
import type { Db } from '../index.js'
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

/** What a person said to a question, for the plan that they were shown. */
export interface AgentVoteTable {
  workspace_id: string
  confirmation_id: string
  /** Who said it. */
  user_id: string
  /** Who is counted: the same person, or the one who has delegated to them. */
  for_user_id: string
  decision: 'approve' | 'reject'
  reason: string | null
  input_digest: string
  via: 'browser' | 'token' | 'assistant'
  via_id: string | null
  /** The colleague by whose link whoever said it was let in; null = nobody's. */
  let_in_by: string | null
  /** The credential that signed it; null = nothing did. */
  signed_with: string | null
  created_at: Generated<Date>
}

declare module '../types.js' {
  interface Database { agent_vote: AgentVoteTable }
}

const columns =
  ['confirmation_id', 'user_id', 'for_user_id', 'decision', 'reason', 'input_digest', 'via', 'let_in_by',
    'signed_with', 'created_at'] as const

/** @returns the votes in some questions, in the order in which they were given */
export const listVotes = (db: Db, workspaceId: string, confirmationIds: readonly string[]) =>
  db.selectFrom('agent_vote').select(columns)
    .where('workspace_id', '=', workspaceId).where('confirmation_id', '=', anyOf(confirmationIds))
    .orderBy('created_at').orderBy('user_id').execute()

export type Vote = Awaited<ReturnType<typeof listVotes>>[number]

export type NewVote = Omit<Vote, 'created_at'> & { via_id: string | null }

/** Stores a vote; the caller holds the lock of the question's run, and knows that neither person has one. */
export const insertVote = async (trx: Db, workspaceId: string, vote: NewVote): Promise<void> => {
  await trx.insertInto('agent_vote').values({ workspace_id: workspaceId, ...vote }).execute()
}

/** Removes a vote that counts no more, for another to take its place. */
export const deleteVote = async (trx: Db, workspaceId: string, { confirmation_id, user_id }: Vote): Promise<void> => {
  await trx.deleteFrom('agent_vote').where('workspace_id', '=', workspaceId)
    .where('confirmation_id', '=', confirmation_id).where('user_id', '=', user_id).execute()
}
