import { findBuild } from '../../../../db/deployments/builds.js'
import { bodyOf, errorOf } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import type { LambdaTarget } from '../../../../schemas/deployments/apps.js'
import type { TargetState } from '../../../../schemas/deployments/builds.js'
import { describeVersions } from '../../../../lib/aws/function-aliases.js'
import {
  FunctionAliasMove, FunctionDeployment, ServerlessFunction, type FunctionAlias
} from '../../../../schemas/infrastructure/functions.js'
import { digestOf, functionUrl } from '../apps/resolve-target.js'
import { callArea } from '../errors.js'
import { ApiError } from '../../../../schemas/errors.js'
import { Cancelled, pause, StepFailed, Superseded, type StepContext } from './build-state.js'
import { publishedOf } from './cancel-build.js'
import { sendDeploy } from './send-deploy.js'

/**
 * @returns on which state of the target the build was approved: behind a build that was shown as under way, on what that
 * one has left; undefined where it was approved on none
 */
export const expectedOf = async ({ deps, state: { row } }: StepContext): Promise<TargetState | undefined> => {
  const { expected, workspace_id, app_id } = row
  if (!expected) return undefined
  const before = expected.after_build === null
    ? undefined
    : await findBuild(deps.db, workspace_id, app_id, expected.after_build)
  return before?.status === 'succeeded' && before.verified ? before.verified : expected
}

const againMs = 1_000

/**
 * @param qualifier a version or an alias; without one $LATEST
 * @returns the function as it is now; undefined while AWS does not answer
 */
export const readTarget = async ({ deps, state: { row } }: StepContext, { function_id: id }: LambdaTarget,
  qualifier?: string): Promise<ServerlessFunction | undefined> => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const query = qualifier === undefined ? '' : `?qualifier=${encodeURIComponent(qualifier)}`
  const answer = await callArea(deps, principal, { url: `${functionUrl(id)}${query}` })
  return answer.status === 429 || answer.status >= 500 ? undefined : bodyOf(answer, ServerlessFunction)
}

/**
 * A tag may have named another image before: only a digest shows by itself that the image was sent, a tag together with
 * the revision.
 * @param before the revision before this worker sent it; undefined where that is not known
 */
const findSent = async (context: StepContext, target: LambdaTarget, image: string, before?: string | null) => {
  const found = await readTarget(context, target)
  const isChanged = typeof before === 'string' && typeof found?.revision_id === 'string' && found.revision_id !== before
  if (found?.image !== image || !(digestOf(image) !== null || isChanged)) return undefined
  const { id: function_id, last_update } = found
  return { status: 202, body: { function_id, image, previous_image: null, last_update } }
}

/** Waits until Lambda has taken the image over. @throws StepFailed when it could not */
const settle = async (context: StepContext, target: LambdaTarget, image: string): Promise<void> => {
  for (;; await pause(againMs, context.signal)) {
    const update = (await readTarget(context, target))?.last_update
    if (!update || update.status === 'in_progress') continue
    if (update.status === 'successful') return
    throw new StepFailed(`Lambda could not take ${image} over: ${update.reason ?? 'no reason given'}`)
  }
}

/**
 * A change of a function cannot be stopped; it can be undone, where it is known what was there, and while the function
 * still is what this build has made of it.
 */
const goBack = async (context: StepContext, target: LambdaTarget, image: string): Promise<never> => {
  const { deps, state: { row }, log } = context
  const now = await readTarget(context, target)
  if (now && now.image !== null && now.image !== row.image) {
    throw new StepFailed(`Cancelled, but the function is made of ${now.image} by now, so it stays as it is`)
  }
  await log(`Cancelled: the function goes back to ${image}`)
  const principal = await currentPrincipal(deps, row.workspace_id, row.cancel_principal ?? row.principal)
  const answer = await callArea(deps, principal, {
    method: 'POST',
    url: `${functionUrl(target.function_id)}/deploy`,
    payload: { image, ...(now?.revision_id && { revision_id: now.revision_id }) },
    key: `${row.id}.cancel`
  })
  if (answer.status !== 202) throw errorOf(answer)
  await settle(context, target, image)
  throw new Cancelled(`The function is back at ${image}`)
}

/**
 * Gives $LATEST the image through the route that a person would call, and waits until Lambda has taken it over.
 * @throws StepFailed, Cancelled, and what the route answers
 */
const deployLatest = async (context: StepContext, target: LambdaTarget): Promise<void> => {
  const { state, log } = context
  const image = String(state.row.image)
  const [expected, before] = await Promise.all([expectedOf(context), readTarget(context, target)])
  const revision = expected?.revision_id ?? undefined
  const shown = expected?.alias_revision_id ?? undefined
  // After a takeover the function shows whether the image was sent before.
  const sent = state.cancelling && before?.image === image
  const { previous_image: previous } = await sendDeploy(context, {
    url: `${functionUrl(target.function_id)}/deploy`,
    payload: {
      image,
      ...(revision !== undefined && { revision_id: revision }),
      ...(target.alias !== undefined && shown !== undefined && { alias_revision: { name: target.alias, revision_id: shown } })
    },
    operation: 'deployFunction',
    busy: 'function_update_in_progress',
    waitsFor: () => 'Waits: another change of the function is in progress',
    findSent: () => findSent(context, target, image, revision ?? before?.revision_id),
    sent
  }, FunctionDeployment)
  await log(`${target.function_id} takes ${image} over; before it was ${previous ?? 'an image that we may not see'}`)
  await settle(context, target, image)
  // This write also refreshes the row: it shows whether the build was cancelled meanwhile.
  await log(`Lambda has taken ${image} over`)
  if (!state.cancelling || previous === null) return
  if (previous === image) throw new Cancelled('The function runs the image that it ran before')
  await goBack(context, target, previous)
}

const aliasUrl = ({ function_id: id }: LambdaTarget, alias: string) =>
  `${functionUrl(id)}/aliases/${encodeURIComponent(alias)}/move`

/** @returns the alias of the function; undefined where it is not there, or may not be read */
export const aliasOf = ({ aliases }: ServerlessFunction, name: string): FunctionAlias | undefined =>
  aliases?.find((alias) => alias.name === name)

/** @throws StepFailed while somebody divides the calls of the alias: nothing has been sent then */
const requireUndivided = async (context: StepContext, target: LambdaTarget, name: string): Promise<void> => {
  const found = await readTarget(context, target)
  const { versions = [] } = (found && aliasOf(found, name)) ?? {}
  if (versions.length <= 1) return
  throw new StepFailed(`Alias ${name} divides its calls between ${describeVersions(versions)}: nothing was deployed`)
}

/** @returns the version that the earlier build has left, where this is a rollback and Lambda still has it */
const earlierVersion = async (context: StepContext, target: LambdaTarget): Promise<string | undefined> => {
  const { deps, state: { row } } = context
  if (row.rollback_of === null) return undefined
  const earlier = await findBuild(deps.db, row.workspace_id, row.app_id, row.rollback_of)
  const published = earlier && publishedOf(earlier)
  if (published?.function_id !== target.function_id) return undefined
  for (;; await pause(againMs, context.signal)) {
    try {
      if (await readTarget(context, target, published.version)) return published.version
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'function_not_found') throw error
      await context.log(`Version ${published.version} was deleted: its image is published again`)
      return undefined
    }
  }
}

/** @returns $LATEST, which has the image of the build. @throws Superseded where somebody has changed it since */
const readSent = async (context: StepContext, target: LambdaTarget): Promise<ServerlessFunction> => {
  const { image } = context.state.row
  for (;; await pause(againMs, context.signal)) {
    const found = await readTarget(context, target)
    if (!found) continue
    if (found.image === null || found.image === image) return found
    throw new Superseded(`The function is made of ${found.image} by now, not of ${image}: no version was published`)
  }
}

/** @returns what an earlier call of this build has done: the alias is at another revision, and leads to this code */
const findMoved = async (context: StepContext, target: LambdaTarget, alias: string, code: string | null,
  before: string | null) => {
  const found = await readTarget(context, target, alias)
  const moved = found && aliasOf(found, alias)
  if (!moved || moved.revision_id === before || code === null || found.code_sha256 !== code) return undefined
  const { id: function_id, version } = found
  return { status: 200, body: { function_id, alias, version, previous_versions: [], revision_id: moved.revision_id } }
}

/** @returns whether the alias leads to the image of the build */
const servesImage = async (context: StepContext, target: LambdaTarget, alias: string): Promise<boolean> => {
  const { image } = context.state.row
  const found = await readTarget(context, target, alias)
  if (!found || image === null) return false
  return found.image === image || (found.image_digest !== null && found.image_digest === digestOf(image))
}

/** Moves the alias back as the actor who cancelled the build. @throws Cancelled, StepFailed, and what the route answers */
const moveBack = async (context: StepContext, target: LambdaTarget, moved: FunctionAliasMove): Promise<never> => {
  const { deps, state: { row }, log } = context
  const { alias, revision_id, previous_versions: [previous, ...others] } = moved
  if (!previous || others.length > 0) throw new StepFailed(`Cancelled, but alias ${alias} stays at version ${moved.version}`)
  const { version } = previous
  await log(`Cancelled: alias ${alias} goes back to version ${version}`)
  const principal = await currentPrincipal(deps, row.workspace_id, row.cancel_principal ?? row.principal)
  const answer = await callArea(deps, principal, {
    method: 'POST',
    url: aliasUrl(target, alias),
    payload: { version, ...(revision_id !== null && { expected: { revision_id } }) },
    key: `${row.id}.cancel`
  })
  if (answer.status >= 300) throw errorOf(answer)
  throw new Cancelled(`Alias ${alias} is back at version ${version}; $LATEST keeps the image`)
}

/** `sent`: a worker before this one has moved it, so a cancel has something to undo. */
interface Move { alias: string, version: string | undefined, sent: boolean }

/**
 * Moves the alias to a version: the one to go back to, or a new one with the code of $LATEST.
 * @throws Cancelled, Superseded, StepFailed, and what the route answers
 */
const moveAlias = async (context: StepContext, target: LambdaTarget, { alias, version, sent }: Move): Promise<void> => {
  const { state, log } = context
  const [expected, next] = await Promise.all([
    expectedOf(context),
    version === undefined ? readSent(context, target) : readTarget(context, target, version)
  ])
  const revision = expected?.alias_revision_id ?? null
  const code = next?.code_sha256 ?? null
  const moved = await sendDeploy(context, {
    url: aliasUrl(target, alias),
    payload: {
      ...(version !== undefined && { version }),
      expected: { ...(revision !== null && { revision_id: revision }), ...(code !== null && { code_sha256: code }) }
    },
    operation: 'moveFunctionAlias',
    busy: 'function_update_in_progress',
    waitsFor: () => 'Waits: another change of the function is in progress',
    findSent: () => findMoved(context, target, alias, code, revision),
    sent
  }, FunctionAliasMove)
  const before = moved.previous_versions.length > 0 ? `; before it was ${describeVersions(moved.previous_versions)}` : ''
  // This write also refreshes the row: it shows whether the build was cancelled meanwhile.
  await log(`Alias ${alias} leads to version ${moved.version}${before}`)
  if (state.cancelling) await moveBack(context, target, moved)
}

/**
 * Deploys the image, and lets the app's alias lead to it. A rollback to a version that is still there only moves the
 * alias.
 * @throws StepFailed, Cancelled, Superseded, and what the routes answer
 */
export const deployFunction = async (context: StepContext, target: LambdaTarget): Promise<void> => {
  const { alias } = target
  if (alias === undefined) return deployLatest(context, target)
  const { state } = context
  const version = await earlierVersion(context, target)
  const sent = state.cancelling && await servesImage(context, target, alias)
  if (version === undefined && !sent) {
    await requireUndivided(context, target, alias)
    await deployLatest(context, target)
    // What $LATEST was made of before may not be read, so it cannot go back.
    if (state.cancelling) throw new Cancelled(`Alias ${alias} was not moved; $LATEST keeps the image`)
  }
  await moveAlias(context, target, { alias, version, sent })
}
