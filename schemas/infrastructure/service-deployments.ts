import { Type, type Static } from '@sinclair/typebox'
import { ImageCheck } from '../cloud/errors.js'
import { Defaulted, Expected, Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { Reference, TaskFailure, AwsDeployment, ContainerService } from './services.js'

export const RollbackQuery = Type.Object({
  rollback_to: Type.String({
    minLength: 1, maxLength: 300, default: 'previous', description: 'As deployService takes it'
  })
})

export const RollbackTarget = Type.Object({
  task_definition: Type.String({ description: 'The ARN of the exact revision. Sent as `rollback_to`, it is pinned' }),
  revision: Type.String({ description: 'family:revision' }),
  images: Type.Array(Type.Object({
    container: Type.String(),
    image: Type.String(),
    digest: Nullable(Type.String({ description: 'What the image was when it succeeded; null = not known' }))
  })),
  source: Words<'aws' | 'steward'>(['aws', 'steward'], {
    description: 'Whose history has the success: AWS\'s service deployments, or the deployments made here'
  }),
  deployment_id: Nullable(Type.String({ description: 'Of the deployment made here' })),
  aws_service_deployment_arn: Nullable(Type.String()),
  succeeded_at: Timestamp,
  passed_over: Type.Array(Type.String(), {
    description: 'Newer revisions that succeeded too, but are deregistered in AWS and cannot run'
  })
}, { $id: 'RollbackTarget' })
export type RollbackTarget = Static<typeof RollbackTarget>

export const liveStatuses = ['queued', 'registering', 'updating', 'in_progress', 'rolling_back'] as const
export const deploymentStatuses = [...liveStatuses, 'succeeded', 'failed', 'rolled_back', 'rollback_failed',
  'superseded', 'stopped', 'timed_out'] as const
export type DeploymentStatus = typeof deploymentStatuses[number]
export type DeploymentKind = 'deploy' | 'force' | 'rollback'

/** What a job sends to AWS: kept with the row, so that any instance can go on. */
export interface DeploymentPlan {
  /** The whole definition to register as AWS wrote it, changed; null = use one that exists. */
  register: Record<string, unknown> | null
  force: boolean
  circuit_breaker: { enabled: boolean, rollback: boolean } | null
}

export const Change = Type.Object({
  path: Type.String({ description: 'Such as containerDefinitions[web].image' }),
  before: Type.Unknown({ description: 'null = absent. Values of environment variables are redacted' }),
  after: Type.Unknown()
}, { $id: 'Change' })
export type Change = Static<typeof Change>

export const Progress = Type.Object({
  desired: Type.Integer(), running: Type.Integer(), pending: Type.Integer(), failed: Type.Integer()
}, { $id: 'Progress' })
export type Progress = Static<typeof Progress>

/**
 * What a service runs, by the names that AWS gives: the id of its primary deployment changes with every deployment, a
 * restart and a rollback too, while a revision may come back.
 */
export const ServiceState = Type.Object({
  task_definition: Nullable(Type.String({ maxLength: 300 })),
  deployment_id: Nullable(Type.String({
    maxLength: 100, description: 'Of the primary deployment of the service, such as ecs-svc/123'
  }))
}, { $id: 'ServiceState', description: 'What a service runs' })
export type ServiceState = Static<typeof ServiceState>

/** What of a service and its surroundings a deployment was approved on. */
export const DeployFacts = Type.Object({
  ...ServiceState.properties,
  scaled_to_zero: Type.Boolean(),
  target: Nullable(Type.String({ description: 'The revision that exists already and would run' })),
  live: Nullable(Type.String({ description: 'The deployment made here that is under way' }))
})
export type DeployFacts = Static<typeof DeployFacts>

export const ServiceDeployment = Type.Object({
  id: Id,
  service_id: Type.String(),
  kind: Words<DeploymentKind>(['deploy', 'force', 'rollback']),
  status: Words<DeploymentStatus>(deploymentStatuses, {
    description: 'succeeded means that this very deployment won; rolled_back is not success. timed_out: watching ' +
      'ended, AWS may go on'
  }),
  status_reason: Nullable(Type.String()),
  expected: Nullable(ServiceState),
  previous_task_definition: Type.String(),
  target_task_definition: Nullable(Type.String()),
  changes: Type.Array(Change),
  aws_deployment_id: Nullable(Type.String()),
  aws_service_deployment_arn: Nullable(Type.String()),
  progress: Nullable(Progress),
  failures: Type.Array(TaskFailure),
  actor: Type.String(),
  comment: Nullable(Type.String()),
  cancel_requested_at: Nullable(Timestamp),
  cancelled_by: Nullable(Type.String({ description: 'Who asked to stop it; null also when AWS refused to' })),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  deadline_at: Timestamp,
  dry_run: Type.Boolean()
}, { $id: 'ServiceDeployment' })
export type ServiceDeployment = Static<typeof ServiceDeployment>

export const DryRun = Type.Object({
  service_id: Type.String(),
  kind: Words<DeploymentKind>(['deploy', 'force', 'rollback']),
  previous_task_definition: Type.String(),
  target_task_definition: Nullable(Type.String({ description: 'null = a new revision would be registered' })),
  changes: Type.Array(Change),
  registry: Type.Array(ImageCheck, { description: 'Of the images that would run' }),
  warnings: Type.Array(Type.String()),
  dry_run: Type.Literal(true)
}, { $id: 'ServiceDeploymentPlan' })
export type DryRun = Static<typeof DryRun>

export const CancelFacts = Type.Object({
  status: Words<DeploymentStatus>(deploymentStatuses, { description: 'How far it is' }),
  task_definition: Nullable(Type.String({ description: 'What the service runs' }))
})
export type CancelFacts = Static<typeof CancelFacts>

export const CancelDeployment = Type.Object({ expected: Expected(CancelFacts) },
  { $id: 'CancelDeployment', additionalProperties: false })
export type CancelDeployment = Static<typeof CancelDeployment>

export const ServiceDeploymentPage = page(ServiceDeployment, 'ServiceDeploymentPage')
export const ServiceDeploymentParams = Type.Object({ service: Reference, deployment_id: Id })
export const HistoryQuery = Type.Object(PageQuery)

export const Image = Type.String({
  pattern: '^[a-z0-9][A-Za-z0-9._/:-]*[A-Za-z0-9](@sha256:[0-9a-f]{64})?$',
  examples: ['registry.example.com/web:2.4.1'],
  maxLength: 600,
  description: 'Such as registry/app:1.2.3 or registry/app@sha256:…'
})
const Container = Type.String({ minLength: 1, maxLength: 255 })

export const DeployService = Type.Object({
  image: Type.Optional(Image),
  container: Type.Optional(Type.Unsafe<string>({
    ...Container, description: 'Which container gets `image`; needed when the task has several'
  })),
  images: Type.Optional(Type.Array(Type.Object({ container: Container, image: Image }, { additionalProperties: false }),
    { minItems: 1, maxItems: 20 })),
  task_definition: Type.Optional(Type.String({
    minLength: 1, maxLength: 300, description: 'An existing revision: family:revision or its ARN'
  })),
  rollback_to: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'What succeeded before and is to run again: `previous` = the newest such revision that is not the ' +
      'present one, the id of a deployment, or an exact revision as getRollbackTarget answers it'
  })),
  force_new_deployment: Type.Optional(Type.Boolean({
    description: 'Replaces all tasks by new ones of the revision that runs. A tag that moved is pulled again'
  })),
  dry_run: Defaulted(Type.Boolean({ default: false, description: 'Only return what would change' })),
  expected_task_definition: Type.Optional(Type.String({
    maxLength: 300,
    description: 'Refuse when the service does not run this ARN any more; compared again right before AWS is asked'
  })),
  expected: Expected(DeployFacts),
  circuit_breaker: Type.Optional(Type.Object({ enabled: Type.Boolean(), rollback: Type.Boolean() },
    { additionalProperties: false, description: 'Absent = as the service has it' })),
  timeout_seconds: Defaulted(Type.Integer({
    minimum: 60, maximum: 21_600, default: 1_800, description: 'How long it is watched'
  })),
  force: Defaulted(Type.Boolean({
    default: false, description: 'Go ahead although a deployment made here is live: that one is superseded'
  })),
  comment: Type.Optional(Type.String({ maxLength: 500 }))
}, { $id: 'DeployService', additionalProperties: false })
export type DeployService = Static<typeof DeployService>

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
