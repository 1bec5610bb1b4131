import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../common.js'

export const TrailQuery = Type.Object({
  user_id: Type.Optional(Id),
  confirmation_id: Type.Optional(Id)
})
export type TrailQuery = Static<typeof TrailQuery>

const LogQuery = Type.Object({
  command: Type.String({ description: 'For the AWS CLI: CloudTrail\'s event history, 90 days of one region' }),
  sql: Type.String({ description: 'For Athena, over a CloudTrail table called cloudtrail_logs' })
}, { $id: 'CloudLogQuery' })
export type LogQuery = Static<typeof LogQuery>

export const CloudTrail = Type.Object({
  narrowed: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why AWS\'s log does not tell people and approvals apart' })),
  person: Nullable(LogQuery),
  approval: Nullable(LogQuery)
}, {
  $id: 'CloudTrail',
  description: 'What to ask CloudTrail: the changes that were sent for one person, and those of one approval'
})
export type CloudTrail = Static<typeof CloudTrail>
