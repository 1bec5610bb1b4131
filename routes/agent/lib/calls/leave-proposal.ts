import { insertProposal } from '../../../../db/agent/firings.js'
import { ApiError } from '../../../../schemas/errors.js'
import { Stopping } from '../../../../lib/durable/errors.js'
import { proposeToolCall } from './propose-tool-call.js'
import type { Proposal } from '../plans/propose-call.js'
import { failure, type Outcome } from '../run/results.js'
import type { Deps, RunState } from '../run/run-state.js'

export type Question = Extract<Proposal, { kind: 'ask' | 'run' }>

/**
 * Leaves a write in the inbox of the person for whom a run acts that nobody reads along: in a run of its own, so that
 * this one goes on to its report. Proposed again after a crash, it is the same call.
 * @returns what the model reads: the write was not executed
 */
export const leaveProposal = async (deps: Deps, { principal, key, title }: RunState, firing: string,
  { plan }: Question, name: string): Promise<Outcome> => {
  try {
    const id = await proposeToolCall(deps, deps.engine, principal, {
      name, arguments: plan.arguments
    }, {
      opening: `A run that a schedule or an alert began proposed the call that follows: session ${key.session_id}.`,
      triggered: true,
      title: `proposed by ${title ?? 'a trigger'}`.slice(0, 120).toWellFormed(),
      keep: (trx, made) => insertProposal(trx, key.workspace_id, { firing_id: firing, ...made })
    })
    return {
      ...failure('left_for_approval', 'It was not executed here. It waits in the person\'s inbox, unless policies ' +
        'let it run, and lapses when it expires or the alert is resolved. Go on with the report.',
      { tool_call_id: id, summary: plan.summary }),
      status: 'denied'
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Stopping) throw error
    return failure(error.code, error.message)
  }
}
