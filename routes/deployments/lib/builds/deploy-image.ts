import { bodyOf } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import { ApiError } from '../../../../schemas/errors.js'
import { ServiceDeployment, ServiceDeploymentPage } from '../../../../schemas/infrastructure/service-deployments.js'
import { serviceUrl } from '../apps/resolve-target.js'
import { callArea } from '../errors.js'
import { Superseded, type StepContext, Cancelled, StepFailed, TimedOut, pause } from './build-state.js'
import { deployFunction, expectedOf } from './deploy-function.js'
import { sendDeploy } from './send-deploy.js'

const firstMs = 250
const maxMs = 2_000

const read = async ({ deps, state: { row } }: StepContext, target: EcsTarget, id: string) => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const answer = await callArea(deps, principal, { url: `${serviceUrl(target.service_id)}/deployments/${id}` })
  return answer.status === 429 || answer.status >= 500 ? undefined : bodyOf(answer, ServiceDeployment)
}

const lineOf = ({ status, status_reason: reason, progress }: ServiceDeployment): string => {
  const counts = progress ? `: ${progress.running} of ${progress.desired} tasks run` : ''
  return `Deployment ${status}${counts}${reason ? ` (${reason})` : ''}`
}

/** @returns the deployment once it has ended; `onRead` is called each time it is read */
const watch = async (context: StepContext, target: EcsTarget, id: string,
  onRead: (now: ServiceDeployment) => Promise<void>): Promise<ServiceDeployment> => {
  let lastLine = ''
  for (let ms = firstMs; ; ms = Math.min(ms * 1.5, maxMs)) {
    const now = await read(context, target, id)
    if (now) {
      const line = lineOf(now)
      if (line !== lastLine) await context.log(line)
      lastLine = line
      if (now.finished_at !== null) return now
      await onRead(now)
    }
    await pause(ms, context.signal)
  }
}

/** Cancels the deployment as the actor who cancelled the build. @returns whether the route took or refused it */
const cancelDeployment = async (context: StepContext, target: EcsTarget, id: string): Promise<boolean> => {
  const { deps, state: { row }, log } = context
  const principal = await currentPrincipal(deps, row.workspace_id, row.cancel_principal ?? row.principal)
  const url = `${serviceUrl(target.service_id)}/deployments/${id}/cancel`
  const { status, body } = await callArea(deps, principal, { method: 'POST', url })
  if (status === 429 || status >= 500) return false
  if (status >= 300) {
    await log(`The cancel was refused, so the deployment goes on: ${String(body.code)}: ${String(body.detail)}`)
  } else if (status === 202) {
    await log(`Cancelled: ECS stops deployment ${id} and goes back to ${String(body.previous_task_definition)}`)
  }
  return true
}

/** The end of a deployment that was cancelled; one that won all the same is judged as any other. */
const judgeCancelled = ({ status, status_reason: reason, ...ended }: ServiceDeployment): void => {
  if (status === 'succeeded') return
  if (status === 'stopped') throw new Cancelled(reason ?? 'The deployment was stopped')
  if (status === 'rolled_back') throw new Cancelled(`The service is back at ${ended.previous_task_definition}`)
  throw new StepFailed(`Cancelled, but the deployment ended as ${status}: ${reason ?? 'no reason given'}`)
}

const judgeEnd = (ended: ServiceDeployment): void => {
  const reasons = ended.failures.slice(0, 3).map(({ reason }) => reason)
  const why = [ended.status_reason, ...reasons].filter(Boolean).join('; ')
  const text = `The deployment ended as ${ended.status}${why ? `: ${why}` : ''}`
  if (ended.status === 'succeeded') return
  if (ended.status === 'superseded' && ended.aws_deployment_id === null) throw new Superseded(text)
  if (ended.status === 'timed_out') throw new TimedOut(text)
  const back = ended.status === 'rolled_back' || ended.status === 'rollback_failed'
  throw new StepFailed(text, back ? 'deploy_rolled_back' : 'step_failed')
}

/**
 * Follows a deployment to its end; rolled back is not success. When the build is cancelled meanwhile, so is the
 * deployment: what was not sent to AWS undoes nothing, what was is stopped.
 * @throws StepFailed, TimedOut, Cancelled
 */
const followDeployment = async (context: StepContext, target: EcsTarget, id: string): Promise<void> => {
  let answered = false
  const ended = await watch(context, target, id, async () => {
    if (context.state.cancelling && !answered) answered = await cancelDeployment(context, target, id)
  })
  if (context.state.cancelling && ended.cancelled_by !== null) judgeCancelled(ended)
  judgeEnd(ended)
}

export type EcsTarget = Extract<AppTarget, { kind: 'ecs_service' }>

/** Codes with which the routes say that the target is not as it was shown. */
const changedCodes = ['state_changed', 'deployment_conflict', 'function_changed']
const runsAlready = 'nothing_to_deploy'

const commentOf = ({ state: { row } }: StepContext) => `Build ${row.number} (${row.id})`

const payloadOf = async (context: StepContext, target: EcsTarget) => {
  const { row } = context.state
  const expected = await expectedOf(context)
  const timeout = row.steps.find(({ name }) => name === 'deploy')?.timeout_s ?? 0
  return {
    image: row.image,
    container: target.container,
    timeout_seconds: Math.min(Math.max(timeout, 60), 21_600),
    comment: commentOf(context),
    ...(expected && {
      expected: { task_definition: expected.task_definition, deployment_id: expected.deployment_id }
    })
  }
}

const findSent = async (context: StepContext, target: EcsTarget) => {
  const { deps, state: { row } } = context
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const answer = await callArea(deps, principal, { url: `${serviceUrl(target.service_id)}/deployments?limit=20` })
  const { items } = answer.status < 300 ? bodyOf(answer, ServiceDeploymentPage) : { items: [] }
  const body = items.find(({ comment }) => comment === commentOf(context))
  return body && { status: 202, body }
}

const deployService = async (context: StepContext, target: EcsTarget): Promise<void> => {
  const { state, log } = context
  if (state.row.deployment_id === null) {
    const began = await sendDeploy(context, {
      url: `${serviceUrl(target.service_id)}/deploy`,
      payload: await payloadOf(context, target),
      operation: 'deployService',
      busy: 'deployment_in_progress',
      waitsFor: (body) => `Waits: deployment ${String(body.deployment_id)} of the service is in progress`,
      findSent: () => findSent(context, target)
    }, ServiceDeployment).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== runsAlready) throw error
      await log(`Nothing is deployed: ${error.message}`)
    })
    if (!began) return
    const { id } = began
    await state.write({ deployment_id: id })
    await log(`Deployment ${id} of ${target.service_id} began`)
  }
  await followDeployment(context, target, String(state.row.deployment_id))
}

/** @throws what makes the build superseded of an answer that the target has changed, and any other error as it is */
const asEnding = (error: unknown): never => {
  if (error instanceof ApiError && changedCodes.includes(error.code)) throw new Superseded(error.message)
  throw error
}

/** Deploys through the route that a person would call, and follows the deployment to its end. */
export const deploy = async (context: StepContext): Promise<'succeeded'> => {
  const { target } = context.state.row
  await (target.kind === 'lambda' ? deployFunction(context, target) : deployService(context, target)).catch(asEnding)
  return 'succeeded'
}
