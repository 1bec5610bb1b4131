import type { BuildRow } from '../../../../db/deployments/builds.js'
import type { BuildChange } from '../../../../db/deployments/progress.js'
import type { Db } from '../../../../db/index.js'
import { LostTooOften } from '../../../../lib/durable/kind.js'
import type { RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import {
  buildFailedJob, type BuildFailure, type BuildStep, type StepName
} from '../../../../schemas/deployments/builds.js'
import { ApiError } from '../../../../schemas/errors.js'
import { messageOf, fieldsOf } from '../../../../schemas/unknown.js'
import { digestOf, isImage, namesCommit } from '../apps/resolve-target.js'
import { type Deps, callArea } from '../errors.js'
import { buildImage, imageOf } from './build-image.js'
import { Cancelled, StepFailed, Superseded, TimedOut, type BuildState, type StepContext } from './build-state.js'
import { endEvents } from './cancel-build.js'
import { deploy } from './deploy-image.js'
import { closeSteps, runningStep, withStep } from './start-build.js'
import { verify } from './verify-target.js'

/** The commit; or why it is unknown, and whether the build must fail without it. */
export type FoundCommit = { sha: string, headline: string | null } |
  { why: string, fatal: 'always' | 'where needed' | 'never' }

const commitsRoute = '/codehost/repos/:repo_id/commits'
const maxHeadline = 500

type Get = (url: string) => Promise<RouteAnswer>

/** @returns the items of a list of the API; none for any other body */
const itemsOf = ({ body }: RouteAnswer) => (Array.isArray(body.items) ? body.items : []).map(fieldsOf)

/** A temporary answer: an error of the code host, its rate limit, or stale data. */
const isTransient = ({ status, body }: RouteAnswer): boolean => status >= 500 || status === 429 || body.stale === true

const reasonOf = ({ body }: RouteAnswer): string =>
  String(body.code ?? (body.stale ? 'codehost_rate_limited' : 'there is none, or you may not see it'))

/** Codes of an actor without access to a code host, who builds by refs. */
const noAccessCodes = ['codehost_not_configured', 'codehost_not_connected', 'insufficient_scope', 'insufficient_role']

const unresolved = (what: string, answer: RouteAnswer): FoundCommit => ({
  why: `The code host has no answer for ${what}: ${reasonOf(answer)}`,
  fatal: noAccessCodes.includes(String(answer.body.code)) ? 'never' : 'where needed'
})

/** @returns the numeric id of a repository that is named by its id or its name */
const findId = async (get: Get, repo: string): Promise<string | RouteAnswer> => {
  if (/^[1-9]\d{0,18}$/.test(repo)) return repo
  const answer = await get(`/codehost/repos?full_name=${encodeURIComponent(repo)}`)
  const [found] = itemsOf(answer)
  return typeof found?.id === 'string' && !isTransient(answer) ? found.id : answer
}

const headlineOf = ({ headline }: Record<string, unknown>): string | null =>
  typeof headline === 'string' ? headline.slice(0, maxHeadline).toWellFormed().replaceAll('\0', '') : null

const readCommit = async (get: Get, repo: string, ref: string): Promise<FoundCommit> => {
  const id = await findId(get, repo)
  if (typeof id !== 'string') return unresolved(`the repository ${repo}`, id)
  const answer = await get(`/codehost/repos/${id}/commits?ref=${encodeURIComponent(ref)}&limit=1`)
  const [commit] = itemsOf(answer)
  if (typeof commit?.sha === 'string' && !isTransient(answer)) return { sha: commit.sha, headline: headlineOf(commit) }
  if (answer.body.code === 'codehost_not_found') {
    return { why: `${repo} has no branch, tag or commit ${ref}`, fatal: 'always' }
  }
  return unresolved(`the commit of ${ref}`, answer)
}

const isThere = ({ hasRoute }: Pick<Deps, 'hasRoute'>) => hasRoute({ method: 'GET', url: commitsRoute })

/** @returns the commit of a branch, a tag or a short hash, as the actor of the build sees it */
const findCommit = async ({ deps, state: { row } }: StepContext, ref: string): Promise<FoundCommit> => {
  if (!isThere(deps)) return { why: 'No code host is connected', fatal: 'never' }
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  return readCommit((url) => callArea(deps, principal, { url }), row.repo, ref)
}

/**
 * Finds out which commit is built. A build names a commit only once the code host has shown it: also that of a push,
 * whose signature says who has sent it and not that its commit exists.
 */
const checkout = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { state, log } = context
  const { row } = state
  if (row.rollback_of !== null) {
    await log(row.commit === null ? 'The earlier build has no commit' : `Commit ${row.commit}, as the earlier build had it`)
    return row.commit === null ? 'skipped' : 'succeeded'
  }
  const found = await findCommit(context, row.commit ?? row.ref)
  if ('sha' in found && row.commit !== null && !found.sha.startsWith(row.commit)) {
    throw new StepFailed(`${row.repo} has no commit ${row.commit}`)
  }
  if ('sha' in found) {
    await state.write({ commit: found.sha, commit_message: found.headline })
    await log(`${row.commit ?? row.ref} is commit ${found.sha}`)
    return 'succeeded'
  }
  await log(found.why)
  // An unknown commit is not guessed where the image depends on it: another image would run.
  const needed = row.trigger === 'push' || (row.requested_image === null && namesCommit(row.template))
  if (found.fatal === 'always' || (found.fatal === 'where needed' && needed)) throw new StepFailed(found.why)
  if (row.trigger === 'push' && row.commit !== null) throw new StepFailed(`${found.why}; a push is not taken on trust`)
  await log(`The commit is not known; ${row.commit ?? row.ref} stands for it in the name of the image`)
  // The name of the image keeps what was asked for, and nothing says that it is a commit.
  if (row.commit !== null) await state.write({ commit: null, image: imageOf(row) })
  return 'skipped'
}

/** Says which image is deployed where none is built; the deploy routes refuse what its registry does not have. */
const nameImage = async ({ state, log }: StepContext): Promise<void> => {
  const { row } = state
  const image = row.image ?? imageOf(row)
  if (!isImage(image)) throw new StepFailed(`${image} is no image that a registry could hold`)
  const named = row.rollback_of ? 'the image of an earlier build' : 'as asked for'
  const why = row.requested_image === null ? `by ${row.template}` : named
  await state.write({ image, image_digest: digestOf(image) })
  await log(`No image is built: the image given is deployed. It is ${image}, ${why}`)
}

/** Finds the commit and, where no image is built, the image: a build without a builder has no step for it. */
export const findSource = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const status = await checkout(context)
  const { steps, builder, image, ref } = context.state.row
  if (!steps.some(({ name }) => name === 'build')) await nameImage(context)
  // An image that somebody else pushes can be awaited by the name of a commit that no code host shows, and CodeBuild
  // finds a commit by its whole hash.
  const isNamed = image !== null &&
    (builder?.kind === 'image' || (builder?.kind === 'codebuild' && /^[0-9a-f]{40}$/.test(ref)))
  if (builder && status === 'skipped' && !isNamed) {
    throw new StepFailed('The commit is not known, so no image of it can be built')
  }
  return status
}

/** A build that an earlier release has queued has this step, and nothing that builds. */
const build = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { builder } = context.state.row
  if (builder) return buildImage(context, builder)
  await nameImage(context)
  return 'skipped'
}

/** @returns a failed step for an error of the API, and the error itself for any other */
const asFailure = (error: unknown): unknown =>
  error instanceof ApiError ? new StepFailed(`${error.code}: ${error.message}`) : error

type Work = (context: StepContext) => Promise<'succeeded' | 'skipped'>

const works: Record<StepName, Work> = { checkout: findSource, build, push: async () => 'skipped', deploy, verify }

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
      status: 'superseded',
      status_reason: failed.why.reason,
      ...(failed.why.by !== undefined && { superseded_by: failed.why.by }),
      steps: closeSteps(steps, 'failed', failed.message)
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
  const { target } = state.row
  const latestOnly = target.kind === 'lambda' && target.alias === undefined ? 'latest_only' : null
  await end(deps, state, { status: 'succeeded', status_reason: state.cancelling ? 'cancelled_too_late' : latestOnly })
}
