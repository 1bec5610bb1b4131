import { v7 as uuid } from 'uuid'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { startToolCallRun } from '../../../../db/agent/tool-calls.js'
import type { Db } from '../../../../db/index.js'
import type { ToolUsePart } from '../../../../lib/llm/turn.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { commit } from '../run/commit.js'
import type { Engine } from '../loop/engine.js'
import { TooManyWaiting } from '../errors.js'
import { assistantPrincipal, freshState, storedPrincipal } from '../run/load-run.js'
import type { PlannedCall } from './plan-calls.js'
import { promptHash } from '../window/prompt.js'
import type { Deps, RunState } from '../run/run-state.js'

/** Who proposes a call: a client of the API, or a run that changes nothing itself. */
export interface Proposer {
  opening: string
  title: string
  /** A run that a trigger set off. */
  triggered?: true
  /** Written with the call. */
  keep?: (trx: Db, made: { run_id: string, tool_call_id: string }) => Promise<void>
}

export const client: Proposer = {
  opening: 'A client of the API proposed the call that follows; no conversation led to it.',
  title: 'proposed by a client'
}

/** @param what names the run's session: a tool, or a plan */
export const newState = async (deps: Deps, principal: Principal, what: string, { title, triggered }: Proposer):
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

export const newPart = (name: string, input: Record<string, unknown>): ToolUsePart =>
  ({ type: 'tool_use', id: `toolu_${uuid().replaceAll('-', '')}`, name, input })

/** What a client proposes in one turn: each part has its plan. */
export interface Proposed { messageId: string, parts: ToolUsePart[], plans: PlannedCall[] }

const waits = ({ row }: PlannedCall) => row.status === 'awaiting'

/** Run, calls and questions are stored together. What asks nothing runs at once. @returns whether something runs */
export const storeProposal = async (deps: Deps, engine: Engine, principal: Principal, state: RunState,
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
