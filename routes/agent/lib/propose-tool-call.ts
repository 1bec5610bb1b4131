import { v7 as uuid } from 'uuid'
import { listPreferences } from '../../../db/agent/preferences.js'
import { findWaitingCall, startToolCallRun } from '../../../db/agent/tool-calls.js'
import type { ToolUsePart } from '../../../lib/llm/turn.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Tool } from '../../../plugins/tools.js'
import type { ProposeToolCall } from '../../../schemas/agent/tool-calls.js'
import { commit } from './commit.js'
import type { Engine } from './engine.js'
import { ToolCallRefused, ToolNotFound, ToolOnlyReads, TooManyWaiting } from './errors.js'
import { assistantPrincipal, freshState, storedPrincipal } from './load-run.js'
import { planProposal, type PlannedCall } from './plan-calls.js'
import { promptHash } from './prompt.js'
import type { Deps, RunState } from './run-state.js'
import { fieldsOf } from '../../../schemas/unknown.js'

const opening = { type: 'text', text: 'A client of the API proposed the call that follows; no conversation led to it.' }

const requireTool = (deps: Deps, principal: Principal, name: string): Tool => {
  const tool = deps.tools.find(name)
  if (!tool || !deps.tools.mayUse(principal, tool)) throw ToolNotFound(`There is no tool ${name} for this person`)
  if (tool.effect === 'read') throw ToolOnlyReads()
  return tool
}

const newState = async (deps: Deps, principal: Principal, tool: Tool): Promise<RunState> => {
  const { workspace_id, user_id, name, role, scopes } = principal
  const run_id = uuid()
  const preferences = await listPreferences(deps.db, workspace_id, user_id)
  return freshState(deps, {
    kind: 'tool_call',
    key: { workspace_id, run_id, session_id: uuid(), user_id, epoch: 1 },
    principal: assistantPrincipal({ id: user_id, name, role }, workspace_id, run_id, scopes),
    model: deps.llm.modelOf(workspace_id),
    system: '',
    title: `${tool.name}, proposed by a client`,
    messages: [],
    modelSince: 0,
    measured: { tokens: 0, characters: 0 },
    nextSeq: 2,
    preferences: preferences.filter((item) => item.status === 'active'),
    position: 0,
    spent: 0,
    budget: 0
  })
}

/** Run, call and question are stored together: there is no run of this kind that asks nothing. */
const store = async (deps: Deps, engine: Engine, principal: Principal, state: RunState, messageId: string,
  part: ToolUsePart, plan: PlannedCall) => {
  const { limits } = deps.config
  const { epoch, ...ids } = state.key
  const run = {
    ...ids,
    message_id: uuid(),
    // With its token: what a token proposed does not run once that is revoked.
    principal: storedPrincipal(principal),
    content: [opening],
    title: state.title ?? '',
    model: state.model,
    system_hash: promptHash,
    lease_owner: engine.instance,
    lease_ms: limits.lease_ms,
    max_waiting: limits.waiting_tool_calls_per_user
  }
  const first = async (trx: Db) => {
    if (!await startToolCallRun(trx, run)) throw TooManyWaiting().withHeaders({ 'retry-after': '60' })
  }
  const proposed =
    { id: messageId, seq: 2, role: 'assistant' as const, content: [part], search_text: '', stop_reason: 'tool_use' }
  await commit({ db: deps.db, first }, state, {
    status: plan.confirmation ? 'awaiting_confirmation' : 'running',
    messages: [proposed],
    calls: [plan.row],
    confirmations: plan.confirmation ? [plan.confirmation] : []
  }, plan.events)
}

/**
 * Asks a person to approve one write that a client of the API proposes, in a run of its own. Proposed again while it
 * waits, it is the same call. One that only reads, such as a dry run, needs no approval.
 * @returns the call's id
 * @throws tool_not_found, tool_only_reads, tool_call_refused with the cause, too_many_waiting
 */
export const proposeToolCall = async (deps: Deps, engine: Engine, principal: Principal, body: ProposeToolCall) => {
  const tool = requireTool(deps, principal, body.name)
  const state = await newState(deps, principal, tool)
  let executes = false
  try {
    const messageId = uuid()
    const id = `toolu_${uuid().replaceAll('-', '')}`
    const part: ToolUsePart = { type: 'tool_use', id, name: body.name, input: body.arguments }
    const plan = await planProposal(deps, state, messageId, part)
    if (plan.row.result_model !== null) {
      throw ToolCallRefused(undefined, { cause: { ...fieldsOf(plan.row.result), status: plan.row.http_status } })
    }
    const { workspace_id, user_id } = principal
    const waiting = await findWaitingCall(deps.db, workspace_id, user_id, plan.row.input_digest)
    if (waiting) return waiting.id
    await store(deps, engine, principal, state, messageId, part, plan)
    if (!plan.confirmation) {
      // It only reads, so it runs at once without an approval.
      state.calls = [{ ...plan.row, claim_epoch: null }]
      executes = true
      void engine.execute(state)
    }
    return plan.row.id
  } finally {
    if (!executes) state.channel.close()
  }
}
