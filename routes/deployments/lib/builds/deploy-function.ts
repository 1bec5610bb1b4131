import { findBuild } from '../../../../db/deployments/builds.js'
import { bodyOf, errorOf } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import type { TargetState } from '../../../../schemas/deployments/builds.js'
import { FunctionDeployment, ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { digestOf, functionUrl } from '../apps/resolve-target.js'
import { callArea } from '../errors.js'
import { Cancelled, pause, StepFailed, type StepContext } from './build-state.js'
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

export type LambdaTarget = Extract<AppTarget, { kind: 'lambda' }>

const againMs = 1_000

/** @returns the function as it is now; undefined while AWS does not answer */
export const readTarget = async ({ deps, state: { row } }: StepContext, { function_id: id }: LambdaTarget):
Promise<ServerlessFunction | undefined> => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const answer = await callArea(deps, principal, { url: functionUrl(id) })
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
 * Deploys the image through the route that a person would call, and waits until the function runs it.
 * @throws StepFailed, Cancelled, and what the route answers
 */
export const deployFunction = async (context: StepContext, target: LambdaTarget): Promise<void> => {
  const { state, log } = context
  const image = String(state.row.image)
  const [expected, before] = await Promise.all([expectedOf(context), readTarget(context, target)])
  const revision = expected?.revision_id ?? undefined
  // After a takeover the function shows whether the image was sent before.
  const sent = state.cancelling && before?.image === image
  const { previous_image: previous } = await sendDeploy(context, {
    url: `${functionUrl(target.function_id)}/deploy`,
    payload: { image, ...(revision !== undefined && { revision_id: revision }) },
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
