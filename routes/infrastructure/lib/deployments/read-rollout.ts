import type { ECS, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'

/** How far the clocks of AWS and of this instance may be apart. */
const slackMs = 60_000
/** AWS writes the record and the deployment of one update a moment apart. */
const roundingMs = 5_000

export const primaryOf = (service: Service) => service.deployments?.find(({ status }) => status === 'PRIMARY')

/** @returns whether the service's primary deployment is the one that this row began */
export const isPrimary = (row: DeploymentRow, service: Service): boolean =>
  row.aws_deployment_id !== null && primaryOf(service)?.id === row.aws_deployment_id

/** @throws when AWS does not answer with the service */
export const describeService = async (ecs: ECS, { cluster, service: name }: DeploymentRow): Promise<Service> => {
  const { services } = await ecs.describeServices({ cluster, services: [name] })
  if (!services?.[0]) throw new Error(`The service ${name} is gone`)
  return services[0]
}

/** While our deployment is the primary one, the service's current record is ours. */
export const recordArn = (row: DeploymentRow, service: Service): string | null => {
  const ours = isPrimary(row, service) ? service.currentServiceDeployment : undefined
  return row.aws_service_deployment_arn ?? ours ?? null
}

/** @returns AWS's record of the row's deployment; undefined where there is none. @throws what AWS answers */
export const readRecord = async (ecs: ECS, row: DeploymentRow, service: Service, arn: string | null):
Promise<ServiceDeployment | undefined> => {
  if (!arn) return undefined
  const { serviceDeployments } = await ecs.describeServiceDeployments({ serviceDeploymentArns: [arn] })
  const record = serviceDeployments?.[0]
  // A stale read may still name the record of the deployment before ours: AWS's own clock tells, while it lists ours.
  const ours = service.deployments?.find(({ id }) => id === row.aws_deployment_id)
  const began = ours?.createdAt?.getTime() ?? (row.started_at?.getTime() ?? 0) - slackMs
  return (record?.createdAt?.getTime() ?? 0) >= began - roundingMs ? record : undefined
}
