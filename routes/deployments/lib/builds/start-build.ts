import type { Actor } from '../../../../db/audit.js'
import { lockApp, type LockedApp } from '../../../../db/deployments/apps.js'
import {
  countLive, findBuild, findDuplicate, insertBuild, lockQueuedPushes, type BuildRow, type NewBuild
} from '../../../../db/deployments/builds.js'
import { writeIn } from '../../../../db/deployments/progress.js'
import type { Trigger } from '../../../../db/deployments/tables.js'
import type { Db } from '../../../../db/index.js'
import { findAccount, requireWritable } from '../../../../lib/aws/accounts.js'
import type { AppBuilder } from '../../../../schemas/deployments/builders.js'
import {
  type DeployApp, type ExpectedTarget, type BuildStep, type StepName
} from '../../../../schemas/deployments/builds.js'
import { InvalidRequest, NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { isImage, namesCommit, pinned } from '../apps/resolve-target.js'
import { buildSeconds, imageOf } from './build-image.js'
import { type Deps, BuildNotDeployable, ImageMissing, QueueFull } from '../errors.js'

/** Seconds that a step may take. */
const timeouts: Record<StepName, number> = { checkout: 600, build: 1_800, push: 600, deploy: 1_800, verify: 600 }

/** A build has the steps that it takes: without a builder no image is built. */
const freshSteps = (builder: AppBuilder | null): BuildStep[] => {
  const names: StepName[] = ['checkout', ...builder ? ['build' as const] : [], 'deploy', 'verify']
  return names.map((name) => ({
    name,
    status: 'pending',
    started_at: null,
    finished_at: null,
    exit_code: null,
    error: null,
    timeout_s: name === 'build' && builder ? buildSeconds(builder) : timeouts[name]
  }))
}

/** @returns the step that runs */
export const runningStep = (steps: BuildStep[]): BuildStep | undefined =>
  steps.find(({ status }) => status === 'running')

/** @returns the steps with one of them changed */
export const withStep = (steps: BuildStep[], name: StepName, change: Partial<BuildStep>): BuildStep[] =>
  steps.map((step) => step.name === name ? { ...step, ...change } : step)

/** @returns the steps of a build that comes to its end while one of them runs; those not begun never will */
export const closeSteps = (steps: BuildStep[], how: 'failed' | 'cancelled', error: string | null): BuildStep[] =>
  steps.map((step) => {
    if (step.status === 'running') return { ...step, status: how, error, finished_at: new Date() }
    return step.status === 'pending' ? { ...step, status: how === 'cancelled' ? 'cancelled' : 'skipped' } : step
  })

/** The job's name; its data only names the app. */
export const buildJob = 'deployments.build'

const maxQueued = 25

export interface Input extends Omit<DeployApp, 'force'> {
  force?: boolean
  trigger?: Trigger
  commit_message?: string | null
}

export interface Started { row: BuildRow, deduplicated: boolean }

type What = Pick<NewBuild, 'trigger' | 'ref' | 'commit' | 'commit_message' | 'requested_image' | 'rollback_of'>

const requireOneSource = (input: Input) => {
  if (input.rollback_to === undefined) return
  const others = (['ref', 'commit', 'image'] as const).filter((name) => input[name] !== undefined)
  if (others.length === 0) return
  const message = 'excludes rollback_to'
  throw InvalidRequest(`${others.join(' and ')} ${message}`,
    { errors: others.map((name) => ({ pointer: `/${name}`, code: 'exclusive', message })) })
}

const requireImage = (app: LockedApp, input: Input) => {
  if (input.image !== undefined && !isImage(input.image)) {
    const message = 'is no image that a registry could hold'
    throw InvalidRequest(`/image ${message}`, { errors: [{ pointer: '/image', code: 'image', message }] })
  }
  if (input.rollback_to === undefined && input.image === undefined && app.image === null) throw ImageMissing()
}

const ofEarlier = async (trx: Db, app: LockedApp, id: string): Promise<What> => {
  const earlier = await findBuild(trx, app.workspace_id, app.id, id)
  if (!earlier) throw NotFound(`The app has no build ${id}`)
  if (earlier.status !== 'succeeded' || earlier.image === null) {
    throw BuildNotDeployable(`Build ${earlier.number} is ${earlier.status}`)
  }
  const { ref, commit, commit_message, image, image_digest } = earlier
  const requested = pinned(image, image_digest)
  return { trigger: 'rollback', ref, commit, commit_message, requested_image: requested, rollback_of: id }
}

const whatOf = async (trx: Db, app: LockedApp, input: Input): Promise<What> => {
  if (input.rollback_to !== undefined) return ofEarlier(trx, app, input.rollback_to)
  return {
    trigger: input.trigger ?? 'manual',
    ref: input.ref ?? input.commit ?? app.source.default_branch,
    commit: input.commit ?? null,
    commit_message: input.commit_message ?? null,
    requested_image: input.image ?? null,
    rollback_of: null
  }
}

/** The newest push wins: what waits for an older one would be built for nothing. */
const supersede = async (trx: Db, pushes: BuildRow[], by: string) => {
  for (const row of pushes) {
    const change = { status: 'superseded', superseded_by: by, steps: closeSteps(row.steps, 'cancelled', null) } as const
    const data = { status: 'superseded', status_reason: null } as const
    await writeIn(trx, row, change, [{ event: 'status', data }, { event: 'end', data }], { ends: true })
  }
}

/** @returns the part of the approved facts that is compared with the target right before it is deployed to */
const toExpected = (facts: Input['expected']): ExpectedTarget | null => {
  const {
    task_definition = null, deployment_id = null, revision_id = null, alias_revision_id = null, after_build = null,
    image_digest = null
  } = facts ?? {}
  const names = [task_definition, deployment_id, revision_id, alias_revision_id, image_digest].some((name) => name !== null)
  return names ? { task_definition, deployment_id, revision_id, alias_revision_id, after_build, image_digest } : null
}

/**
 * @returns the image of a build without a builder, where it is known before its commit is looked up: an instance of the
 * last release, which has no step that names it, deploys it as well
 */
const nameKnownImage = (row: BuildRow): { image?: string } => {
  const isKnown = row.requested_image !== null || !namesCommit(row.template) || /^[0-9a-f]{40}$/.test(row.commit ?? '')
  return row.builder === null && isKnown ? { image: imageOf(row) } : {}
}

const add = async (trx: Db, app: LockedApp, actor: Actor, what: What, input: Input): Promise<Started> => {
  const { workspace_id, id } = app
  const pushes = what.trigger === 'push' ? await lockQueuedPushes(trx, workspace_id, id) : []
  const waiting = await countLive(trx, workspace_id, id, ['queued']) - pushes.length
  if (waiting >= maxQueued) throw QueueFull(`${waiting} builds wait; cancel some, or wait`)
  const builder = what.requested_image === null ? app.builder : null
  const row = await insertBuild(trx, {
    ...what,
    workspace_id,
    app_id: id,
    target: app.target,
    template: app.image,
    builder,
    repo: app.source.repo,
    actor: actor.name,
    principal: actor,
    expected: toExpected(input.expected),
    steps: freshSteps(builder)
  })
  await supersede(trx, pushes, row.id)
  const written = await writeIn(trx, row, nameKnownImage(row),
    [{ event: 'status', data: { status: 'queued', status_reason: null } }])
  return { row: written ?? row, deduplicated: false }
}

const requireWritableTarget = async (trx: Db, { workspace_id, cloud_account_id: id }: LockedApp): Promise<void> => {
  const account = await findAccount(trx, workspace_id, id)
  if (account) requireWritable(account)
}

/**
 * Stores a build, or finds a live one that does the same, then enqueues the job. If the job is lost, the sweep finds
 * the row.
 * @throws not_found, cloud_account_read_only, stale_revision, image_missing, build_queue_full, build_not_deployable
 */
export const startBuild = async (deps: Pick<Deps, 'db' | 'jobs' | 'log'>, workspaceId: string, appId: string,
  actor: Actor, input: Input, revisions?: number[]): Promise<Started> => {
  requireOneSource(input)
  const started = await deps.db.transaction().execute(async (trx) => {
    const app = await lockApp(trx, workspaceId, appId)
    if (!app) throw NotFound()
    if (revisions && !revisions.includes(app.revision)) throw explainMiss({ revision: app.revision })
    await requireWritableTarget(trx, app)
    requireImage(app, input)
    const what = await whatOf(trx, app, input)
    const duplicate = input.force ? undefined : await findDuplicate(trx, workspaceId, appId, what)
    return duplicate ? { row: duplicate, deduplicated: true } : add(trx, app, actor, what, input)
  })
  // Not inside the transaction: the queue may read through a second connection, and the embedded database has one.
  if (!started.deduplicated) {
    await deps.jobs.enqueue(deps.db, buildJob, { workspace_id: workspaceId, app_id: appId })
      .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'job of a build not enqueued'))
  }
  return started
}
