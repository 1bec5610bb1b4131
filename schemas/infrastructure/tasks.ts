import { Type, type Static } from '@sinclair/typebox'
import { Expected, Nullable, PageQuery, partialPage, Timestamp, Words } from '../common.js'
import { Reference } from './services.js'

export const TaskQuery = Type.Object({
  ...PageQuery,
  state: Type.Optional(Words<'running' | 'stopped'>(['running', 'stopped'], {
    description: 'running: those that run or are to run; stopped: those that ECS still lists, for about an hour. Without it, both'
  }))
})
export type TaskQuery = Static<typeof TaskQuery>

export const ContainerTask = Type.Object({
  id: Type.String(),
  arn: Type.String(),
  status: Type.String({ description: 'As ECS says it, such as running, pending or stopped' }),
  desired_status: Type.String({ description: 'stopped: it is being stopped, or has been' }),
  health: Words<'healthy' | 'unhealthy' | 'unknown'>(['healthy', 'unhealthy', 'unknown'], {
    description: 'By the health checks of its containers; unknown without one'
  }),
  task_definition: Type.String({ description: 'family:revision' }),
  deployment_id: Nullable(Type.String({ description: 'The deployment that started it, such as ecs-svc/123' })),
  availability_zone: Nullable(Type.String()),
  private_address: Nullable(Type.String()),
  created_at: Nullable(Timestamp),
  started_at: Nullable(Timestamp),
  stopped_at: Nullable(Timestamp),
  stop_code: Nullable(Type.String({ description: 'Such as EssentialContainerExited, TaskFailedToStart or UserInitiated' })),
  stopped_reason: Nullable(Type.String()),
  containers: Type.Array(Type.Object({
    name: Type.String(),
    image: Nullable(Type.String()),
    status: Nullable(Type.String()),
    exit_code: Nullable(Type.Integer()),
    reason: Nullable(Type.String())
  }))
}, { $id: 'ContainerTask' })
export type ContainerTask = Static<typeof ContainerTask>

export const ContainerTaskPage = partialPage(ContainerTask, 'ContainerTaskPage')

export const TaskParams = Type.Object({
  service: Reference,
  task: Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$', examples: ['1dc5c17a422b'], description: 'The id of a task, as listServiceTasks gives it'
  })
})

/** What of a task its end was approved on. */
export const TaskFacts = Type.Object({
  status: Type.String(),
  desired_status: Type.String(),
  task_definition: Type.String(),
  deployment_id: Nullable(Type.String())
})
export type TaskFacts = Static<typeof TaskFacts>

export const StopTask = Type.Object({
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Why; ECS shows it with the task' })),
  expected: Expected(TaskFacts)
}, { $id: 'StopTask', additionalProperties: false })
export type StopTask = Static<typeof StopTask>

export const TaskStop = Type.Object({ service_id: Type.String(), task: ContainerTask, requested_at: Timestamp }, { $id: 'TaskStop' })
export type TaskStop = Static<typeof TaskStop>
