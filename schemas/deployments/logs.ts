import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import type { NewEventOf } from '../events.js'
import { BuildStep, buildStatuses, stepNames, type BuildStatus, type StepName } from './builds.js'

const Seq = Type.Integer({ description: 'The position in the build\'s record, which holds its steps and states too' })

const line = {
  seq: Seq,
  at: Timestamp,
  step: Words<StepName>(stepNames),
  stream: Words(['stdout', 'stderr', 'system']),
  text: Type.String()
}

export const BuildLogLine = Type.Object(line, { $id: 'BuildLogLine' })
export type BuildLogLine = Static<typeof BuildLogLine>

const Status = Words<BuildStatus>(buildStatuses)

export const BuildLog = Type.Object({
  build_id: Id,
  status: Status,
  items: Type.Array(BuildLogLine),
  next_seq: Type.Integer({ description: 'Send it as `after` for what follows' }),
  complete: Type.Boolean({ description: 'The build has ended and nothing follows' }),
  truncated: Type.Boolean({ description: 'The log was longer than is kept' })
}, { $id: 'BuildLog' })
export type BuildLog = Static<typeof BuildLog>

export const LogQuery = Type.Object({
  after: Type.Integer({ minimum: 0, maximum: 1e15, default: 0, description: 'Only lines after this seq' }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 })
})

export const FollowHeaders = Type.Object({
  accept: Type.Optional(Type.String({ maxLength: 500, description: 'text/event-stream follows the build live' })),
  'last-event-id': Type.Optional(Type.String({ maxLength: 30, description: 'The last id held; goes on after it' }))
})

const BuildLogEvent = Type.Object({ type: Type.Literal('log'), ...line }, { $id: 'BuildLogTold' })
const BuildStepEvent = Type.Object({ type: Type.Literal('step'), seq: Seq, step: BuildStep }, { $id: 'BuildStepTold' })
const states = { seq: Seq, status: Status, status_reason: Nullable(Type.String()) }
const BuildStatusEvent = Type.Object({ type: Type.Literal('status'), ...states }, { $id: 'BuildStatusTold' })
const BuildEndEvent = Type.Object({ type: Type.Literal('end'), ...states }, { $id: 'BuildEndTold' })

/** What the data of each frame is; `type` equals the frame's event name, the frame's id is `seq`. */
export const BuildEvent = Type.Union([BuildLogEvent, BuildStepEvent, BuildStatusEvent, BuildEndEvent],
  { $id: 'BuildEvent', discriminator: { propertyName: 'type' } })
export type BuildEvent = Static<typeof BuildEvent>
export type NewBuildEvent = NewEventOf<BuildEvent, 'seq' | 'at'>
