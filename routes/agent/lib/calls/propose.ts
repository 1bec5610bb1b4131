import { v7 as uuid } from 'uuid'
import type { FastifyInstance } from 'fastify'
import { listCalls } from '../../../../db/agent/calls.js'
import { findConfirmation, findConfirmationOfCall } from '../../../../db/agent/confirmations.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { findWaitingCall, startToolCallRun, findOwnCall } from '../../../../db/agent/tool-calls.js'
import type { Db } from '../../../../db/index.js'
import type { ToolUsePart } from '../../../../lib/llm/turn.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { LiveEvent } from '../../../../lib/streams/events.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { ProposedPlan, ProposePlan, ProposeToolCall, ToolCall } from '../../../../schemas/agent/tool-calls.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import { showConfirmations } from '../approvals/list-confirmations.js'
import {
  TooManyWaiting, ConfirmationNotFound, ToolCallRefused, ToolNotFound, ToolOnlyReads, ToolCallNotFound
} from '../errors.js'
import { commit } from '../run/commit.js'
import { assistantPrincipal, freshState, storedPrincipal } from '../run/load-run.js'
import type { Deps, RunState } from '../run/run-state.js'
import { promptHash } from '../window/prompt.js'
import { planProposals, type PlannedCall } from './plan-calls.js'
import { shownDecider } from './execute-write.js'

/** Who proposes a call: a client of the API, or a run that changes nothing itself. */
interface Proposer {
  opening: string
  title: string
  /** A run that a trigger set off. */
  triggered?: true
  /** Written with the call. */
  keep?: (trx: Db, made: { run_id: string, tool_call_id: string }) => Promise<void>
}

const client: Proposer = {
  opening: 'A client of the API proposed the call that follows; no conversation led to it.',
  title: 'proposed by a client'
}

/** @param what names the run's session: a tool, or a plan */
const newState = async (deps: Deps, principal: Principal, what: string, { title, triggered }: Proposer):
Promise<RunState> => {
  const { workspace_id, user_id, name, role, bindings, scopes } = principal
  const run_id = uuid()
  const preferences = await listPreferences(deps.db, workspace_id, user_id)
  return freshState(deps, {
    kind: 'tool_call',
    triggered: triggered ?? false,
    key: { workspace_id, run_id, session_id: uuid(), user_id, epoch: 1 },
    principal: assistantPrincipal({ id: user_id, name, role, bindings }, workspace_id, run_id, scopes),
    model: deps.llm.modelOf(workspace_id),
    thinking: { effort: null, thinking: null },
    system: '',
    title: `${what}, ${title}`,
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

const newPart = (name: string, input: Record<string, unknown>): ToolUsePart =>
  ({ type: 'tool_use', id: `toolu_${uuid().replaceAll('-', '')}`, name, input })

/** What a client proposes in one turn: each part has its plan. */
interface Proposed { messageId: string, parts: ToolUsePart[], plans: PlannedCall[] }

const waits = ({ row }: PlannedCall) => row.status === 'awaiting'

/** What goes on with a run that is stored under its lease: the engine. */
interface Executor { instance: string, execute: (state: RunState) => unknown }

/** Run, calls and questions are stored together. What asks nothing runs at once. @returns whether something runs */
const storeProposal = async (deps: Deps, engine: Executor, principal: Principal, state: RunState,
  { messageId, parts, plans }: Proposed, { opening, keep }: Proposer): Promise<boolean> => {
  const { limits } = deps.config
  const runs = !plans.every(waits)
  const { epoch, ...ids } = state.key
  const run = {
    ...ids,
    message_id: uuid(),
    // With its token: what a token proposed does not run once that is revoked.
    principal: storedPrincipal(principal),
    content: [{ type: 'text', text: opening }],
    title: state.title ?? '',
    model: state.model,
    system_hash: promptHash,
    lease_owner: engine.instance,
    lease_ms: limits.lease_ms,
    max_waiting: limits.waiting_tool_calls_per_user,
    calls: plans.length
  }
  const begin = async (trx: Db) => {
    if (!await startToolCallRun(trx, run)) throw TooManyWaiting().withHeaders({ 'retry-after': '60' })
    const [first] = plans
    if (first) await keep?.(trx, { run_id: run.run_id, tool_call_id: first.row.id })
  }
  const proposed =
    { id: messageId, seq: 2, role: 'assistant' as const, content: parts, search_text: '', stop_reason: 'tool_use' }
  await commit({ db: deps.db, unnumbered: deps.unnumbered, first: begin }, state, {
    status: runs ? 'running' : 'awaiting_confirmation',
    messages: [proposed],
    calls: plans.map(({ row }) => row),
    confirmations: plans.flatMap(({ confirmation }) => confirmation ?? [])
  }, plans.flatMap(({ events }) => events))
  if (!runs) return false
  // It only reads, or policies let it run, so it runs at once without an approval.
  state.calls = plans.map(({ row }) => ({ ...row, claim_epoch: null }))
  void engine.execute(state)
  return true
}

/** @throws tool_not_found, tool_only_reads */
const requireTool = async (deps: Deps, principal: Principal, name: string): Promise<Tool> => {
  await deps.tools.prepare(principal.workspace_id, [name])
  const tool = deps.tools.find(name, principal.workspace_id)
  if (!tool || !deps.tools.mayUse(principal, tool)) throw ToolNotFound(`There is no tool ${name} for this person`)
  if (tool.effect === 'read') throw ToolOnlyReads()
  return tool
}

/** @returns the thread that a proposal goes on with. @throws confirmation_not_found */
const requireThread = async (deps: Deps, { workspace_id, user_id }: Principal, id: string): Promise<string> => {
  const asked = await findConfirmation(deps.db, workspace_id, id)
  if (asked?.user_id !== user_id || asked.changes === null) {
    throw ConfirmationNotFound('There is no such confirmation of yours in which a person asked for changes')
  }
  return asked.thread_id ?? asked.id
}

/** Puts a proposed question on the thread that it follows. @throws confirmation_not_found */
const joinThread = async (deps: Deps, principal: Principal, { confirmation }: PlannedCall, follows?: string) => {
  if (confirmation && follows !== undefined) confirmation.thread_id = await requireThread(deps, principal, follows)
}

/** @throws tool_call_refused with the cause, for what cannot be asked */
const requirePlanned = ({ row }: PlannedCall, step?: number): void => {
  if (row.result_model === null) return
  const cause = { ...fieldsOf(row.result), status: row.http_status }
  throw ToolCallRefused(undefined, { cause, ...(step !== undefined && { step }) })
}

/**
 * Asks a person to approve one write that a client of the API proposes, in a run of its own. Proposed again while it
 * waits, it is the same call. One that only reads, such as a dry run, needs no approval, nor what policies let run.
 * @returns the call's id
 * @throws tool_not_found, tool_only_reads, tool_call_refused with the cause, too_many_waiting, confirmation_not_found
 */
export const proposeToolCall = async (deps: Deps, engine: Executor, principal: Principal, body: ProposeToolCall,
  proposer: Proposer = client) => {
  const tool = await requireTool(deps, principal, body.name)
  const state = await newState(deps, principal, tool.name, proposer)
  let executes = false
  try {
    const messageId = uuid()
    const part = newPart(body.name, body.arguments)
    const [plan] = await planProposals(deps, state, messageId, [part])
    if (!plan) throw new Error('A call has no plan')
    requirePlanned(plan)
    await joinThread(deps, principal, plan, body.follows)
    const { workspace_id, user_id } = principal
    const waiting = await findWaitingCall(deps.db, workspace_id, user_id, plan.row.input_digest)
    if (waiting) return waiting.id
    const proposed = { messageId, parts: [part], plans: [plan] }
    executes = await storeProposal(deps, engine, principal, state, proposed, proposer)
    return plan.row.id
  } finally {
    if (!executes) state.channel.close()
  }
}

type ShowToolCallDeps = Pick<FastifyInstance, 'db' | 'streams'>

/** @throws tool_call_not_found for a call that is not there or not the caller's */
export const showToolCall = async (deps: Pick<ShowToolCallDeps, 'db'>, principal: Principal, id: string): Promise<ToolCall> => {
  const { workspace_id, user_id } = principal
  const [call, asked] = await Promise.all([
    findOwnCall(deps.db, workspace_id, user_id, id),
    findConfirmationOfCall(deps.db, workspace_id, user_id, id)
  ])
  if (!call) throw ToolCallNotFound()
  const { id: tool_call_id, input, effective_input, decided_by, ...rest } = call
  const [confirmation = null] = asked ? await showConfirmations(deps.db, principal, [asked]) : []
  return {
    ...rest, ...shownDecider({ decided_by }), tool_call_id, arguments: effective_input ?? input, confirmation
  }
}

/** Milliseconds in which a run ends with its only call; one of several calls may wait for a person much longer. */
const runEndMs = 1_000

/** @returns the call as soon as it has ended, and as it stands when it has not after the time */
export const awaitToolCall = async (
  deps: ShowToolCallDeps, principal: Principal, id: string, waitMs: number, left: AbortSignal
): Promise<ToolCall> => {
  const call = await showToolCall(deps, principal, id)
  if (call.finished_at !== null || waitMs === 0) return call
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), waitMs)
  const { workspace_id: workspaceId } = principal
  const signal = AbortSignal.any([enough.signal, left])
  const onEvent = ({ event, data }: LiveEvent) => {
    if (event === 'tool_result' && data.tool_call_id === id) setTimeout(() => enough.abort(), runEndMs)
  }
  await deps.streams.read({ workspaceId, streamId: call.run_id, after: 0, signal, onEvent })
    .finally(() => clearTimeout(timer))
  return showToolCall(deps, principal, id)
}

/** @returns the ids of the same calls, proposed together before and still waiting; undefined when there are none */
const findSame = async (deps: Deps, { workspace_id, user_id }: Principal, plans: readonly PlannedCall[]) => {
  const first = plans.find(({ confirmation }) => confirmation)
  const waiting = first && await findWaitingCall(deps.db, workspace_id, user_id, first.row.input_digest)
  const calls = waiting ? await listCalls(deps.db, workspace_id, waiting.run_id) : []
  const isSame = calls.length === plans.length && calls.every(({ input_digest: digest, status }, index) =>
    status === 'awaiting' && digest === plans[index]?.row.input_digest)
  return isSame ? calls.map(({ id }) => id) : undefined
}

/** Plans and stores the calls as one turn. @returns their ids */
const propose = async (deps: Deps, engine: Executor, principal: Principal, { calls }: ProposePlan): Promise<string[]> => {
  const state = await newState(deps, principal, `Plan of ${calls.length} steps`, client)
  let executes = false
  try {
    const messageId = uuid()
    const parts = calls.map(({ name, arguments: args }) => newPart(name, args))
    const plans = await planProposals(deps, state, messageId, parts)
    for (const [index, plan] of plans.entries()) {
      requirePlanned(plan, index + 1)
      await joinThread(deps, principal, plan, calls[index]?.follows)
    }
    const same = await findSame(deps, principal, plans)
    if (same) return same
    const proposed: Proposed = { messageId, parts, plans }
    executes = await storeProposal(deps, engine, principal, state, proposed, client)
    return plans.map(({ row }) => row.id)
  } finally {
    if (!executes) state.channel.close()
  }
}

/**
 * Asks a person to approve several writes that a client proposes together, as a turn of the assistant does: they form a
 * plan of steps. Proposed again while they all wait, they are the same calls.
 * @throws as proposeToolCall; one that cannot be asked refuses them all, and is named by its step
 */
export const proposePlan = async (deps: Deps, engine: Executor, principal: Principal, body: ProposePlan):
Promise<ProposedPlan> => {
  for (const { name } of body.calls) await requireTool(deps, principal, name)
  const ids = await propose(deps, engine, principal, body)
  const items = await Promise.all(ids.map((id) => showToolCall(deps, principal, id)))
  const [first] = items
  if (!first) throw new Error('A plan has calls')
  return { session_id: first.session_id, run_id: first.run_id, items }
}
