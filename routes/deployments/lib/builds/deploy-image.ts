import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import { ServiceDeployment, ServiceDeploymentPage } from '../../../../schemas/infrastructure/service-deployments.js'
import { ApiError } from '../../../../schemas/errors.js'
import { Superseded, type StepContext } from './build-state.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import { callArea } from '../call-route.js'
import { deployFunction } from './deploy-function.js'
import { expectedOf } from './expected-state.js'
import { followDeployment } from './follow-deployment.js'
import { serviceUrl } from '../apps/resolve-target.js'
import { sendDeploy } from './send-deploy.js'
import { bodyOf } from '../../../../lib/http/call-route.js'

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
