import { sql } from 'kysely'
import type { Db } from '../index.js'
import { isReplaced, readTimeline } from '../primary.js'
import type { ConfirmationRow } from './commit-run.js'
import { selectConfirmations } from './confirmations.js'
import type { Requirement } from '../../schemas/agent/requirements.js'
import type { Draft, ShownPlan } from './tables.js'

/** @returns the question with what planning it again takes: its draft, and with whose rights its run acts */
export const findQuestion = async (db: Db, workspaceId: string, id: string) => {
  const timeline = await readTimeline(db)
  return selectConfirmations(db, workspaceId)
    .innerJoin('agent_run as r', (join) =>
      join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.run_id'))
    .select(['c.draft', 'r.principal', sql<boolean>`c.expires_at <= statement_timestamp()`.as('expired'),
      isReplaced('c.timeline', timeline).as('is_before_failover')])
    .where('c.id', '=', id)
    .executeTakeFirst()
}

export type Question = NonNullable<Awaited<ReturnType<typeof findQuestion>>>

/** Keeps the plan of edited arguments as it was shown: what is approved next is this, or the question itself. */
export const saveDraft = async (db: Db, workspaceId: string, id: string, draft: Draft): Promise<void> => {
  await db.updateTable('agent_confirmation').set({ draft: JSON.stringify(draft) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', 'pending').execute()
}

export interface Replacement {
  /** The question that showed another state, or other arguments; null = nobody was asked yet. */
  old: string | null
  why: 'state_changed' | 'edited' | 'approvals_changed'
  question: ConfirmationRow & { session_id: string, run_id: string, user_id: string }
  /** Of an edit: what was asked before it, and who changed it. What replaces an edit is one, too. */
  proposed?: ShownPlan | null
  authors?: readonly string[]
  tool_version: string
  /** Whether the caller writes the question into the run's stream in the same transaction. */
  announced: boolean
}

interface Written { proposed: ShownPlan | null, authors: readonly string[] }

/** @returns what was proposed before any edit of the question, and who has edited it */
const findWritten = async (trx: Db, workspaceId: string, id: string | null): Promise<Written> => {
  if (id === null) return { proposed: null, authors: [] }
  const row = await trx.selectFrom('agent_confirmation').select(['proposed', 'authors'])
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return { proposed: row?.proposed ?? null, authors: row?.authors ?? [] }
}

const insertQuestion = async (trx: Db, workspaceId: string, question: Replacement['question'], announced: boolean,
  { proposed, authors }: Pick<Written, 'proposed' | 'authors'>) => {
  const { editable, preview, risk_reasons: reasons, arguments: args, target, facts, requirement, ...rest } = question
  await trx
    .insertInto('agent_confirmation')
    .values({
      ...rest,
      workspace_id: workspaceId,
      status: 'pending',
      announced,
      editable: JSON.stringify(editable),
      preview: JSON.stringify(preview),
      risk_reasons: JSON.stringify(reasons),
      arguments: JSON.stringify(args),
      target: JSON.stringify(target),
      facts: JSON.stringify(facts),
      requirement: requirement && JSON.stringify(requirement),
      proposed: proposed && JSON.stringify(proposed),
      authors: authors.length > 0 ? JSON.stringify(authors) : null
    })
    .execute()
}

/** Closes a question that waits, or was approved and must not run. @returns false when it is neither */
export const closeQuestion = async (trx: Db, workspaceId: string, id: string, why: string, reason?: string):
Promise<boolean> => {
  const closed = await trx
    .updateTable('agent_confirmation')
    .set({ status: 'closed', close_reason: why, ...(reason !== undefined && { reason }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'approved'])
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

/** Keeps who has to approve a question, when that was judged anew. */
export const saveRequirement = async (trx: Db, workspaceId: string, id: string, requirement: Requirement) => {
  await trx.updateTable('agent_confirmation').set({ requirement: JSON.stringify(requirement) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/**
 * Asks again about a call whose state, arguments or approvers have changed: the old question is closed, whatever was
 * decided of it, and the call waits for the new one. The caller holds the run, or its lock.
 * @returns false when the call does not wait or run any more
 */
export const replaceQuestion = async (trx: Db, workspaceId: string,
  { old, why, question, proposed = null, authors = [], tool_version, announced }: Replacement): Promise<boolean> => {
  const call = await trx
    .updateTable('agent_tool_call')
    .set({
      status: 'awaiting',
      decided_by: null,
      tool_version,
      effective_input: JSON.stringify(question.arguments),
      input_digest: question.input_digest
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', question.tool_call_id)
    .where('status', 'in', ['awaiting', 'approved', 'auto_approved', 'dispatching'])
    .where('result_model', 'is', null)
    .executeTakeFirst()
  if (call.numUpdatedRows === 0n) return false
  const before = await findWritten(trx, workspaceId, old)
  if (old !== null) await closeQuestion(trx, workspaceId, old, why)
  await insertQuestion(trx, workspaceId, question, announced, {
    proposed: proposed ?? before.proposed, authors: [...new Set([...before.authors, ...authors])]
  })
  return true
}

/** Stores on a call that waited for others the plan that its question shows. */
export const askCall = async (trx: Db, workspaceId: string, id: string, question: ConfirmationRow): Promise<void> => {
  await trx
    .updateTable('agent_tool_call')
    .set({
      status: 'awaiting',
      decided_by: null,
      effective_input: JSON.stringify(question.arguments),
      input_digest: question.input_digest
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['awaiting', 'auto_approved', 'dispatching'])
    .execute()
}

export const markAnnounced = async (trx: Db, workspaceId: string, ids: string[]): Promise<void> => {
  await trx.updateTable('agent_confirmation').set({ announced: true })
    .where('workspace_id', '=', workspaceId).where('id', 'in', ids).execute()
}
