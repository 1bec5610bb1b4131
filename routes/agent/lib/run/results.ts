import type { Limits } from '../../../../plugins/config.js'
import type { CallEnding } from '../../../../db/agent/commit-run.js'
import { cutText } from '../../../../lib/streams/events.js'
import { fitResult } from '../../../../lib/tools/fit-result.js'
import type { EndedCallStatus, NewChatEvent } from '../../../../schemas/agent/events.js'
import { redactValueRead } from '../../../../lib/security/redaction.js'

/** A denied call never ran; to clients it is one that failed. */
export type OutcomeStatus = EndedCallStatus | 'denied'

export interface Outcome {
  status: OutcomeStatus
  http_status: number | null
  result: unknown
  /** What the model reads with the result, or instead of it. */
  note?: string
}

/** @returns the outcome of a call that our own code ends, with the reason as its result */
export const failure = (code: string, detail: string, more: object = {}): Outcome => ({
  status: 'failed',
  http_status: null,
  result: { code, detail, ...more }
})

const failures = new Set<OutcomeStatus>([
  'denied',
  'failed',
  'rejected',
  'expired',
  'superseded',
  'cancelled',
  'timed_out',
  'unknown'
])

/** A result is data from outside: wrapped so that the model can distinguish it from instructions, and capped. */
const modelText = (name: string, outcome: Outcome, text: string, maxBytes: number): string => {
  if (outcome.note !== undefined && outcome.result === null) return outcome.note
  const content = fitResult(outcome.result, text, maxBytes)
  const note = outcome.note === undefined ? '' : `"note":${JSON.stringify(outcome.note)},`
  const source = JSON.stringify(name)
  return `{"source":${source},"untrusted":true,${note}"http_status":${outcome.http_status},"content":${content}}`
}

/** A call that has ended, as it is stored, and its event. */
export interface Ended {
  ending: CallEnding
  event: NewChatEvent
}

export const endCall = (call: { id: string; name: string }, outcome: Outcome, limits: Limits): Ended => {
  const clean = redactValueRead(outcome.result ?? null)
  const text = JSON.stringify(clean)
  const size = Buffer.byteLength(text)
  const stored = size > limits.result_stored_bytes ? cutText(text, limits.result_stored_bytes) : clean
  const truncated = size > limits.result_client_bytes
  const { status, http_status } = outcome
  return {
    ending: {
      id: call.id,
      status,
      http_status,
      result: stored,
      result_model: modelText(call.name, { ...outcome, result: clean }, text, limits.result_model_bytes),
      truncated: size > limits.result_stored_bytes,
      is_error: failures.has(status)
    },
    event: {
      event: 'tool_result',
      data: {
        tool_call_id: call.id,
        name: call.name,
        status: status === 'denied' ? 'failed' : status,
        http_status,
        result: truncated ? cutText(text, limits.result_client_bytes) : clean,
        truncated
      }
    }
  }
}

const notes: Partial<Record<OutcomeStatus, string>> = {
  rejected: 'The user declined this action. It was not executed.',
  expired: 'Nobody approved this in time. It was not executed.',
  superseded: 'The user moved on without approving. It was not executed.',
  cancelled: 'Cancelled before it was executed.',
  timed_out: 'The tool did not answer in time.',
  unknown: 'It was sent, but its outcome is unknown. Do not repeat it. Read the current state first.'
}

/** @returns the outcome of a call that a person wants changed before they approve it */
export const changesRequested = (changes: string): Outcome => ({
  status: 'rejected',
  http_status: null,
  result: { code: 'changes_requested', changes },
  note: `It was not executed. A person asks for changes first; propose it again with them: ${changes}`
})

/** @returns the outcome of a call that did not run, or whose end is unknown */
export const withoutResult = (status: OutcomeStatus, reason?: string | null): Outcome => {
  const note = [notes[status], reason ? `Reason: ${reason}` : ''].filter(Boolean).join(' ')
  return { status, http_status: null, result: null, note }
}
