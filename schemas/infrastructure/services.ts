import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Expected, Id, Nullable, partialPage, Timestamp, Words, PageQuery } from '../common.js'

export const Reference = Type.String({
  minLength: 1,
  maxLength: 700,
  description: 'The `id` that a list returned, the ARN, or a name where exactly one resource has it'
})

export const SourceQuery = {
  account_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only this cloud account' })),
  region: Type.Optional(Type.String({
    pattern: '^[a-z0-9-]{5,30}$',
    examples: ['eu-west-1'],
    description: 'Only this region'
  }))
}
export const InventoryQuery = Type.Object({ ...SourceQuery, ...PageQuery })
export type InventoryQuery = Static<typeof InventoryQuery>

export const Cluster = Type.Object({
  id: Type.String({ description: '<account_id>~<region>~<cluster>' }),
  arn: Type.String(),
  name: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  environment: Nullable(Type.String({ description: 'Of the account, such as production' })),
  read_only: Type.Boolean({ description: 'The account is read-only here: nothing is changed through it' }),
  region: Type.String(),
  status: Type.String(),
  running_tasks: Type.Integer(),
  pending_tasks: Type.Integer(),
  active_services: Type.Integer(),
  container_instances: Type.Integer(),
  capacity_providers: Type.Array(Type.String()),
  container_insights: Nullable(Type.String()),
  tags: Type.Record(Type.String(), Type.String()),
  console_url: Type.String()
}, { $id: 'Cluster' })
export type Cluster = Static<typeof Cluster>

export const ClusterPage = partialPage(Cluster, 'ClusterPage')
export const ClusterParams = Type.Object({ cluster: Reference })

export const healthStates = ['healthy', 'deploying', 'degraded', 'down', 'stopped', 'unknown'] as const
export type Health = typeof healthStates[number]

export const AwsDeployment = Type.Object({
  id: Type.String(),
  status: Type.String(),
  task_definition: Type.String(),
  rollout_state: Nullable(Type.String()),
  rollout_reason: Nullable(Type.String()),
  desired: Type.Integer(),
  running: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer({ description: 'AWS sets it back to 0 once one task runs' }),
  created_at: Nullable(Timestamp)
}, { $id: 'AwsDeployment' })
export type AwsDeployment = Static<typeof AwsDeployment>

export const TaskFailure = Type.Object({
  task_id: Type.String({ description: 'The newest task that stopped for this reason' }),
  stopped_at: Nullable(Timestamp),
  stop_code: Nullable(Type.String()),
  reason: Type.String(),
  containers: Type.Array(Type.Object({
    name: Type.String(), exit_code: Nullable(Type.Integer()), reason: Nullable(Type.String())
  })),
  count: Type.Integer({ description: 'How many tasks stopped for this reason lately' })
}, { $id: 'TaskFailure' })
export type TaskFailure = Static<typeof TaskFailure>

export const Autoscaling = Type.Object({ min: Type.Integer(), max: Type.Integer(), suspended: Type.Boolean() },
  { $id: 'Autoscaling' })
export type Autoscaling = Static<typeof Autoscaling>

export const ContainerService = Type.Object({
  id: Type.String({ description: '<account_id>~<region>~<cluster>~<service>' }),
  arn: Type.String(),
  name: Type.String(),
  cluster: Type.String(),
  cluster_id: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  environment: Nullable(Type.String({ description: 'Of the account, such as production' })),
  read_only: Type.Boolean({ description: 'The account is read-only here: nothing is changed through it' }),
  region: Type.String(),
  status: Words(['ACTIVE', 'DRAINING', 'INACTIVE'] as const),
  health: Words(healthStates, {
    description: 'Of a single service by its counts, rollout, events and the health checks of its tasks; in a list ' +
      'by counts, rollout and events, and, where its tasks could be read, their health checks'
  }),
  health_reason: Nullable(Type.String()),
  desired_count: Type.Integer(),
  running_count: Type.Integer(),
  pending_count: Type.Integer(),
  scheduling: Words(['REPLICA', 'DAEMON'] as const),
  launch_type: Nullable(Type.String()),
  controller: Words(['ECS', 'CODE_DEPLOY', 'EXTERNAL'] as const),
  strategy: Nullable(Type.String()),
  task_definition: Nullable(Type.Object({ arn: Type.String(), family: Type.String(), revision: Type.Integer() })),
  images: Nullable(Type.Array(Type.Object({
    container: Type.String(),
    image: Type.String(),
    digest: Nullable(Type.String({
      description: 'What the image is: of its own name, or what all running tasks of the revision have. null where ' +
        'they differ or none runs, and in lists'
    }))
  }), { description: 'null = could not be read' })),
  circuit_breaker: Type.Object({ enabled: Type.Boolean(), rollback: Type.Boolean() }),
  autoscaling: Nullable(Autoscaling),
  autoscaling_known: Type.Boolean({
    description: 'false = AWS did not let it be read, so that autoscaling null does not say that there is none'
  }),
  deployable: Type.Boolean({ description: 'Whether Steward can deploy it: its controller is ECS and it is active' }),
  console_url: Type.String()
}, { $id: 'ContainerService' })
export type ContainerService = Static<typeof ContainerService>

export const ServicePage = partialPage(ContainerService, 'ServicePage')
export const ServiceParams = Type.Object({ service: Reference })

/** What of a service a count was approved on. */
export const ScaleFacts = Type.Object({
  desired_count: Type.Integer(),
  status: Type.String(),
  scheduling: Type.String(),
  task_definition: Nullable(Type.String()),
  autoscaling: Nullable(Type.Object(Autoscaling.properties, { additionalProperties: false }))
})
export type ScaleFacts = Static<typeof ScaleFacts>

export type ScalingChoice = 'refuse' | 'suspend' | 'adjust' | 'ignore'

export const ScaleService = Type.Object({
  desired_count: Type.Integer({
    minimum: 0, maximum: 500, description: 'How many tasks should run; 0 stops the service'
  }),
  autoscaling: Defaulted(Words<ScalingChoice>(['refuse', 'suspend', 'adjust', 'ignore'], {
    default: 'refuse',
    description: 'When autoscaling manages the count and it is outside its range: refuse (409), suspend autoscaling, ' +
      'adjust its bounds so that the count fits, or ignore it'
  })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  expected: Expected(ScaleFacts)
}, { $id: 'ScaleService', additionalProperties: false })
export type ScaleService = Static<typeof ScaleService>

export const ScaleResult = Type.Object({
  service_id: Type.String(),
  previous_count: Type.Integer(),
  desired_count: Type.Integer(),
  running_count: Type.Integer(),
  pending_count: Type.Integer(),
  changed: Type.Boolean(),
  autoscaling: Nullable(Type.Object({
    min: Type.Integer(), max: Type.Integer(), action: Words(['none', 'suspended', 'bounds_changed', 'ignored'] as const)
  }, { description: 'The range that AWS has after this' })),
  warnings: Type.Array(Type.String()),
  requested_at: Timestamp
}, { $id: 'ScaleResult' })
export type ScaleResult = Static<typeof ScaleResult>
