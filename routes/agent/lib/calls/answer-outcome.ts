import { outcomeOf, type Effects } from '../../../../db/effects.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import type { Answer } from '../../../../plugins/tools.js'
import { textIn } from '../../../../schemas/unknown.js'
import { withoutResult, type Outcome } from '../run/results.js'
import type { OpenCall } from '../run/run-state.js'

/** Another request with the same key is under way: what it does is not in the record of this one. */
const inProgress = 'idempotency_in_progress'

/** @param effects what the call has sent and committed; a read has none */
export const toOutcome = (answer: Answer, effects: Effects, note?: string): Outcome => {
  const { status: http_status, body: result } = answer
  const status = textIn(result, 'code') === inProgress ? 'unknown' : outcomeOf(effects, http_status)
  return status === 'unknown'
    ? { ...withoutResult('unknown'), http_status, result }
    : { status, http_status, result, note }
}

/** Of a call whose process is gone: its key's row says whether it passed the point of no return. */
export const storedOutcome = ({ status, body }: Answer, sent: boolean, note?: string): Outcome => {
  if (status < 300) return { status: 'succeeded', http_status: status, result: body, note }
  return sent && status >= 500
    ? { ...withoutResult('unknown'), http_status: status, result: body }
    : { status: 'failed', http_status: status, result: body, note }
}

export const argumentsOf = (call: OpenCall): Arguments => call.effective_input ?? {}

/** What the model reads of a call that a person has changed. */
export const editNote = (call: OpenCall): string | undefined => call.edited
  ? `The user changed the arguments before running. Ran with: ${JSON.stringify(call.effective_input)}`
  : undefined
