import { listCalls, type CallRecord } from '../../../db/agent/calls.js'
import { listRunConfirmations } from '../../../db/agent/confirmations.js'
import { listMessages } from '../../../db/agent/messages.js'
import { listPreferences } from '../../../db/agent/preferences.js'
import { sumUsage, type ClaimedRun } from '../../../db/agent/runs.js'
import { findSessionForRun } from '../../../db/agent/sessions.js'
import { findPerson } from '../../../db/account/principals.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../plugins/principal.js'
import { toMessages } from './history.js'
import { partialOf, type Deps, type OpenCall, type RunState } from './run-state.js'

const noUsage = {
  model_calls: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost_usd_micros: 0, model: null
}

/** @returns the person's rights as they are now, as the assistant's principal in this run */
export const assistantPrincipal = (
  person: { id: string; name: string; role: Principal['role'] },
  workspaceId: string,
  runId: string,
  scopes: string[] | null
): Principal => ({
  workspace_id: workspaceId,
  user_id: person.id,
  name: person.name,
  role: person.role,
  scopes,
  via: 'assistant',
  via_id: runId
})

type Facts = Pick<RunState,
  'kind' | 'key' | 'principal' | 'model' | 'system' | 'title' | 'messages' | 'nextSeq' | 'preferences'>

/**
 * A run that this process has just begun: nothing of it is in the database that is not here. Written out, field by
 * field: V8 gives an object made by spreading a hidden class of its own, and everything that reads it becomes slow.
 */
export const freshState = (deps: Deps, facts: Facts & { position: number, spent: number, budget: number }):
RunState => ({
  kind: facts.kind,
  key: facts.key,
  principal: facts.principal,
  model: facts.model,
  system: facts.system,
  title: facts.title,
  messages: facts.messages,
  nextSeq: facts.nextSeq,
  preferences: facts.preferences,
  channel: deps.streams.open(facts.key.workspace_id, facts.key.run_id, facts.position),
  status: 'running',
  error: null,
  takenOver: false,
  abort: new AbortController(),
  cancelled: null,
  partial: partialOf(''),
  repeats: false,
  step: 0,
  calls: [],
  seen: new Map(),
  rejected: new Set(),
  toolCalls: 0,
  usage: { ...noUsage },
  budget: {
    run: deps.config.limits.budget_run_usd * 1_000_000,
    session: facts.budget,
    sessionSpent: facts.spent,
    refused: false
  },
  activeBefore: 0,
  startedAt: Date.now()
})

/** The turn whose results are not a message yet: calls of the message that is the last. */
const openTurn = (calls: CallRecord[], lastMessage: string | undefined): OpenCall[] =>
  calls.filter((call) => call.message_id === lastMessage)

const countDigests = (calls: OpenCall[]): Map<string, number> => {
  const seen = new Map<string, number>()
  for (const call of calls) seen.set(call.input_digest, (seen.get(call.input_digest) ?? 0) + 1)
  return seen
}

const loadRows = async (db: Db, { workspace_id, id, session_id, user_id }: ClaimedRun) => {
  const [session, person, messages, calls, confirmations, usage, preferences] = await Promise.all([
    findSessionForRun(db, workspace_id, session_id), findPerson(db, workspace_id, user_id),
    listMessages(db, workspace_id, session_id), listCalls(db, workspace_id, id),
    listRunConfirmations(db, workspace_id, id), sumUsage(db, workspace_id, id),
    listPreferences(db, workspace_id, user_id)
  ])
  return session && person ? { session, person, messages, calls, confirmations, usage, preferences } : undefined
}

type Rows = NonNullable<Awaited<ReturnType<typeof loadRows>>>

const cancelledBy = (claimed: ClaimedRun, { person }: Rows): string | null => {
  if (person.status !== 'active') return 'permission_revoked'
  return claimed.cancel_requested ? claimed.reason ?? 'user_cancel' : null
}

const baseState = (deps: Deps, claimed: ClaimedRun, rows: Rows): RunState => {
  const { workspace_id, id: run_id, session_id, user_id } = claimed
  const { session, person, messages, preferences } = rows
  return freshState(deps, {
    kind: claimed.kind,
    key: { workspace_id, run_id, session_id, user_id, epoch: claimed.lease_epoch },
    position: claimed.position,
    principal: assistantPrincipal(person, workspace_id, run_id, claimed.principal.scopes),
    model: session.model,
    system: session.system,
    title: session.title,
    messages: toMessages(messages),
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
  const state = baseState(deps, claimed, rows)
  const open = openTurn(calls, messages.at(-1)?.id)
  const asked = confirmations.filter((item) => item.kind === 'budget').at(-1)?.status
  return Object.assign(state, {
    takenOver: claimed.taken_over,
    cancelled: cancelledBy(claimed, rows),
    step: claimed.step,
    calls: open,
    repeats: open.length === 0,
    seen: countDigests(calls),
    rejected: new Set(calls.filter((call) => call.status === 'rejected').map((call) => call.input_digest)),
    toolCalls: calls.length,
    usage: rows.usage,
    activeBefore: claimed.active_ms,
    budget: { ...state.budget, run: claimed.budget_usd_micros, refused: asked === 'rejected' || asked === 'expired' }
  })
}
