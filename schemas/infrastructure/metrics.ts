import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'
import { LogQuery } from './logs.js'

export const MetricQuery = Type.Object({
  since: LogQuery.since,
  until: LogQuery.until,
  period: Type.Optional(Type.Integer({
    minimum: 60,
    maximum: 86_400,
    multipleOf: 60,
    examples: [300],
    description: 'Seconds of a point; without it the shortest that makes at most 300 points, for the assistant 60'
  }))
})
export type MetricQuery = Static<typeof MetricQuery>

export const metricUnits = ['percent', 'count', 'seconds', 'milliseconds'] as const
export type MetricUnit = typeof metricUnits[number]

export const MetricPoint = Type.Object({
  at: Type.Unsafe<Date | string>({ ...Timestamp, description: 'When its period begins' }), value: Type.Number()
}, { $id: 'MetricPoint' })
export type MetricPoint = Static<typeof MetricPoint>

export const MetricSummary = Type.Object({
  sum: Nullable(Type.Number({ description: 'Of the whole range; null where a sum says nothing' })),
  average: Nullable(Type.Number({ description: 'Of the points; null where an average of them says nothing' })),
  max: Type.Number({ description: 'The highest point' }),
  last: MetricPoint
}, { $id: 'MetricSummary' })
export type MetricSummary = Static<typeof MetricSummary>

export const MetricSeries = Type.Object({
  id: Type.String(),
  label: Type.String(),
  namespace: Type.String({ description: 'Of CloudWatch, such as AWS/ECS' }),
  metric: Type.String(),
  dimensions: Type.Record(Type.String(), Type.String()),
  unit: Words<MetricUnit>(metricUnits),
  statistic: Type.String({ description: 'Of each period, such as Average, Sum or p95' }),
  status: Words<'data' | 'no_data' | 'partial' | 'failed'>(['data', 'no_data', 'partial', 'failed'], {
    description: 'no_data: CloudWatch has nothing of the range, which is not 0; partial: points are missing; failed: ' +
      'CloudWatch did not answer for this metric. `reason` says why'
  }),
  reason: Nullable(Type.String()),
  points: Type.Array(MetricPoint, { description: 'Oldest first. A period of which nothing was reported has none' }),
  summary: Nullable(MetricSummary)
}, { $id: 'MetricSeries' })
export type MetricSeries = Static<typeof MetricSeries>

export const Metrics = Type.Object({
  resource_id: Type.String({ description: 'Of the service or function' }),
  account_id: Id,
  account_name: Type.String(),
  region: Type.String(),
  since: Timestamp,
  until: Type.Unsafe<Date | string>({ ...Timestamp, description: 'The end of the last period that is complete' }),
  period_seconds: Type.Integer(),
  series: Type.Array(MetricSeries),
  notes: Type.Array(Type.String({ description: 'What could not be read, and why' })),
  read_at: Timestamp
}, { $id: 'Metrics' })
export type Metrics = Static<typeof Metrics>
