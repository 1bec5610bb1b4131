import type { Service } from '@aws-sdk/client-ecs'
import type { ServiceState } from '../../../../schemas/infrastructure/service-deployments.js'
import { primaryOf } from './read-rollout.js'

/** @returns what the service runs, by the names that AWS gives */
export const stateOf = (service: Service): ServiceState => ({
  task_definition: service.taskDefinition ?? null, deployment_id: primaryOf(service)?.id ?? null
})

export const isSameState = (a: ServiceState, b: ServiceState): boolean =>
  a.task_definition === b.task_definition && a.deployment_id === b.deployment_id

const nameOf = (arn: string | null): string => arn?.split('/').at(-1) ?? 'no revision'

/** @returns such as "web:3 (deployment ecs-svc/123)" */
export const describeState = ({ task_definition, deployment_id }: ServiceState): string =>
  `${nameOf(task_definition)}${deployment_id === null ? '' : ` (deployment ${deployment_id})`}`
