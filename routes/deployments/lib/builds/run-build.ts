import type { BuildRow } from '../../../../db/deployments/builds.js'
import type { BuildChange } from '../../../../db/deployments/progress.js'
import type { Db } from '../../../../db/index.js'
import { LostTooOften } from '../../../../lib/durable/errors.js'
import { buildFailedJob, type BuildFailure } from '../../../../schemas/deployments/build-failures.js'
import type { BuildStep, StepName } from '../../../../schemas/deployments/builds.js'
import { Cancelled, StepFailed, Superseded, TimedOut, type BuildState, type StepContext } from './build-state.js'
import type { Deps } from '../call-route.js'
import { endEvents } from './cancel-build.js'
import { deploy } from './deploy-image.js'
import { asFailure, build, checkout, push } from './prepare-image.js'
import { closeSteps, runningStep, withStep } from './steps.js'
import { verify } from './verify-target.js'
import { messageOf } from '../../../../schemas/thrown.js'

type Work = (context: StepContext) => Promise<'succeeded' | 'skipped'>

const works: Record<StepName, Work> = { checkout, build, push, deploy, verify }

/** Rejects when the signal aborts, even if the work ignores it. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => new Promise((resolve, reject) => {
  const onAbort = () => {
    const reason: Error = signal.reason
    reject(reason)
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
})

/** A step taken up again after a shutdown has what is left of its time. */
const timeLeft = ({ started_at: began, timeout_s: seconds }: BuildStep): number =>
  seconds * 1_000 - (began ? Date.now() - new Date(began).getTime() : 0)

const runStep = async (deps: Deps, state: BuildState, step: BuildStep): Promise<void> => {
  const { name } = step
  const began = step.started_at ?? new Date()
  await state.writeStep(withStep(state.row.steps, name, { status: 'running', started_at: began }), name)
  deps.failpoint('build.step')
  const time = new AbortController()
  const timer = setTimeout(() => {
    time.abort(new TimedOut(`${name} took longer than ${step.timeout_s} s`))
  }, Math.max(timeLeft(step), 0))
  const signal = AbortSignal.any([time.signal, state.abort.signal])
  try {
    const work = works[name]({ deps, state, signal, log: (text) => state.log(name, text) })
    const status = await untilAborted(work, signal)
    await state.writeStep(withStep(state.row.steps, name, { status, finished_at: new Date() }), name)
  } finally {
    clearTimeout(timer)
  }
}

const unforeseen = 'Something went wrong here'

const endingOf = (state: BuildState, error: unknown): BuildChange => {
  const { steps } = state.row
  const failed = asFailure(error)
  if (failed instanceof Cancelled) {
    const closed = closeSteps(steps, 'cancelled', failed.message)
    return { status: 'cancelled', status_reason: 'user_cancel', steps: closed }
  }
  if (failed instanceof Superseded) {
    return {
      status: 'superseded', status_reason: 'target_changed', steps: closeSteps(steps, 'failed', failed.message)
    }
  }
  if (failed instanceof TimedOut) {
    // A build that is being cancelled can only become cancelled, succeeded or failed.
    const status = state.cancelling ? 'failed' : 'timed_out'
    return { status, status_reason: 'step_timeout', steps: closeSteps(steps, 'failed', failed.message) }
  }
  const known = failed instanceof StepFailed
  const message = known ? failed.message : unforeseen
  return {
    status: 'failed',
    status_reason: known ? failed.reason : 'step_failed',
    steps: closeSteps(steps, 'failed', message)
  }
}

const isFailure = ({ status }: BuildChange): boolean => status === 'failed' || status === 'timed_out'

/** Reports a failed build to the areas that wait for one, together with the end of the build. */
const reportFailure = ({ jobs }: Deps) => (trx: Db, row: BuildRow): Promise<void> => {
  const { workspace_id, app_id, id: build_id, number, status, status_reason, ref, commit } = row
  const failure: BuildFailure =
    { workspace_id, app_id, build_id, number, status, status_reason, branch: ref, commit }
  return jobs.enqueue(trx, buildFailedJob, failure)
}

const end = async (deps: Deps, state: BuildState, change: BuildChange) => {
  // The queue has started before the transaction begins: see `enqueue`.
  if (isFailure(change)) await deps.jobs.start()
  await state.write(change, endEvents(state.row.steps, change), { ends: true },
    isFailure(change) ? reportFailure(deps) : undefined)
}

/** No process is left that knows what the step had begun. */
const endLost = async (deps: Deps, state: BuildState): Promise<void> => {
  const why = 'Its worker stopped answering; a deployment that was begun may go on'
  await end(deps, state, {
    status: 'failed', status_reason: 'worker_lost', steps: closeSteps(state.row.steps, 'failed', why)
  })
}

/** Writes the end of a build that an error means. */
export const failBuild = async (deps: Deps, state: BuildState, error: unknown): Promise<void> => {
  if (error instanceof LostTooOften) return endLost(deps, state)
  const change = endingOf(state, error)
  const running = runningStep(state.row.steps)
  const why = change.steps?.find(({ name }) => name === running?.name)?.error
  if (why === unforeseen) deps.log.error({ build: state.row.id, reason: messageOf(error) }, 'a build failed')
  if (running && why) await state.log(running.name, why)
  await end(deps, state, change)
}

const isOpen = ({ status }: BuildStep): boolean => status === 'pending' || status === 'running'

/** Carries a build to its end, step by step. */
export const runBuild = async (deps: Deps, state: BuildState): Promise<void> => {
  for (let step = state.row.steps.find(isOpen); step; step = state.row.steps.find(isOpen)) {
    await runStep(deps, state, step)
  }
  const latestOnly = state.row.target.kind === 'lambda' ? 'latest_only' : null
  await end(deps, state, { status: 'succeeded', status_reason: state.cancelling ? 'cancelled_too_late' : latestOnly })
}
