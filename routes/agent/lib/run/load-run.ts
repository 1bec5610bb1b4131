import type { Measured } from '../../../../db/agent/commit-run.js'
import { listCalls, type CallRecord } from '../../../../db/agent/calls.js'
import { listRunConfirmations } from '../../../../db/agent/confirmations.js'
import { listMessages } from '../../../../db/agent/queue.js'
import { listPreferences } from '../../../../db/agent/preferences.js'
import { sumUsage, type ClaimedRun } from '../../../../db/agent/runs.js'
import { changeModel, findSessionForRun } from '../../../../db/agent/sessions.js'
import { findPerson, findTokenStatus } from '../../../../lib/account/people.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { callKeyOf } from '../../../../lib/tools/digest.js'
import { toMessages } from './history.js'
import { partialOf, type Deps, type OpenCall, type RunState } from './run-state.js'

const noUsage = {
  model_calls: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost_usd_micros: 0, model: null
}

/** @returns the person's rights as they are now, as the assistant's principal in this run */
export const assistantPrincipal = (
  person: Pick<Principal, 'name' | 'role' | 'bindings'> & { id: string },
  workspaceId: string,
  runId: string,
  scopes: string[] | null
): Principal => ({
  workspace_id: workspaceId,
  user_id: person.id,
  name: person.name,
  role: person.role,
  bindings: person.bindings,
  scopes,
  via: 'assistant',
  via_id: runId
})

/** @returns what a run stores of the principal that began it: its scopes, and its token, with which the run ends */
export const storedPrincipal = ({ scopes, via, via_id }: Principal): ClaimedRun['principal'] =>
  ({ scopes, token_id: via === 'token' ? via_id : null })

type Facts = Pick<RunState,
  'kind' | 'key' | 'principal' | 'model' | 'thinking' | 'modelSince' | 'system' | 'title' | 'messages' | 'nextSeq' |
  'preferences'> & { measured: Measured }

const rowOf = ({ workspace_id, run_id, epoch }: RunState['key']): RunState['row'] =>
  ({ workspace_id, id: run_id, lease_epoch: epoch, attempts: 0 })

const budgetOf = (deps: Deps, { key, budget, spent }: { key: RunState['key'], budget: number, spent: number }) => ({
  run: deps.workspaces.limitsOf(key.workspace_id).budget_run_usd * 1_000_000,
  session: budget,
  sessionSpent: spent,
  refused: false
})

type Fresh = Facts & { position: number, spent: number, budget: number, triggered?: boolean }

/** Most runs have no files and call no tool: they share what is empty, of which each change makes a copy. */
const noFiles: RunState['attachments'] = new Map()
const noCalls: RunState['seen'] = new Map()
const noPlans: RunState['rejected'] = new Set()

/**
 * A run that this process has just begun: nothing of it is in the database that is not here. Written out, field by
 * field: V8 gives an object made by spreading a hidden class of its own, and everything that reads it becomes slow.
 */
export const freshState = (deps: Deps, facts: Fresh): RunState => ({
  kind: facts.kind,
  key: facts.key,
  row: rowOf(facts.key),
  principal: facts.principal,
  model: facts.model,
  thinking: facts.thinking,
  system: facts.system,
  title: facts.title,
  messages: facts.messages,
  tools: { found: [], looked: 0 },
  modelSince: facts.modelSince,
  weight: { tokens: facts.measured.tokens, characters: facts.measured.characters, sent: 0, unchanged: 0 },
  attachments: noFiles,
  withoutFiles: false,
  nextSeq: facts.nextSeq,
  preferences: facts.preferences,
  channel: deps.streams.open(facts.key.workspace_id, facts.key.run_id, facts.position),
  status: 'running',
  error: null,
  takenOver: false,
  triggered: facts.triggered ?? false,
  firing: null,
  abort: new AbortController(),
  cancelled: null,
  partial: partialOf(''),
  repeats: false,
  step: 0,
  calls: [],
  resumed: false,
  seen: noCalls,
  rejected: noPlans,
  toolCalls: 0,
  pauses: 0,
  usage: { ...noUsage },
  budget: budgetOf(deps, facts),
  activeBefore: 0,
  startedAt: Date.now()
})

type Messages = Awaited<ReturnType<typeof listMessages>>

/**
 * The turn whose results are not a message yet: calls of the message that is the last. Of a run that was parked, those
 * that the model does not know the end of: other messages have followed theirs.
 */
const openTurn = ({ id }: ClaimedRun, calls: CallRecord[], messages: Messages):
{ calls: OpenCall[], resumed: boolean } => {
  const last = calls.filter((call) => call.message_id === messages.at(-1)?.id)
  const waited = calls.find((call) => call.result_model === null && call.message_id !== messages.at(-1)?.id)
  if (last.length > 0 || !waited) return { calls: last, resumed: false }
  // What had ended by the last message of results is known.
  const known = messages.findLast(({ run_id, role }) => run_id === id && role === 'user')?.created_at
  return {
    calls: calls.filter(({ message_id, finished_at: end }) => message_id === waited.message_id &&
      (end === null || known === undefined || end > known)),
    resumed: true
  }
}

const countKeys = (calls: OpenCall[]): Map<string, number> => {
  const seen = new Map<string, number>()
  for (const call of calls) {
    const key = callKeyOf(call.name, call.input)
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  return seen
}

const loadRows = async (db: Db, { workspace_id, id, session_id, user_id, principal }: ClaimedRun) => {
  const token = principal.token_id ?? null
  const [session, person, messages, calls, confirmations, usage, preferences, tokenStatus] = await Promise.all([
    findSessionForRun(db, workspace_id, session_id), findPerson(db, workspace_id, user_id),
    listMessages(db, workspace_id, session_id), listCalls(db, workspace_id, id),
    listRunConfirmations(db, workspace_id, id), sumUsage(db, workspace_id, id),
    listPreferences(db, workspace_id, user_id),
    token === null ? 'active' : findTokenStatus(db, workspace_id, token)
  ])
  if (!session || !person) return undefined
  return { session, person, messages, calls, confirmations, usage, preferences, tokenStatus }
}

type Rows = NonNullable<Awaited<ReturnType<typeof loadRows>>>

/** A run that waited for a decision is cancelled when its principal has lost its rights. */
const cancelledBy = (claimed: ClaimedRun, { person, tokenStatus }: Rows): string | null => {
  if (person.status !== 'active' || tokenStatus !== 'active') return 'permission_revoked'
  return claimed.cancel_requested_at !== null ? claimed.reason ?? 'user_cancel' : null
}

/** Turns at the end of the conversation that the model did not end. */
const countPauses = ({ messages }: Rows): number =>
  messages.length - 1 - messages.findLastIndex(({ stop_reason: reason }) => reason !== 'pause_turn')

/** The chosen or the configured model goes on, unless it would have to end what another one has begun to say. */
const modelOf = async (deps: Deps, { workspace_id, session_id }: ClaimedRun, rows: Rows) => {
  const { model, own_model, model_since } = rows.session
  const to = own_model ?? deps.llm.modelOf(workspace_id)
  if (model === to || countPauses(rows) > 0) return { model, model_since }
  const since = await changeModel(deps.db, workspace_id, session_id, { from: model, to })
  return { model: to, model_since: since ?? model_since }
}

const baseState = async (deps: Deps, claimed: ClaimedRun, rows: Rows): Promise<RunState> => {
  const { workspace_id, id: run_id, session_id, user_id } = claimed
  const { session, person, messages, preferences } = rows
  const { model, model_since } = await modelOf(deps, claimed, rows)
  return freshState(deps, {
    kind: claimed.kind,
    key: { workspace_id, run_id, session_id, user_id, epoch: claimed.lease_epoch },
    position: claimed.position,
    principal: assistantPrincipal(person, workspace_id, run_id, claimed.principal.scopes),
    model,
    thinking: { effort: session.effort, thinking: session.thinking },
    system: session.system,
    title: session.title,
    messages: toMessages(messages, model_since, deps.llm.of(workspace_id).searchesTools(model)),
    modelSince: model_since,
    measured: { tokens: session.context_tokens, characters: session.context_characters },
    nextSeq: session.next_message,
    preferences: preferences.filter((item) => item.status === 'active'),
    spent: session.spent_usd_micros,
    budget: session.budget_usd_micros
  })
}

/** Loads a run that was claimed, from rows only. @returns undefined when its session or its person is gone */
export const loadRun = async (deps: Deps, claimed: ClaimedRun): Promise<RunState | undefined> => {
  const rows = await loadRows(deps.db, claimed)
  if (!rows) return undefined
  const { calls, confirmations, messages } = rows
  const state = await baseState(deps, claimed, rows)
  const { calls: open, resumed } = openTurn(claimed, calls, messages)
  const raiseStatus = confirmations.filter((item) => item.kind === 'budget').at(-1)?.status
  return Object.assign(state, {
    row: claimed,
    takenOver: claimed.attempts > 0,
    firing: claimed.principal.firing_id ?? null,
    cancelled: cancelledBy(claimed, rows),
    step: claimed.step,
    calls: open,
    resumed,
    repeats: open.length === 0,
    seen: countKeys(calls),
    rejected: new Set(calls.filter((call) => call.status === 'rejected').map((call) => call.input_digest)),
    toolCalls: calls.length,
    pauses: countPauses(rows),
    usage: rows.usage,
    activeBefore: claimed.active_ms,
    budget: {
      ...state.budget,
      run: claimed.budget_usd_micros,
      refused: raiseStatus === 'rejected' || raiseStatus === 'expired'
    }
  })
}
