import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp } from '../common.js'
import { ServiceDeployment } from './service-deployments.js'
import { AwsDeployment, ContainerService, TaskFailure } from './services.js'

export const ServiceDetail = Type.Composite([ContainerService, Type.Object({
  deployments: Type.Array(AwsDeployment),
  events: Type.Array(Type.Object({ id: Type.String(), at: Nullable(Timestamp), message: Type.String() }),
    { description: 'The 10 newest' }),
  current_deployment: Nullable(ServiceDeployment),
  recent_failures: Nullable(Type.Array(TaskFailure)),
  logs: Type.Object({ available: Type.Boolean(), reason: Nullable(Type.String()) }),
  notes: Type.Array(Type.String(), { description: 'What could not be read, and why' })
})], { $id: 'ServiceDetail' })
export type ServiceDetail = Static<typeof ServiceDetail>
