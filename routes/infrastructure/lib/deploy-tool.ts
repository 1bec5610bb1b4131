import {
  defineWriteTool, type Arguments, type Change, type Input, type Plan, type Read
} from '../../../lib/tools/options.js'
import { DeployService, DryRun } from '../../../schemas/infrastructure/service-deployments.js'
import type { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'
import { ServiceParams } from '../../../schemas/infrastructure/services.js'
import { DeploymentInProgress, NotDeployable } from './errors.js'
import { describeService, readService, serviceTarget, serviceUrl } from './tool-targets.js'

const schemas = { params: ServiceParams, body: DeployService }
type Given = Input<typeof schemas>

const shownByTheDryRun = ['image', 'images', 'container', 'task_definition', 'rollback_to', 'expected_task_definition',
  'dry_run']

const actionOf = (input: Given): string => {
  if (input.force_new_deployment) return 'Restart all tasks of'
  if (input.rollback_to !== undefined) return 'Roll back'
  const images = input.images?.map(({ container, image }) => `${image} (${container})`).join(', ')
  return `Deploy ${input.image ?? images ?? input.task_definition} to`
}

/** A path of a task definition, in the words of the card. */
const labelOf = (path: string) => path.replace(/^containerDefinitions\[(.+)\]\.image$/, 'Image of $1')

/** The exact revision in place of "previous", and the revision that runs now as the condition. */
const pin = (input: Given, service: ServiceDetail, { target_task_definition: target }: DryRun): Arguments => ({
  ...input,
  service: service.id,
  ...(input.rollback_to !== undefined && { rollback_to: target }),
  ...(input.task_definition !== undefined && { task_definition: target }),
  ...(service.task_definition && { expected_task_definition: service.task_definition.arn })
})

const requireDeployable = ({ name, deployable, status, controller, current_deployment: live }: ServiceDetail,
  force: boolean | undefined) => {
  if (!deployable) throw NotDeployable(`${name} is ${status}, controller ${controller}`)
  const runs = live !== null && live.finished_at === null
  if (runs && !force) {
    throw DeploymentInProgress(`Deployment ${live.id} is ${live.status}; wait for it, cancel it, or say force`,
      { deployment_id: live.id })
  }
  return runs ? live : undefined
}

const changesOf = (input: Given, service: ServiceDetail, dry: DryRun): Change[] => {
  const now = service.task_definition?.arn ?? null
  if (input.force_new_deployment) {
    return [{
      label: 'Tasks',
      field: 'force_new_deployment',
      before: `${service.running_count} running`,
      after: 'all replaced',
      binding: false
    }]
  }
  const images = dry.changes.map(({ path, before, after }) => ({ label: labelOf(path), before, after }))
  return dry.target_task_definition === null
    ? images
    : [{ label: 'Task definition', before: now, after: dry.target_task_definition }, ...images]
}

const plan = async (input: Given, read: Read): Promise<Plan> => {
  const service = await readService(input.service, read)
  const live = requireDeployable(service, input.force)
  const { service: _, dry_run: isDry, ...body } = input
  const dry = await read(`${serviceUrl(service.id)}/deploy`, DryRun, body)
  const superseded = live && { label: `Deployment ${live.id}`, field: 'force', before: 'live', after: 'superseded' }
  return {
    target: serviceTarget(service),
    summary: `${isDry ? 'Plan only: ' : ''}${actionOf(input)} ${describeService(service)}`,
    changes: [
      ...changesOf(input, service, dry),
      ...(superseded ? [superseded] : []),
      ...dry.warnings.map((warning) => ({ label: 'Note', before: null, after: warning, binding: false as const }))
    ],
    covered: shownByTheDryRun,
    args: pin(input, service, dry),
    facts: {
      task_definition: dry.previous_task_definition, target: dry.target_task_definition, live: live?.id ?? null
    },
    effect: isDry ? 'read' : 'write',
    risk: 'high'
  }
}

export const deployTool = defineWriteTool({
  input: schemas,
  basis: 'The revision that runs, what of it would change, and a deployment that is under way; task counts come and go',
  plan
})
