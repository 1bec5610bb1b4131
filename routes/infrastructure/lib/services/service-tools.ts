import {
  defineWriteTool, type Arguments, type Change, type Input, type Plan, type Read, type Target
} from '../../../../lib/tools/options.js'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import {
  CancelDeployment, DeployService, DryRun, ServiceDeployment, ServiceDeploymentParams, type ServiceState, ServiceDetail
} from '../../../../schemas/infrastructure/service-deployments.js'
import { ScaleService, ServiceParams, type Autoscaling } from '../../../../schemas/infrastructure/services.js'
import { AutoscalingUnknown, DeploymentInProgress, NotDeployable } from '../errors.js'
import { planScaling, scaleFacts, widened, type ScalingAction } from './scale-service.js'

export const serviceUrl = (service: string) => `/infrastructure/containers/services/${encodeURIComponent(service)}`

const readService = (service: string, read: Read) => read(serviceUrl(service), ServiceDetail)

export const serviceTarget = (service: ServiceDetail): Target => {
  const { id, arn, name, cluster, cluster_id, account_id, region, environment } = service
  return {
    kind: 'ecs_service',
    id,
    within: { cloud_account: account_id, ...(environment && { environment }), region, cluster: cluster_id },
    names: [arn, name, `${cluster}/${name}`]
  }
}

/** @returns such as "service web in cluster prod (eu-west-1, account Sandbox)" */
export const describeService = ({ name, cluster, region, account_name: account, environment }: ServiceDetail) =>
  `service ${name} in cluster ${cluster} (${region}, account ${account}${environment ? `, ${environment}` : ''})`

/** @returns the service, of an account that may be changed. @throws cloud_account_read_only */
export const readWritable = async (name: string, read: Read): Promise<ServiceDetail> => {
  const service = await readService(name, read)
  requireWritable({ ...service, id: service.account_id })
  return service
}

const describeBounds = ({ min, max }: Autoscaling) => `${min} to ${max}`

/** @returns the range as it will be */
const describeAction = (now: Autoscaling, action: ScalingAction, count: number): string => {
  if (action === 'bounds_changed') return describeBounds({ ...now, ...widened(now, count) })
  return action === 'suspended'
    ? `${describeBounds(now)}, suspended`
    : `${describeBounds(now)}; it does not act while the count is outside`
}

/** The count alone does not bring back what autoscaling was. */
const undoBounds = (now: Autoscaling | null, action: ScalingAction): string => {
  if (!now || action === 'none' || action === 'ignored') return ''
  return action === 'suspended'
    ? ', and resume autoscaling in AWS'
    : `, and set the range of autoscaling back to ${describeBounds(now)} in AWS`
}

const withoutBounds: readonly ScalingAction[] = ['suspended', 'bounds_changed', 'ignored']

const scaleRisk = (count: number, action: ScalingAction): Plan['risk'] => {
  const bounds = withoutBounds.includes(action) ? ['changes_autoscaling'] as const : []
  return [count === 0 ? 'stops_service' : 'changes_capacity', ...bounds]
}

export const scaleTool = defineWriteTool({
  input: { params: ServiceParams, body: ScaleService },
  reads: ['getService'],
  basis: 'The desired count, the status, the revision and the autoscaling bounds say what a new count means and ' +
    'starts; tasks come and go',
  async plan (input, read) {
    const service = await readWritable(input.service, read)
    const { id, desired_count: before, autoscaling } = service
    const { desired_count: after } = input
    if (!service.autoscaling_known && input.autoscaling !== 'ignore') throw AutoscalingUnknown()
    const action = planScaling(autoscaling, { ...input, autoscaling: input.autoscaling ?? 'refuse' })
    const bounds = autoscaling && action !== 'none'
      ? [{
          label: 'Autoscaling',
          field: 'autoscaling',
          before: describeBounds(autoscaling),
          after: describeAction(autoscaling, action, after),
          ...(action === 'ignored' && { context: true as const })
        }]
      : []
    return {
      target: serviceTarget(service),
      summary: `Scale ${describeService(service)} from ${before} to ${after}`,
      changes: [
        { label: 'Desired count', field: 'desired_count', before: String(before), after: String(after) }, ...bounds
      ],
      args: { ...input, service: id },
      facts: scaleFacts(service),
      risk: scaleRisk(after, action),
      // What AWS makes of bounds is known once it has answered.
      ...(action === 'none' && { leaves: { desired_count: after } }),
      undo: `Scale it back to ${before}${undoBounds(autoscaling, action)}`
    }
  },
  /** The service has the requested count, or the outcome is unknown. */
  async reconcile ({ service, desired_count: count }, read) {
    return (await readService(service, read)).desired_count === count ? 'done' : 'unclear'
  }
})

const deployInput = { params: ServiceParams, body: DeployService }
type DeployArguments = Input<typeof deployInput>

const shownByTheDryRun = ['image', 'images', 'container', 'task_definition', 'rollback_to', 'expected_task_definition',
  'dry_run']

const actionOf = (input: DeployArguments): string => {
  if (input.force_new_deployment) return 'Restart all tasks of'
  if (input.rollback_to !== undefined) return 'Roll back'
  const images = input.images?.map(({ container, image }) => `${image} (${container})`).join(', ')
  return `Deploy ${input.image ?? images ?? input.task_definition} to`
}

/** Names a path of a task definition as the approval shows it. */
const labelOf = (path: string) => path.replace(/^containerDefinitions\[(.+)\]\.image$/, 'Image of $1')

/** @returns what the service runs, by the names that AWS gives */
const stateOf = ({ task_definition: now, deployments }: ServiceDetail): ServiceState => ({
  task_definition: now?.arn ?? null, deployment_id: deployments.find(({ status }) => status === 'PRIMARY')?.id ?? null
})

/** Replaces "previous" by the exact revision, and makes what runs now a condition. */
const pin = (input: DeployArguments, service: ServiceDetail, dry: DryRun): Arguments => ({
  ...input,
  service: service.id,
  ...(input.rollback_to !== undefined && { rollback_to: dry.target_task_definition }),
  ...(input.task_definition !== undefined && { task_definition: dry.target_task_definition }),
  ...(service.task_definition && { expected_task_definition: service.task_definition.arn })
})

const requireDeployable = ({ name, deployable, status, controller, current_deployment: live }: ServiceDetail,
  force: boolean | undefined) => {
  if (!deployable) throw NotDeployable(`${name} is ${status}, controller ${controller}`)
  const runs = live !== null && live.finished_at === null
  if (runs && !force) {
    throw DeploymentInProgress('Another deployment of this service is under way; wait for it, cancel it, or use force',
      { deployment_id: live.id })
  }
  return runs ? live : undefined
}

/** @returns what runs and will be started anew: a tag is resolved again */
const restarted = ({ images }: ServiceDetail): Change[] => (images ?? []).map(({ container, image, digest }) => ({
  label: `Image of ${container}`,
  before: digest === null || image.includes('@') ? image : `${image} (${digest})`,
  after: image,
  binding: false
}))

const deployChanges = (input: DeployArguments, service: ServiceDetail, dry: DryRun): Change[] => {
  const now = service.task_definition?.arn ?? null
  const replaced: Change = {
    label: 'Tasks',
    field: 'force_new_deployment',
    before: `${service.running_count} running`,
    after: 'all replaced',
    binding: false
  }
  if (input.force_new_deployment) return [replaced, ...restarted(service)]
  // The same revision, of which a tag may have moved.
  if (dry.changes.length === 0) return [replaced, ...restarted(service)]
  const images = dry.changes.map(({ path, before, after }) => ({ label: labelOf(path), before, after }))
  return dry.target_task_definition === null
    ? images
    : [{ label: 'Task definition', before: now, after: dry.target_task_definition }, ...images]
}

const planDeploy = async (input: DeployArguments, read: Read): Promise<Plan> => {
  const service = await (input.dry_run ? readService : readWritable)(input.service, read)
  const live = requireDeployable(service, input.force)
  const { service: _, dry_run: isDry, ...body } = input
  const dry = await read(`${serviceUrl(service.id)}/deploy`, DryRun, body)
  const superseded = live && { label: `Deployment ${live.id}`, field: 'force', before: 'live', after: 'superseded' }
  return {
    target: serviceTarget(service),
    summary: `${isDry ? 'Plan only: ' : ''}${actionOf(input)} ${describeService(service)}`,
    changes: [
      ...deployChanges(input, service, dry),
      ...(superseded ? [superseded] : []),
      ...dry.warnings.map((warning) => ({ label: 'Note', before: null, after: warning, binding: false, context: true } as const))
    ],
    covered: shownByTheDryRun,
    args: pin(input, service, dry),
    facts: {
      ...stateOf(service),
      scaled_to_zero: service.desired_count === 0,
      target: dry.target_task_definition,
      live: live?.id ?? null
    },
    effect: isDry ? 'read' : 'write',
    risk: ['replaces_running'],
    ...(service.task_definition && { undo: `Roll back to ${service.task_definition.arn}` })
  }
}

export const deployTool = defineWriteTool({
  input: deployInput,
  reads: ['getService', 'deployService'],
  basis: 'What runs, by its revision and its deployment at AWS, which changes with each; what of it would change, and a ' +
    'deployment that is under way; task counts come and go',
  plan: planDeploy
})

const isUnsent = ({ status }: ServiceDeployment) => status === 'queued' || status === 'registering'

const cancelChanges = (deployment: ServiceDeployment): Change[] => {
  const { status: before, progress } = deployment
  if (deployment.finished_at !== null) return [{ label: 'Deployment', before, after: before }]
  if (isUnsent(deployment)) {
    return [{ label: 'Deployment', before, after: 'stopped; ECS was not asked yet, so the service stays as it is' }]
  }
  const tasks: Change[] = progress
    ? [{ label: 'Tasks', before: null, after: `${progress.running} of ${progress.desired} run`, binding: false, context: true }]
    : []
  return [
    { label: 'Deployment', before, after: 'stopped by ECS' },
    { label: 'Task definition', before: deployment.target_task_definition, after: deployment.previous_task_definition },
    ...tasks
  ]
}

export const cancelDeploymentTool = defineWriteTool({
  input: { params: ServiceDeploymentParams, body: CancelDeployment },
  reads: ['getService', 'getServiceDeployment'],
  basis: 'How far the deployment is, and the revisions between which the service goes; tasks come and go',
  async plan (input, read) {
    const service = await readWritable(input.service, read)
    const path = `${serviceUrl(service.id)}/deployments/${encodeURIComponent(input.deployment_id)}`
    const deployment = await read(path, ServiceDeployment)
    return {
      target: {
        kind: 'ecs_deployment',
        id: deployment.id,
        within: { ...serviceTarget(service).within, ecs_service: service.id }
      },
      summary: `Cancel deployment ${deployment.id} of ${describeService(service)}`,
      changes: cancelChanges(deployment),
      args: { ...input, service: service.id },
      facts: { status: deployment.status, task_definition: service.task_definition?.arn ?? null },
      risk: [isUnsent(deployment) ? 'stops_unfinished' : 'interrupts_deployment']
    }
  },
  // Cancelling is idempotent, so a request that was not recorded may be sent again.
  async reconcile ({ service, deployment_id: id }, read) {
    const { cancel_requested_at: at, finished_at: end } =
      await read(`${serviceUrl(service)}/deployments/${encodeURIComponent(id)}`, ServiceDeployment)
    if (at !== null) return 'done'
    return end === null ? 'not_done' : 'unclear'
  }
})
