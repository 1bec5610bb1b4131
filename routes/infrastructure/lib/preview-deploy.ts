import type { Arguments, PreviewRow, Read } from '../../../plugins/tool-options.js'
import type { DeployService, ServiceDeployment } from '../../../schemas/infrastructure/service-deployments.js'
import type { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'
import { ContainerUnknown, DeploymentInProgress, NotDeployable } from './errors.js'

/** The route has checked the arguments against its schemas before these run. */
const wishOf = (args: Arguments) => args as unknown as DeployService & { service: string }

const pathOf = (args: Arguments) => `/infrastructure/containers/services/${encodeURIComponent(wishOf(args).service)}`

const readTarget = async (args: Arguments, read: Read) =>
  // The route's response schema is ServiceDetail.
  await read(pathOf(args)) as unknown as ServiceDetail

const actionOf = (wish: DeployService): string => {
  if (wish.force_new_deployment) return 'Restart all tasks of'
  if (wish.rollback_to !== undefined) return 'Roll back'
  const images = wish.images?.map(({ container, image }) => `${image} (${container})`).join(', ')
  return `Deploy ${wish.image ?? images ?? wish.task_definition} to`
}

/** @returns such as "Deploy app:1.3 to service web in cluster prod (eu-west-1, account Sandbox)" */
export const summarizeDeploy = async (args: Arguments, read: Read): Promise<string> => {
  const { name, cluster, region, account_name: account } = await readTarget(args, read)
  const wish = wishOf(args)
  return `${wish.dry_run ? 'Plan only: ' : ''}${actionOf(wish)} service ${name} in cluster ${cluster} ` +
    `(${region}, account ${account})`
}

const imageRows = (service: ServiceDetail, wish: DeployService): PreviewRow[] => {
  const held = service.images ?? []
  const only = wish.container ?? (held.length === 1 ? held[0]?.container : undefined)
  if (wish.image !== undefined && only === undefined) {
    throw ContainerUnknown(`Say which container gets the image: ${held.map(({ container }) => container).join(', ')}`)
  }
  const list = wish.images ?? [{ container: only ?? '', image: wish.image ?? '' }]
  return list.map(({ container, image }) => {
    const before = held.find((one) => one.container === container)
    if (!before && service.images) throw ContainerUnknown(`The task has no container ${container}`)
    return { label: `Image of ${container}`, before: before?.image ?? null, after: image }
  })
}

const earlier = async (args: Arguments, read: Read, id: string): Promise<string> => {
  // The route's response schema is ServiceDeployment.
  const row = await read(`${pathOf(args)}/deployments/${id}`) as unknown as ServiceDeployment
  return row.target_task_definition ?? row.previous_task_definition
}

const rowsOf = async (service: ServiceDetail, args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const wish = wishOf(args)
  const before = service.task_definition?.arn ?? null
  const running = `${service.running_count} running`
  if (wish.force_new_deployment) return [{ label: 'Tasks', before: running, after: 'all replaced' }]
  if (wish.rollback_to === undefined && wish.task_definition === undefined) return imageRows(service, wish)
  const previous = 'the revision that ran before'
  const to = wish.rollback_to === undefined || wish.rollback_to === 'previous'
    ? previous
    : await earlier(args, read, wish.rollback_to)
  return [{ label: 'Task definition', before, after: wish.task_definition ?? to }]
}

/** @throws the operation's own error when the target does not exist or cannot be deployed */
export const previewDeploy = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const wish = wishOf(args)
  const service = await readTarget(args, read)
  if (!service.deployable) throw NotDeployable(`${service.name} is ${service.status}, controller ${service.controller}`)
  const live = service.current_deployment
  if (live && live.finished_at === null && !wish.force) {
    throw DeploymentInProgress(`Deployment ${live.id} is ${live.status}`, { deployment_id: live.id })
  }
  const rows = await rowsOf(service, args, read)
  return live && live.finished_at === null
    ? [...rows, { label: `Deployment ${live.id}`, before: live.status, after: 'superseded' }]
    : rows
}
