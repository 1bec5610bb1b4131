import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import { healthStates, type Health } from './services.js'

export type FindingKind = 'counts' | 'health_check' | 'deployment' | 'task_stopped' | 'event' | 'alarm' | 'log'
export type FindingWeight = 'high' | 'medium' | 'low'

export const DiagnosisFinding = Type.Object({
  kind: Words<FindingKind>(['counts', 'health_check', 'deployment', 'task_stopped', 'event', 'alarm', 'log']),
  weight: Words<FindingWeight>(['high', 'medium', 'low'], { description: 'How much it says about why; the heaviest come first' }),
  text: Type.String({ description: 'What was found; no guess' }),
  at: Nullable(Type.Unsafe<Date | string>({ ...Timestamp, description: 'When it happened' })),
  source: Type.Object({
    operation: Type.String({ description: 'Of AWS, such as ecs:DescribeServices' }),
    id: Type.String({ description: 'Of what says so: a service, a deployment, a task, an event, an alarm, a log stream' })
  })
}, { $id: 'DiagnosisFinding' })
export type DiagnosisFinding = Static<typeof DiagnosisFinding>

export const Diagnosis = Type.Object({
  service_id: Type.String(),
  name: Type.String(),
  cluster: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  region: Type.String(),
  health: Words<Health>(healthStates),
  health_reason: Nullable(Type.String()),
  findings: Type.Array(DiagnosisFinding),
  unread: Type.Array(Type.String({ description: 'What could not be read, or was not, and why' })),
  read_at: Timestamp
}, { $id: 'Diagnosis' })
export type Diagnosis = Static<typeof Diagnosis>
