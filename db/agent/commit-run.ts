import type { ConfirmationPlan } from '../../schemas/agent/confirmations.js'
import type { Requirement, RiskReason } from '../../schemas/agent/requirements.js'
import type { Compaction, PreviewRow, Target } from '../../schemas/agent/events.js'
import type { ProviderCall } from '../effects.js'
import type { Db } from '../index.js'
import type { UsageRow } from '../model-spend.js'
import type { AuditKind } from '../types.js'
import type { EventRow } from '../stream-events.js'
import { commitOf, isEnd, parts, type Part } from './commit-statement.js'
import type { CallStatus, RunStatus } from './tables.js'

export interface RunKey {
  workspace_id: string
  run_id: string
  session_id: string
  user_id: string
  epoch: number
}

export interface MessageRow {
  id: string
  seq: number
  role: 'user' | 'assistant'
  content: unknown[]
  search_text: string
  stop_reason: string | null
  /** That gave the answer. */
  model?: string
  compaction?: Compaction
}

/** What is sent to the model instead of a message's content. */
export interface ReplacedRow { seq: number, sent: unknown[] }

/** What the provider has counted in a request of so many characters. */
export interface Measured { tokens: number, characters: number }

export interface CallRow {
  id: string
  message_id: string
  step: number
  ordinal: number
  tool_use_id: string
  name: string
  tool_version: string
  effect: 'read' | 'write'
  input: unknown
  effective_input: Record<string, unknown> | null
  input_digest: string
  status: CallStatus
  decided_by: string | null
  idempotency_key: string
  http_status: number | null
  result: unknown
  result_model: string | null
  is_error: boolean
}

export interface CallEnding {
  id: string
  status: CallStatus
  http_status: number | null
  result: unknown
  result_model: string
  truncated: boolean
  is_error: boolean
  /** What a write has sent to providers; for the record alone. */
  made?: readonly ProviderCall[] | undefined
}

export interface ConfirmationRow {
  id: string
  kind: 'tool' | 'budget'
  tool_call_id: string | null
  name: string
  arguments: Record<string, unknown>
  /** null for a budget */
  target: Target | null
  facts: Record<string, unknown> | null
  summary: string
  preview: PreviewRow[]
  risk: ConfirmationPlan['risk']
  risk_reasons: RiskReason[]
  editable: string[]
  input_digest: string
  replaces: string | null
  /** The first question of those that followed each other; null = it is the first. */
  thread_id: string | null
  /** null for a budget, and for one person who may be the one who asked */
  requirement: Requirement | null
  expires_at: string
}

/** An entry of the record, as a run leaves it. */
export interface RecordedRow {
  id: string
  kind: AuditKind
  write_id: string
  operation: string
  target: string | null
  outcome: string
  status: number | null
  body: Record<string, unknown>
}

export interface RunCommit {
  status: RunStatus
  reason?: string
  error?: { code: string; message: string }
  position: number
  events: EventRow[]
  messages?: MessageRow[]
  calls?: CallRow[]
  endings?: CallEnding[]
  confirmations?: ConfirmationRow[]
  usage?: UsageRow
  replaced?: ReplacedRow[]
  /** Number of the first message that is still sent. */
  since?: number
  measured?: Measured
  /** Counts a model call as a step of the run. */
  steps?: number
  recorded?: RecordedRow[]
}

/** One step of one run. */
export interface RunStep { key: RunKey, change: RunCommit }

const changesSession = ({ messages, usage, measured, status }: RunCommit): boolean =>
  !!messages?.length || usage !== undefined || measured !== undefined || status !== 'running'

const toStep = ({ key, change }: RunStep) => ({
  kind: 'step',
  run: key.run_id,
  session: key.session_id,
  person: key.user_id,
  epoch: key.epoch,
  status: change.status,
  reason: change.reason,
  error: change.error,
  position: change.position,
  steps: change.steps ?? 0,
  next: (change.messages?.at(-1)?.seq ?? 0) + 1,
  spent: change.usage?.cost_usd_micros ?? 0,
  since: change.since ?? 0,
  tokens: change.measured?.tokens,
  characters: change.measured?.characters,
  changes_session: changesSession(change)
})

/** The rows of all steps, each with its run; as JSON. */
const list = (steps: readonly RunStep[], rowsOf: (change: RunCommit) => readonly object[] | undefined): string =>
  JSON.stringify(steps.flatMap(({ key, change }) =>
    rowsOf(change)?.map((row) => Object.assign({ run: key.run_id }, row)) ?? []))

/** Payloads are JSON already, and are kept byte for byte. */
const listEvents = (steps: readonly RunStep[]): string => `[${steps.flatMap(({ key, change }) =>
  change.events.map(({ position, event, data }) =>
    `{"run":"${key.run_id}","position":${position},"event":${JSON.stringify(event)},"data":${data}}`)).join()}]`

/** What steps change; a statement of no more than that is cheaper to run, and there are few kinds of steps. */
const partsOf = (steps: readonly RunStep[]): Part[] => {
  const some = (has: (change: RunCommit) => unknown) => steps.some(({ change }) => has(change))
  const changed: Record<Part, boolean> = {
    sessions: some(changesSession),
    messages: some(({ messages }) => messages?.length),
    replaced: some(({ replaced }) => replaced?.length),
    calls: some(({ calls }) => calls?.length),
    endings: some(({ endings }) => endings?.length),
    confirmations: some(({ confirmations }) => confirmations?.length),
    used: some(({ usage }) => usage),
    closed: some(({ status }) => isEnd(status)),
    events: some(({ events }) => events.length),
    recorded: some(({ recorded }) => recorded?.length)
  }
  return parts.filter((part) => changed[part])
}

/** Locks the run, if there is one, until the transaction ends. */
export const lockRun = async (trx: Db, { workspace_id, run_id }: RunKey): Promise<void> => {
  await trx.selectFrom('agent_run').select('id').where('workspace_id', '=', workspace_id).where('id', '=', run_id)
    .forUpdate().executeTakeFirst()
}

/**
 * All that steps of runs of one workspace change, in one statement and so in one transaction. Each is fenced: unless
 * its run is still running under the epoch, nothing of it is written. A run has one step at most.
 * @returns the runs that the caller still held
 */
export const commitRuns = async (db: Db, workspaceId: string, steps: readonly RunStep[]): Promise<Set<string>> => {
  const rows = await commitOf(partsOf(steps))(db, {
    workspace: workspaceId,
    anywhere: false,
    step: 'step',
    // In the order in which their leases are renewed: neither holds a row that the other waits for.
    steps: JSON.stringify(steps.map(toStep).sort((a, b) => a.run < b.run ? -1 : 1)),
    running: 'running',
    pending: 'pending',
    messages: list(steps, ({ messages }) => messages),
    replaced: list(steps, ({ replaced }) => replaced),
    calls: list(steps, ({ calls }) => calls),
    endings: list(steps, ({ endings }) => endings),
    confirmations: list(steps, ({ confirmations }) => confirmations),
    usage: list(steps, ({ usage }) => usage && [usage]),
    events: listEvents(steps),
    recorded: list(steps, ({ recorded }) => recorded)
  })
  return new Set(rows.map(({ run }) => run))
}

/** One step by itself, such as one of a transaction. @returns whether the caller still held the run */
export const commitRun = async (db: Db, key: RunKey, change: RunCommit): Promise<boolean> =>
  (await commitRuns(db, key.workspace_id, [{ key, change }])).has(key.run_id)
