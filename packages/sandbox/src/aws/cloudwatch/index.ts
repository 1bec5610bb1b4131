import type {
  Dimension, GetMetricDataInput, GetMetricDataOutput, ListMetricsInput, ListMetricsOutput, MetricDataQuery, MetricDataResult
} from '@aws-sdk/client-cloudwatch'
import { AwsError } from '../core/errors.js'
import { operation, type Call, type Operation } from '../core/operation.js'
import { page, tokenPosition, writeToken } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import type { Region } from '../core/world.js'
import { describeAlarms } from './alarms.js'
import { metricsOf, type MetricState } from './metrics.js'
import { pointsOf, statisticOf, type Sample } from './statistics.js'

const invalid = (message: string) => new AwsError('ValidationError', message)
const MOST_POINTS = 100_800

export const cloudwatchOperations: Record<string, Operation> = {
  GetMetricData: operation('cloudwatch:GetMetricData', getMetricData),
  DescribeAlarms: operation('cloudwatch:DescribeAlarms', describeAlarms),
  ListMetrics: operation('cloudwatch:ListMetrics', listMetrics)
}

const has = (metric: MetricState, { Name, Value }: Dimension) =>
  metric.dimensions.some((one) => one.Name === Name && (Value === undefined || one.Value === Value))

/** A metric is its namespace, its name and all its dimensions. */
function findMetric (region: Region, query: Wire<MetricDataQuery>): MetricState | undefined {
  const { Namespace, MetricName, Dimensions = [] } = query.MetricStat?.Metric ?? {}
  return metricsOf(region).find((one) => one.namespace === Namespace && one.name === MetricName &&
    one.dimensions.length === Dimensions.length && Dimensions.every((dimension) => has(one, dimension)))
}

function requireQueries ({ MetricDataQueries: queries = [], StartTime, EndTime }: Wire<GetMetricDataInput>): void {
  if (queries.length === 0) throw invalid('The collection MetricDataQueries must not be empty.')
  if (queries.length > 500) throw invalid('The collection MetricDataQueries must not have a size greater than 500.')
  if (StartTime === undefined || EndTime === undefined || StartTime >= EndTime) {
    throw invalid('The parameter StartTime must be less than the parameter EndTime.')
  }
  const ids = queries.map(({ Id }) => Id ?? '')
  if (new Set(ids).size < ids.length) throw invalid('The values for parameter id in MetricDataQueries must be unique.')
  for (const { Id = '', MetricStat, Expression } of queries) {
    if (!/^[a-z]\w*$/.test(Id)) throw invalid(`The value ${Id} for parameter id is not matching the pattern ^[a-z][a-zA-Z0-9_]*$.`)
    if (Expression !== undefined || !MetricStat) throw invalid('The sandbox reads metrics, not expressions.')
    const { Period = 0, Stat = '' } = MetricStat
    if (Period < 60 || Period % 60 !== 0) throw invalid(`The value ${Period} for parameter Period must be a multiple of 60.`)
    if (!statisticOf(Stat)) throw invalid(`The value ${Stat} for parameter Stat is not supported.`)
  }
}

interface Read { query: Wire<MetricDataQuery>, points: Sample[] }

function readPoints ({ region, input, now }: Call<Wire<GetMetricDataInput>>, query: Wire<MetricDataQuery>): Sample[] {
  const { Period = 60, Stat = '' } = query.MetricStat ?? {}
  const statistic = statisticOf(Stat)
  const from = (input.StartTime ?? 0) * 1_000
  const samples = findMetric(region, query)?.samples(from, Math.min((input.EndTime ?? 0) * 1_000, now)) ?? []
  const points = statistic ? pointsOf(samples, Period * 1_000, statistic).filter(({ at }) => at >= from) : []
  return input.ScanBy === 'TimestampAscending' ? points : points.reverse()
}

/** One page: the points of all queries in turn. A query whose points go on is `PartialData`. */
function getMetricData (call: Call<Wire<GetMetricDataInput>>): Wire<GetMetricDataOutput> {
  const { input } = call
  requireQueries(input)
  const reads: Read[] = (input.MetricDataQueries ?? []).map((query) => ({ query, points: readPoints(call, query) }))
  const start = input.NextToken === undefined ? 0 : tokenPosition(input.NextToken, 'points')
  if (typeof start !== 'number') throw invalid('The value for parameter NextToken is not valid.')
  const end = start + Math.min(input.MaxDatapoints ?? MOST_POINTS, MOST_POINTS)
  let before = 0
  const results = reads.map(({ query, points }): Wire<MetricDataResult> => {
    const [first, last] = [Math.max(0, start - before), Math.max(0, end - before)]
    before += points.length
    const shown = points.slice(first, last)
    return {
      Id: query.Id,
      Label: query.Label ?? query.MetricStat?.Metric?.MetricName,
      Timestamps: shown.map(({ at }) => seconds(at)),
      Values: shown.map(({ value }) => value),
      StatusCode: last < points.length ? 'PartialData' : 'Complete'
    }
  })
  return { MetricDataResults: results, Messages: [], ...(end < before && { NextToken: writeToken('points', end) }) }
}

function listMetrics ({ region, input }: Call<ListMetricsInput>): Wire<ListMetricsOutput> {
  const found = metricsOf(region)
    .filter((one) => input.Namespace === undefined || one.namespace === input.Namespace)
    .filter((one) => input.MetricName === undefined || one.name === input.MetricName)
    .filter((one) => (input.Dimensions ?? []).every(({ Name, Value }) => has(one, { Name, Value })))
    .map(({ namespace, name, dimensions }) => ({ Namespace: namespace, MetricName: name, Dimensions: dimensions }))
  const { items, nextToken } = page(found, 'metrics', { token: input.NextToken }, { fallback: 500, max: 500, error: invalid })
  return { Metrics: items, NextToken: nextToken }
}
