import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words } from '../common.js'
import { ServiceDeployment } from './service-deployments.js'
import { AwsDeployment, ContainerService, TaskFailure } from './services.js'

export const ServiceTask = Type.Object({
  id: Type.String(),
  status: Type.String({ description: 'As AWS names it, such as pending or running' }),
  health: Words(['healthy', 'unhealthy', 'unknown'] as const, { description: 'unknown: no health check, or none yet' }),
  task_definition: Type.String({ description: 'family:revision' }),
  availability_zone: Nullable(Type.String()),
  private_address: Nullable(Type.String({ description: 'In the network of the account' })),
  started_at: Nullable(Timestamp)
}, { $id: 'ServiceTask' })
export type ServiceTask = Static<typeof ServiceTask>

export const ServiceDetail = Type.Composite([ContainerService, Type.Object({
  deployments: Type.Array(AwsDeployment),
  events: Type.Array(Type.Object({ id: Type.String(), at: Nullable(Timestamp), message: Type.String() }),
    { description: 'The 10 newest' }),
  current_deployment: Nullable(ServiceDeployment),
  recent_failures: Nullable(Type.Array(TaskFailure)),
  tasks: Nullable(Type.Array(ServiceTask, { description: 'At most 100 that run or are to run' })),
  task_size: Nullable(Type.Object({
    cpu_units: Nullable(Type.Number({ description: '1,024 are one processor' })), memory_mb: Nullable(Type.Number())
  }, { description: 'What each task gets, by its definition; its null members have no limit' })),
  ports: Nullable(Type.Array(Type.Object({
    container: Type.String(),
    port: Type.Integer(),
    protocol: Type.String(),
    load_balancer: Nullable(Type.String({ description: 'The target group, or the load balancer, that sends there' }))
  }))),
  logs: Type.Object({ available: Type.Boolean(), reason: Nullable(Type.String()) }),
  notes: Type.Array(Type.String(), { description: 'What could not be read, and why' })
})], { $id: 'ServiceDetail' })
export type ServiceDetail = Static<typeof ServiceDetail>
