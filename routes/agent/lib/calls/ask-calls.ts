import type { RunConfirmation } from '../../../../db/agent/confirmations.js'
import type { ConfirmationRow } from '../../../../db/agent/commit-run.js'
import { askCall, markAnnounced, replaceQuestion } from '../../../../db/agent/questions.js'
import { findConfirmation } from '../../../../db/agent/confirmations.js'
import type { Db } from '../../../../db/index.js'
import { LostLease } from '../../../../lib/durable/kind.js'
import type { NewChatEvent } from '../../../../schemas/agent/events.js'
import { commit } from '../run/commit.js'
import { askedEntry } from '../run/entries.js'
import { executeRead } from './send-call.js'
import { type Changed, allow } from './execute-write.js'
import { proposeCall, questionEvent, toQuestion } from '../plans/propose-call.js'
import { endCall, withoutResult, type Ended } from '../run/results.js'
import { replacingParked } from '../run/park-run.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'

const waitingEvent = ({ id, name, effect }: OpenCall, args: unknown): NewChatEvent => ({
  event: 'tool_call',
  data: { tool_call_id: id, name, arguments: args, effect, status: 'awaiting_confirmation' }
})

const toRow = (question: RunConfirmation): ConfirmationRow => ({
  id: question.id,
  kind: question.kind,
  tool_call_id: question.tool_call_id,
  name: question.name,
  arguments: question.arguments,
  target: question.target,
  facts: question.facts,
  summary: question.summary,
  preview: question.preview,
  risk: question.risk,
  risk_reasons: question.risk_reasons,
  editable: question.editable,
  input_digest: question.input_digest,
  replaces: question.replaces,
  thread_id: question.thread_id,
  requirement: question.requirement,
  expires_at: question.expires_at.toISOString()
})

/** Appends the questions that an approval in another request has replaced: their predecessors showed another state. */
export const announce = async (deps: Deps, state: RunState, questions: readonly RunConfirmation[]): Promise<void> => {
  if (questions.length === 0) return
  const { workspace_id: workspaceId } = state.key
  const events = questions.map(toRow).flatMap((question) => {
    const call = state.calls.find(({ id }) => id === question.tool_call_id)
    return [...(call ? [waitingEvent(call, question.arguments)] : []), questionEvent(state, question)]
  })
  const first = (trx: Db) => markAnnounced(trx, workspaceId, questions.map(({ id }) => id))
  await commit({ db: deps.db, unnumbered: deps.unnumbered, first }, state, { status: 'running' }, events)
}

/** Asks again about an approved call whose state or approvers have changed before it was sent. */
export const askAgain = async (deps: Deps, state: RunState, call: OpenCall, { tool, plan, requirement, why }: Changed):
Promise<void> => {
  const { workspace_id: workspaceId, session_id, run_id, user_id } = state.key
  const old = call.question === undefined ? null : await findConfirmation(deps.db, workspaceId, call.question) ?? null
  if (call.question !== undefined && old === null) throw new LostLease()
  const owner = { session_id, run_id, actor: state.principal }
  const question = await toQuestion(deps, owner, tool, call, plan, requirement, old)
  const row = { ...question, session_id, run_id, user_id }
  const change = { old: old?.id ?? null, why, question: row, tool_version: tool.version, announced: true }
  const first = async (trx: Db) => {
    if (!await replaceQuestion(trx, workspaceId, change)) throw new LostLease()
  }
  const events = [waitingEvent(call, plan.arguments), questionEvent(state, question)]
  const recorded = [askedEntry(question, state.key)]
  await commit({ db: deps.db, unnumbered: deps.unnumbered, first }, state, { status: 'running', recorded }, events)
  const { arguments: effective_input, input_digest } = plan
  const target = question.target?.id ?? null
  const asked = { status: 'awaiting', decided_by: null, effective_input, input_digest, question: question.id, target }
  Object.assign(call, asked)
}

const isOpen = (call: OpenCall) => call.result_model === null

/** @returns the first call that waits for the writes before it, when they have all ended */
const nextToAsk = ({ calls }: RunState): OpenCall | undefined => {
  const first = calls.find((call) => call.effect === 'write' && isOpen(call))
  return first?.status === 'awaiting' && first.question === undefined ? first : undefined
}

/** Commits the question of a call that waited for others. */
const ask = async (deps: Deps, state: RunState, call: OpenCall, confirmation: ConfirmationRow): Promise<void> => {
  const { workspace_id: workspaceId } = state.key
  const events = [waitingEvent(call, confirmation.arguments), questionEvent(state, confirmation)]
  const replace = await replacingParked(deps, state, [confirmation.target])
  const first = async (trx: Db) => {
    await askCall(trx, workspaceId, call.id, confirmation)
    await replace?.(trx)
  }
  const store = { db: deps.db, unnumbered: deps.unnumbered, first }
  await commit(store, state, { status: 'running', confirmations: [confirmation] }, events)
  const { id: question, target, arguments: effective_input, input_digest } = confirmation
  Object.assign(call, { question, target: target?.id ?? null, effective_input, input_digest })
}

/** Asks about the next call that waited for others, on the state that they left. @returns its end, if it has one */
export const askNext = async (deps: Deps, state: RunState): Promise<Ended | undefined> => {
  const call = nextToAsk(state)
  const tool = call && deps.tools.find(call.name, state.key.workspace_id)
  if (!call) return undefined
  if (!tool) return endCall(call, withoutResult('failed', 'The tool is gone'), deps.config.limits)
  const proposal = await proposeCall(deps, state, tool, call)
  if (proposal.kind === 'refuse') return endCall(call, proposal.outcome, deps.config.limits)
  if (proposal.kind === 'read') {
    return executeRead(deps, state, { ...call, effect: 'read', effective_input: proposal.plan.arguments })
  }
  if (proposal.kind === 'run') await allow(deps, state, call, { tool, plan: proposal.plan }, proposal.by)
  else await ask(deps, state, call, proposal.confirmation)
  return undefined
}
