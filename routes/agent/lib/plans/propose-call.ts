import { v7 as uuid } from 'uuid'
import type { CallRow, ConfirmationRow } from '../../../../db/agent/commit-run.js'
import { findProposalFacts } from '../../../../db/agent/calls.js'
import { listParkedQuestions, type ParkedQuestion } from '../../../../db/agent/parked.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import { mayPropose } from '../../../../lib/access/require-access.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { PreviewRow } from '../../../../schemas/agent/events.js'
import { Stopping } from '../../../../lib/durable/kind.js'
import { ApiError, Unchanged } from '../../../../schemas/errors.js'
import { judgePlan, findRepeated, repeatedRows, requirementOf, stricterRequirement } from './judge-plan.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { findForbidding } from './apply-preferences.js'
import { makePlan, PlanFailed, type MadePlan } from '../../../../lib/tools/make-plan.js'
import { failure, type Outcome } from '../run/results.js'
import type { Deps, RunState } from '../run/run-state.js'
import { clipRows } from '../../../../lib/tools/show-changes.js'

/** The outcome of planning a write: a question, a call that needs no approval, or why it does not run. */
export type Proposal =
  | { kind: 'ask', plan: MadePlan, confirmation: ConfirmationRow }
  /** `by`: what allows the write, as `decided_by` of its call. */
  | { kind: 'run', plan: MadePlan, by: string }
  | { kind: 'read', plan: MadePlan }
  /** `final`: no later state changes it. */
  | { kind: 'refuse', outcome: Outcome, final: boolean }

const sentBefore: PreviewRow = { label: 'Sent before', before: null, after: 'This session already sent this very call' }

const onlyReads: Outcome = {
  ...failure('insufficient_role', 'The person may read this and may not change it: proposing needs the role operator'),
  status: 'denied'
}

/** Asked again, it would only take the place of the same question, with the votes in it. */
const waitsAlready = (toolCallId: string | null): Outcome => ({
  ...failure('waits_already', 'This very call waits for approval already: the person decides about that question',
    { tool_call_id: toolCallId }),
  status: 'denied'
})

/** Whether the question is of this very call, and needs all that is needed now: the rules may have changed since. */
const asksAsMuch = (question: ParkedQuestion, { input_digest }: MadePlan, judged: Requirement): boolean => {
  const stored = requirementOf(question)
  return question.input_digest === input_digest && stricterRequirement(stored, judged) === stored
}

type Call = { id: string, effective_input: Arguments | null }

const verdicts = { done: 'It looks done', not_done: 'It looks not done', unclear: 'Look whether it is done' }

/** A reconciliation that failed. @throws Stopping, which leaves it to whoever goes on */
export const unclear = (error: unknown): 'unclear' => {
  if (error instanceof Stopping) throw error
  return 'unclear'
}

/** A promoted standby, or a backup, may lack what was decided last, and this may be it. */
const failoverRow = async ({ tools }: Pick<Deps, 'tools'>, actor: Principal, tool: Tool, plan: MadePlan):
Promise<PreviewRow> => {
  const verdict = await tool.options?.reconcile?.(plan.arguments, tools.reader(actor)).catch(unclear)
  return {
    label: 'Failover',
    before: null,
    after: 'The database was replaced by a standby or a backup since this was begun: it may have been approved and ' +
      `have run already. ${verdicts[verdict ?? 'unclear']}`
  }
}

/** Whose question it is: the run's, which acts with these rights. */
export interface Owner { session_id: string, run_id: string, actor: Principal }

/** The question that another one takes the place of: its rows stay visible. */
export interface Replaced { id: string, thread_id: string | null, preview: PreviewRow[] }

/** @returns the question of a plan; `replaces` is the one that showed another state, or other arguments */
export const toQuestion = async (deps: Pick<Deps, 'db' | 'workspaces' | 'tools'>, { actor, ...run }: Owner, tool: Tool,
  call: Pick<Call, 'id'>, plan: MadePlan, requirement: Requirement | null,
  replaces: Replaced | null = null):
Promise<ConfirmationRow> => {
  const { workspace_id: workspaceId } = actor
  const { confirmation_ttl_s: ttl } = deps.workspaces.limitsOf(workspaceId)
  const asked = { name: tool.name, args: plan.arguments, target: plan.target }
  const { sent_before: sent, is_before_failover: failover, thread_id, expires_at } =
    await findProposalFacts(deps.db, workspaceId, run, asked, ttl)
  const repeated = await findRepeated(deps, workspaceId, run.session_id, tool.name, plan)
  const rows = [...plan.preview, ...(sent ? [sentBefore] : []),
    ...(failover ? [await failoverRow(deps, actor, tool, plan)] : []),
    ...await repeatedRows(deps, workspaceId, repeated)]
  return {
    id: uuid(),
    kind: 'tool',
    tool_call_id: call.id,
    name: tool.name,
    arguments: plan.arguments,
    target: plan.target,
    facts: plan.facts,
    summary: plan.summary,
    preview: replaces ? withShown(rows, replaces.preview) : rows,
    risk: plan.risk,
    risk_reasons: plan.risk_reasons,
    editable: tool.editable,
    input_digest: plan.input_digest,
    replaces: replaces?.id ?? null,
    thread_id: replaces ? replaces.thread_id ?? replaces.id : thread_id,
    requirement,
    expires_at: expires_at.toISOString()
  }
}

/** Adds to each row what the replaced question showed: its `before`, or its `after` where only that has changed. */
const withShown = (rows: readonly PreviewRow[], before: readonly PreviewRow[]): PreviewRow[] => {
  const known = new Map(before.map((row) => [row.label, row]))
  return rows.map((row) => {
    const old = known.get(row.label)
    const onlyAfter = old !== undefined && old.before === row.before && old.after !== row.after
    return { ...row, shown: (onlyAfter ? old.after : old?.before) ?? null }
  })
}

/** @returns the question as the stream shows it: long changes are clipped there, and marked so */
export const questionEvent = ({ key: { session_id, run_id } }: Pick<RunState, 'key'>, question: ConfirmationRow):
NewChatEvent => {
  const { id: confirmation_id, facts: _, requirement, thread_id, preview, ...shown } = question
  const isOrdinary = requirement === null || isSameJson(requirement, ordinaryRequirement)
  const more = { ...(!isOrdinary && { requirement }), ...(thread_id !== null && { thread_id }) }
  return {
    event: 'confirmation_required',
    data: { confirmation_id, session_id, run_id, ...shown, ...more, preview: clipRows(preview) }
  }
}

type Announced = Pick<CallRow, 'id' | 'name' | 'effect'>

/** @returns a write that runs without a question, as the stream shows it: what it does, and what allows it */
export const unaskedEvent = ({ id, name, effect }: Announced, plan: MadePlan, by: string): NewChatEvent => ({
  event: 'tool_call',
  data: {
    tool_call_id: id,
    name,
    arguments: plan.arguments,
    effect,
    status: 'running',
    unasked: {
      decided_by: by,
      target: plan.target,
      summary: plan.summary,
      preview: clipRows(plan.preview),
      risk: plan.risk,
      risk_reasons: plan.risk_reasons
    }
  }
})

/** @returns the operation's error as the outcome of the call, which then needs no approval */
export const failedPlan = (error: unknown): Outcome => {
  if (error instanceof PlanFailed) {
    return failure('preview_failed', 'What this call would do could not be shown, so nobody was asked; it did not run')
  }
  if (!(error instanceof ApiError)) throw error
  const { code, message: detail, statusCode, members: { errors, target } } = error
  return {
    status: 'failed',
    http_status: statusCode,
    result: { code, detail, ...(errors ? { errors } : {}), ...(code === Unchanged.code && { target }) }
  }
}

/** @returns why the person's own rules keep the plan from being asked; undefined when they do not */
const whyForbidden = (state: RunState, tool: Tool, input: Arguments, plan: MadePlan): Outcome | undefined => {
  const key = findForbidding(tool, input, plan, state.preferences)
  if (key !== undefined) {
    return { ...failure('forbidden_by_preference', `The person's preference ${key} forbids this`), status: 'denied' }
  }
  return state.rejected.has(plan.input_digest)
    ? failure('declined_before', 'The person has declined this very call')
    : undefined
}

/**
 * Plans a write and makes its question.
 * @throws whatever the run was aborted with
 */
export const proposeCall = async (deps: Deps, state: RunState, tool: Tool, call: Call): Promise<Proposal> => {
  const input = call.effective_input ?? {}
  try {
    const plan = await makePlan(deps, state.principal, tool, input, state.abort.signal)
    const outcome = whyForbidden(state, tool, input, plan)
    if (outcome) return { kind: 'refuse', outcome, final: true }
    if (plan.effect === 'read') return { kind: 'read', plan }
    if (!mayPropose(state.principal, plan.target)) return { kind: 'refuse', outcome: onlyReads, final: true }
    const { workspace_id, user_id, session_id, run_id } = state.key
    const owner = { session_id, run_id, actor: state.principal }
    const verdict = await judgePlan(deps, { ...owner, triggered: state.triggered }, tool, plan)
    if (verdict.kind === 'forbid') {
      return { kind: 'refuse', outcome: { ...failure(verdict.code, verdict.reason), status: 'denied' }, final: true }
    }
    if (verdict.kind === 'run') return { kind: 'run', plan, by: verdict.by }
    const waiting = state.kind === 'chat' ? await listParkedQuestions(deps.db, workspace_id, user_id, session_id) : []
    const same = waiting.find((question) => asksAsMuch(question, plan, verdict.requirement))
    if (same) return { kind: 'refuse', outcome: waitsAlready(same.tool_call_id), final: true }
    return { kind: 'ask', plan, confirmation: await toQuestion(deps, owner, tool, call, plan, verdict.requirement) }
  } catch (error) {
    if (state.abort.signal.aborted || error instanceof Stopping) throw error
    return { kind: 'refuse', outcome: failedPlan(error), final: error instanceof PlanFailed }
  }
}
