import type { DecidedSteps, DecideSteps } from '../../../../schemas/agent/steps.js'
import { statusOf } from './answer-decided.js'
import { ConfirmationNotFound } from '../errors.js'
import type { Decided } from './settle-question.js'

/** @returns the decision of a plan of steps as clients read it */
export const toDecidedSteps = (decided: readonly Decided[], { approved }: DecideSteps): DecidedSteps => {
  const [first] = decided
  if (!first) throw ConfirmationNotFound()
  const { session_id, run_id } = first
  const stream_url = `/api/v1/agent/sessions/${session_id}/stream`
  return {
    session_id,
    run_id,
    status: decided.some(({ status }) => status === 'pending') ? 'pending' : statusOf(approved),
    missing: Math.max(...decided.map(({ missing }) => missing)),
    already_decided: decided.every((item) => item.already_decided),
    items: decided.map(({ woken: _, waited_ms: __, ...item }) => ({ ...item, stream_url })),
    stream_url
  }
}
