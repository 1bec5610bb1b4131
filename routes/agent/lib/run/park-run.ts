import { wakeRun } from '../../../../db/agent/confirmations.js'
import { isUndecided, listParkedQuestions, supersedeParked, type ParkedQuestion } from '../../../../db/agent/parked.js'
import type { Db } from '../../../../db/index.js'
import type { NewChatEvent, Target } from '../../../../schemas/agent/events.js'
import { closingMessage, commit } from './commit.js'
import type { Deps, OpenCall, RunState } from './run-state.js'

/** Goes on with a parked run that was decided about. */
export const resumeJob = 'agent.resume-run'

/** Seconds until the next try, where the session is not free. */
export const resumePause = 3

/** What decided about a run came before the message that the run was to be parked for. */
export class Decided extends Error {}

export const isOpen = (call: OpenCall): boolean => call.result_model === null

const stillWaits = ({ id, name, effect, effective_input, input }: OpenCall): NewChatEvent => ({
  event: 'tool_call',
  data: {
    tool_call_id: id,
    name,
    arguments: effective_input ?? input ?? {},
    effect,
    status: 'awaiting_confirmation',
    still_waits: true
  }
})

/**
 * Lets the conversation of a run that waits go on without it. The model gets the results of its calls; of those that
 * wait, that they do. The questions stay as they are: whoever decides one later wakes the run.
 * @throws Decided when there is something to do of it by now
 */
export const parkRun = async (deps: Deps, state: RunState): Promise<void> => {
  const first = async (trx: Db) => {
    if (!await isUndecided(trx, state.key)) throw new Decided()
  }
  const results = closingMessage(state, [], 'waits')
  deps.failpoint('park.before_commit')
  await commit({ db: deps.db, unnumbered: deps.unnumbered, first }, state, {
    status: 'parked', reason: 'parked', messages: results ? [results] : []
  }, state.calls.filter(isOpen).map(stillWaits))
  deps.failpoint('park.after_commit')
}

/** In the transaction that decides: the run goes on, at once or when its session is free, whoever is lost meanwhile. */
export const wakeWaiting = async (deps: Pick<Deps, 'jobs'>, trx: Db, workspaceId: string, runId: string):
Promise<void> => {
  if (await wakeRun(trx, workspaceId, runId)) await resumeLater(deps, trx, workspaceId, runId)
}

export const resumeLater = (deps: Pick<Deps, 'jobs'>, trx: Db, workspaceId: string, runId: string): Promise<void> =>
  deps.jobs.enqueue(trx, resumeJob, { workspace_id: workspaceId, run_id: runId }, { startAfter: resumePause })

const isSame = (a: Target | null, b: Target | null | undefined): boolean =>
  a !== null && !!b && a.kind === b.kind && a.id === b.id

/**
 * Of what waits beside the conversation, a new write on the same target takes the place.
 * @returns what closes it, in the transaction that stores the new write; undefined when nothing waits there
 */
export const replacingParked = async (deps: Deps, { kind, key }: RunState,
  targets: readonly (Target | null | undefined)[]): Promise<((trx: Db) => Promise<void>) | undefined> => {
  if (kind !== 'chat' || targets.length === 0) return undefined
  const { workspace_id: workspaceId, user_id, session_id, run_id } = key
  const waiting: ParkedQuestion[] = await listParkedQuestions(deps.db, workspaceId, user_id, session_id)
  const replaced = waiting.filter((question) => question.run_id !== run_id &&
    targets.some((target) => isSame(question.target, target)))
  if (replaced.length === 0) return undefined
  return async (trx) => {
    for (const question of replaced) {
      if (await supersedeParked(trx, workspaceId, question)) await resumeLater(deps, trx, workspaceId, question.run_id)
    }
  }
}
