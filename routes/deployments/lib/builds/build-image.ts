import type { BuildRow } from '../../../../db/deployments/builds.js'
import { findAccount } from '../../../../lib/aws/accounts.js'
import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import type { AppBuilder } from '../../../../schemas/deployments/builders.js'
import { ApiError } from '../../../../schemas/errors.js'
import { fillTemplate, pinned, placeOf } from '../apps/resolve-target.js'
import { AccountNotFound, type Deps } from '../errors.js'
import { buildByActions } from './build-by-actions.js'
import { buildByCodeBuild } from './build-by-codebuild.js'
import { buildByImage } from './build-by-image.js'
import type { Asked, Begun, Builder, Building, Shown } from './builder.js'
import { Cancelled, pause, StepFailed, TimedOut, type StepContext } from './build-state.js'

const builders: { [Kind in AppBuilder['kind']]: Builder<Extract<AppBuilder, { kind: Kind }>> } = {
  image: buildByImage,
  actions: buildByActions,
  codebuild: buildByCodeBuild
}

/** @returns the builder of a setting: the kind of the one is that of the other */
const builderOf = (setting: AppBuilder): Builder<AppBuilder> => builders[setting.kind] as Builder<AppBuilder>

const graceSeconds = 300

/** @returns seconds for the step that builds: its builder ends it before */
export const buildSeconds = (setting: AppBuilder): number => builderOf(setting).minutes(setting) * 60 + graceSeconds

export const planBuilder = (deps: Deps, asked: Asked<AppBuilder>): Promise<Shown> =>
  builderOf(asked.setting).plan(deps, asked)

/** @returns the account and the region in which an app runs. @throws cloud_account_not_found */
export const readPlace = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, target: AppTarget) => {
  const { account: id, region } = placeOf(target)
  const account = await findAccount(db, workspaceId, id)
  if (!account) throw AccountNotFound()
  return { account, region }
}

const firstMs = 500
const maxMs = 10_000

/** A provider that fails or limits is asked again: the build goes on there all the same. */
const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.statusCode === 429 || error.statusCode >= 500)

const lostWords = 'A run was asked for and no answer came: whether it began is not known. Look there before building again'

const msSinceStep = ({ state: { row } }: StepContext): number => {
  const began = row.steps.find(({ name }) => name === 'build')?.started_at
  return began ? Date.now() - new Date(began).getTime() : 0
}

/**
 * Finds what was begun by a worker that did not write it down; where it is not found, and the provider knows a start
 * that it has had, it is sent again.
 * @throws StepFailed when neither says whether it has begun
 */
const findLost = async (building: Building<AppBuilder>, builder: Builder<AppBuilder>): Promise<Begun> => {
  const { limits } = building.deps.config
  const since = Date.now()
  for (let ms = firstMs; Date.now() - since < limits.lease_ms; ms = Math.min(ms * 2, maxMs)) {
    const found = await builder.find?.(building).catch((error: unknown) => {
      if (!isPassing(error)) throw error
      return undefined
    })
    if (found) return found
    if (!building.state.cancelling && msSinceStep(building) < (builder.repeatableMs ?? 0)) {
      const begun = await builder.start?.(building).catch((error: unknown) => {
        if (!isPassing(error)) throw error
        return undefined
      })
      if (begun) return begun
    }
    await pause(ms, building.signal)
  }
  throw new StepFailed(lostWords)
}

/** Sends it once: that it is sent is written down before, what it is called after. */
const begin = async (building: Building<AppBuilder>, builder: Builder<AppBuilder>): Promise<void> => {
  const { state, deps } = building
  const { row: { run } } = state
  if (!builder.start || (run && run.id !== null)) return
  if (state.cancelling && !run) throw new Cancelled('Nothing had been begun')
  let begun: Begun | undefined
  if (!run) {
    await state.write({ run: { id: null, url: null, read: {} } })
    deps.failpoint('build.before_run')
    begun = await builder.start(building).catch((error: unknown) => {
      // Whoever refuses has begun nothing; another error says nothing of it.
      if (error instanceof StepFailed || (error instanceof ApiError && error.statusCode < 500)) throw error
      return undefined
    })
    deps.failpoint('build.after_run')
  }
  await state.write({ run: { ...begun ?? await findLost(building, builder), read: {} } })
}

const deadlineOf = (context: StepContext, minutes: number): number =>
  Date.now() - msSinceStep(context) + minutes * 60_000

/** Stops what was begun, and looks until it has ended. */
const stop = async (building: Building<AppBuilder>, builder: Builder<AppBuilder>): Promise<void> => {
  if (!builder.cancel) return
  await builder.cancel(building)
  const { limits } = building.deps.config
  for (const since = Date.now(); Date.now() - since < limits.lease_ms; await pause(firstMs, building.signal)) {
    try {
      if (await builder.look(building)) return
    } catch (error) {
      if (error instanceof StepFailed) return
      if (!isPassing(error)) throw error
    }
  }
}

const lookOn = async (building: Building<AppBuilder>, builder: Builder<AppBuilder>): Promise<string> => {
  const { state, log, signal } = building
  const deadline = deadlineOf(building, builder.minutes(building.setting))
  let trouble = ''
  for (let ms = firstMs; ; ms = Math.min(ms * 1.5, maxMs)) {
    if (state.cancelling) {
      await stop(building, builder)
      throw new Cancelled('What built the image was stopped, and nothing was deployed')
    }
    const found = await builder.look(building).catch(async (error: unknown) => {
      if (!isPassing(error)) throw error
      if (error.code !== trouble) await log(`${error.code}: ${error.message}; asking again`)
      trouble = error.code
      return undefined
    })
    if (found) return found.digest
    if (Date.now() >= deadline) {
      await stop(building, builder)
      throw new TimedOut(builder.tooLate(building))
    }
    await pause(Math.min(ms, Math.max(deadline - Date.now(), 1)), signal)
  }
}

/** @returns the name that the template gives the image of a build */
export const imageOf = (row: Pick<BuildRow, 'requested_image' | 'template' | 'commit' | 'ref' | 'number'>): string =>
  row.requested_image ?? fillTemplate(row.template ?? '', row)

/** Has the image made by the app's builder: what is deployed is the digest that this ends with. */
export const buildImage = async (context: StepContext, setting: AppBuilder): Promise<'succeeded'> => {
  const { deps, state, log } = context
  const { row } = state
  const builder = builderOf(setting)
  const place = await readPlace(deps, row.workspace_id, row.target)
  const building = { ...context, setting, ...place, image: row.image ?? imageOf(row) }
  await begin(building, builder)
  const digest = await lookOn(building, builder)
  const approved = row.expected?.image_digest
  if (approved && !builder.start && approved !== digest) {
    throw new StepFailed(`${building.image} was ${approved} when the build was approved, and is ${digest} now: the tag has ` +
      'moved. Nothing was deployed')
  }
  await state.write({ image: pinned(building.image, digest), image_digest: digest })
  await log(`The image is ${digest}: this digest is deployed, whatever its tag names later`)
  return 'succeeded'
}
