import { defineWriteTool, type Change } from '../../../lib/tools/options.js'
import { ServiceDeployment, ServiceDeploymentParams } from '../../../schemas/infrastructure/service-deployments.js'
import { describeService, readService, serviceTarget, serviceUrl } from './tool-targets.js'

const isUnsent = ({ status }: ServiceDeployment) => status === 'queued' || status === 'registering'

const changesOf = (deployment: ServiceDeployment): Change[] => {
  const { status: before, progress } = deployment
  if (deployment.finished_at !== null) return [{ label: 'Deployment', before, after: before }]
  if (isUnsent(deployment)) {
    return [{ label: 'Deployment', before, after: 'stopped; ECS was not asked yet, so the service stays as it is' }]
  }
  const tasks: Change[] = progress
    ? [{ label: 'Tasks', before: null, after: `${progress.running} of ${progress.desired} run`, binding: false }]
    : []
  return [
    { label: 'Deployment', before, after: 'stopped by ECS' },
    { label: 'Task definition', before: deployment.target_task_definition, after: deployment.previous_task_definition },
    ...tasks
  ]
}

export const cancelDeploymentTool = defineWriteTool({
  input: { params: ServiceDeploymentParams },
  basis: 'How far the deployment is, and the revisions between which the service goes; tasks come and go',
  async plan (input, read) {
    const service = await readService(input.service, read)
    const path = `${serviceUrl(service.id)}/deployments/${encodeURIComponent(input.deployment_id)}`
    const deployment = await read(path, ServiceDeployment)
    return {
      target: {
        kind: 'ecs_deployment',
        id: deployment.id,
        within: { ...serviceTarget(service).within, ecs_service: service.id }
      },
      summary: `Cancel deployment ${deployment.id} of ${describeService(service)}`,
      changes: changesOf(deployment),
      args: { ...input, service: service.id },
      facts: { status: deployment.status, task_definition: service.task_definition?.arn ?? null },
      risk: isUnsent(deployment) ? 'medium' : 'high'
    }
  },
  // Cancelling again is the same request, so one that was not noted may be sent once more.
  async reconcile ({ service, deployment_id: id }, read) {
    const { cancel_requested_at: at, finished_at: end } =
      await read(`${serviceUrl(service)}/deployments/${encodeURIComponent(id)}`, ServiceDeployment)
    if (at !== null) return 'done'
    return end === null ? 'not_done' : 'unclear'
  }
})
