import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, partialPage, Timestamp, Words } from '../common.js'
import { InventoryQuery, Reference } from './services.js'

export const alarmStates = ['alarm', 'ok', 'insufficient_data', 'unknown'] as const
export type AlarmState = typeof alarmStates[number]

export const AlarmQuery = Type.Object({
  ...InventoryQuery.properties,
  state: Type.Optional(Words<AlarmState>(alarmStates, { description: 'alarm: only those that fire' })),
  service: Type.Optional(Type.Unsafe<string>({
    ...Reference, description: 'Only the alarms of this container service: its id, ARN or name'
  }))
})
export type AlarmQuery = Static<typeof AlarmQuery>

export const AlarmMetric = Type.Object({
  namespace: Type.String(),
  metric: Type.String(),
  dimensions: Type.Record(Type.String(), Type.String()),
  statistic: Nullable(Type.String()),
  period_seconds: Nullable(Type.Integer())
}, { $id: 'AlarmMetric' })
export type AlarmMetric = Static<typeof AlarmMetric>

export const Alarm = Type.Object({
  id: Type.String({ description: '<account_id>~<region>~<name>' }),
  arn: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  account_id: Id,
  account_name: Type.String(),
  environment: Nullable(Type.String({ description: 'Of the account, such as production' })),
  region: Type.String(),
  kind: Words<'metric' | 'composite'>(['metric', 'composite']),
  state: Words<AlarmState>(alarmStates, {
    description: 'alarm: it fires; insufficient_data: CloudWatch has too little to say, which is not ok'
  }),
  since: Nullable(Type.Unsafe<Date | string>({ ...Timestamp, description: 'When it came into this state' })),
  reason: Nullable(Type.String({ description: 'Of the state, in the words of CloudWatch' })),
  metrics: Type.Array(AlarmMetric, { description: 'What it watches; none of a composite alarm' }),
  condition: Nullable(Type.String({ description: 'When it fires, such as GreaterThanThreshold 70 for 2 of 3 periods' })),
  rule: Nullable(Type.String({ description: 'Of a composite alarm: the alarms that it is made of' })),
  actions_enabled: Type.Boolean({ description: 'false: it tells nobody' }),
  console_url: Type.String()
}, { $id: 'Alarm' })
export type Alarm = Static<typeof Alarm>

export const AlarmPage = partialPage(Alarm, 'AlarmPage')
