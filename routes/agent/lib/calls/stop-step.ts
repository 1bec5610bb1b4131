import { closeQuestion } from '../../../../db/agent/questions.js'
import { endCall, failure, type Ended } from '../run/results.js'
import type { Deps, OpenCall, RunState } from '../run/run-state.js'

/** Which step of a plan ended it, and with what. */
export interface Stop { step: number, why: string }

/**
 * @returns the first of the steps before this one that has not succeeded; a step that left the plan, such as for being
 *   asked anew, is none that has
 */
export const findStop = ({ calls }: RunState, { steps }: OpenCall): Stop | undefined => {
  if (!steps) return undefined
  const before = new Map(calls.flatMap((call) => call.steps?.id === steps.id ? [[call.steps.step, call.status]] : []))
  for (let step = 1; step < steps.step; step++) {
    const status = before.get(step)
    if (status !== 'succeeded') return { step, why: status ?? 'state_changed' }
  }
  return undefined
}

/** Ends an approved step that does not run, and closes its question: nothing of it was sent. */
export const stopStep = async (deps: Deps, { key }: RunState, call: OpenCall, { step, why }: Stop): Promise<Ended> => {
  const of = call.steps?.of
  const detail = call.steps?.step === step
    ? `Step ${step} of ${of} did not run, for the state or its approvals are not those that were shown (${why})`
    : `Step ${step} of ${of} stopped the plan (${why}): this step did not run`
  if (call.question !== undefined) {
    await closeQuestion(deps.db, key.workspace_id, call.question, 'step_stopped', detail)
  }
  return endCall(call, failure('step_stopped', detail, { stopped_by: { step, why } }), deps.config.limits)
}
