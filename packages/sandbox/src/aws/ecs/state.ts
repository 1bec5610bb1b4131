import type {
  ClusterSetting, DeploymentConfiguration, DeploymentControllerType, DeploymentRolloutState, HealthStatus,
  KeyValuePair, LaunchType, LoadBalancer, NetworkConfiguration, SchedulingStrategy, ServiceDeploymentStatus,
  ServiceEvent, Tag, Task, ServiceDeploymentRollbackMonitorsStatus
} from '@aws-sdk/client-ecs'
import type { Wire } from '../core/wire.js'
import type { Ending } from './endings.js'

export interface EcsState {
  clusters: Map<string, ClusterState>
  /** Revisions of a family, oldest first. */
  taskDefinitions: Map<string, TaskDefinitionState[]>
}

export interface ClusterState {
  name: string
  arn: string
  status: 'ACTIVE' | 'INACTIVE'
  tags: Tag[]
  settings: ClusterSetting[]
  capacityProviders: string[]
  statistics: KeyValuePair[]
  containerInstances: number
  services: Map<string, ServiceState>
}

export interface TaskDefinitionState {
  arn: string
  family: string
  revision: number
  /** As registered, keys that this sandbox does not know included. */
  body: Record<string, unknown>
  tags: Tag[]
}

export interface ServiceState {
  name: string
  arn: string
  clusterArn: string
  status: 'ACTIVE' | 'DRAINING' | 'INACTIVE'
  createdAt: number
  createdBy: string
  desiredCount: number
  launchType: LaunchType
  platformVersion: string | undefined
  scheduling: SchedulingStrategy
  controller: DeploymentControllerType
  configuration: DeploymentConfiguration
  network: NetworkConfiguration | undefined
  loadBalancers: LoadBalancer[]
  healthCheckGraceSeconds: number | undefined
  executeCommand: boolean
  tags: Tag[]
  /** PRIMARY first. */
  deployments: DeploymentState[]
  events: Wire<ServiceEvent>[]
  serviceDeployments: ServiceDeploymentState[]
  revisions: ServiceRevisionState[]
  /** The target of a rollback. */
  lastCompleted: { taskDefinition: string, revisionArn: string, deploymentId: string } | undefined
  /** Running tasks, and those stopped less than an hour ago. */
  tasks: TaskState[]
  /** When tasks ran that are forgotten since, in milliseconds: metrics remember them. */
  past: { from: number, until: number }[]
  /** Whether the event "has reached a steady state" was added since the last change. */
  steady: boolean
  /** The next run of the scheduler. */
  wakeAt: number | undefined
}

export interface DeploymentState {
  id: string
  primary: boolean
  taskDefinition: string
  revisionArn: string
  serviceDeploymentArn: string
  /** Returns to an earlier revision after a failure. */
  isRollback: boolean
  rolloutState: DeploymentRolloutState | undefined
  rolloutReason: string | undefined
  failedTasks: number
  /** For the pause between attempts; unlike `failedTasks` a healthy task does not clear it at once. */
  attempts: number
  retryAt: number
  createdAt: number
  updatedAt: number
}

export interface ServiceDeploymentState {
  arn: string
  status: ServiceDeploymentStatus
  reason: string | undefined
  createdAt: number
  startedAt: number | undefined
  finishedAt: number | undefined
  stoppedAt: number | undefined
  updatedAt: number
  targetRevisionArn: string
  sourceRevisionArns: string[]
  rollback: { reason: string, startedAt: number, revisionArn: string } | undefined
  breaker: { status: ServiceDeploymentRollbackMonitorsStatus, failureCount: number, threshold: number }
}

export interface ServiceRevisionState {
  arn: string
  taskDefinition: string
  images: { name: string, image: string, digest: string }[]
  createdAt: number
}

export type Step = 'pending' | 'running' | 'healthy' | 'unhealthy' | 'exit' | 'stopped'

export interface TaskState {
  id: string
  deploymentId: string
  ending: Ending
  /** Counts for the rollout. */
  healthy: boolean
  /** The task's future steps, in order. */
  steps: { at: number, step: Step }[]
  streams: { region: string, group: string, stream: string }[]
  wire: Wire<Task> & { healthStatus: HealthStatus }
}
