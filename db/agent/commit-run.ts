import type { ConfirmationPlan } from '../../schemas/agent/confirmations.js'
import type { PreviewRow, Target } from '../../schemas/agent/events.js'
import type { Db } from '../index.js'
import type { UsageRow } from '../model-spend.js'
import type { EventRow } from '../stream-events.js'
import { commitOf, isEnd, type Part } from './commit-statement.js'
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
}

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
  editable: string[]
  input_digest: string
  replaces: string | null
  expires_at: string
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
  /** Counts a model call as a step of the run. */
  steps?: number
}

/** The end of a single call, by parameters. */
const endingOf = ({ endings: [ending] = [] }: RunCommit) => ({
  call: ending?.id ?? null,
  call_status: ending?.status ?? null,
  http_status: ending?.http_status ?? null,
  // No result is NULL, not JSON's null: as the list stores it.
  result: ending === undefined || ending.result === null ? null : JSON.stringify(ending.result),
  result_model: ending?.result_model ?? null,
  truncated: ending?.truncated ?? false,
  is_error: ending?.is_error ?? false
})

const list = (rows: readonly object[] | undefined) =>
  rows === undefined || rows.length === 0 ? '[]' : JSON.stringify(rows)

/** What a step changes; a statement of no more than that is cheaper to run, and there are few kinds of steps. */
const partsOf = ({ status, messages, calls, endings, confirmations, usage, events }: RunCommit): Part[] => {
  const changed: Record<Part, boolean> = {
    session: !!messages?.length || !!usage || status !== 'running',
    messages: !!messages?.length,
    calls: !!calls?.length,
    ending: endings?.length === 1,
    endings: endings !== undefined && endings.length > 1,
    confirmations: !!confirmations?.length,
    used: !!usage,
    closed: isEnd(status),
    events: events.length > 0
  }
  return (Object.keys(changed) as Part[]).filter((part) => changed[part])
}

/**
 * All that one step of a run changes, in one statement and so in one transaction. It is fenced: unless the run is
 * still running under the epoch, nothing is written.
 * @returns whether the caller still held the run
 */
export const commitRun = async (db: Db, key: RunKey, change: RunCommit): Promise<boolean> => {
  const rows = await commitOf(partsOf(change))(db, {
    workspace: key.workspace_id,
    run: key.run_id,
    session: key.session_id,
    user: key.user_id,
    epoch: key.epoch,
    running: 'running',
    pending: 'pending',
    status: change.status,
    reason: change.reason ?? null,
    error: change.error ? JSON.stringify(change.error) : null,
    position: change.position,
    steps: change.steps ?? 0,
    next: (change.messages?.at(-1)?.seq ?? 0) + 1,
    spent: change.usage?.cost_usd_micros ?? 0,
    messages: list(change.messages),
    calls: list(change.calls),
    ...endingOf(change),
    endings: change.endings?.length === 1 ? '[]' : list(change.endings),
    confirmations: list(change.confirmations),
    usage: list(change.usage ? [change.usage] : []),
    positions: change.events.map((row) => row.position),
    events: change.events.map((row) => row.event),
    datas: change.events.map((row) => row.data)
  })
  return rows[0]?.held === 1
}
