import type { CloudWatch, GetMetricDataCommandOutput, MetricDataQuery, MetricDataResult } from '@aws-sdk/client-cloudwatch'
import type { Service } from '@aws-sdk/client-ecs'
import { collectPages, TokenGuard } from '../../../../lib/aws/pages.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { MetricPoint, Metrics, MetricSeries, MetricSummary } from '../../../../schemas/infrastructure/metrics.js'
import type { Deps, Source } from '../errors.js'
import { idOfFunction, loadFunction, type FunctionRef } from '../functions/resolve-function.js'
import { makeId } from '../identity.js'
import { targetGroupsOf } from '../services/describe-service.js'
import { loadService } from '../services/read-service.js'
import type { ServiceRef } from '../services/resolve.js'
import { measuredOfFunction, measuredOfService, measuredOfTargets, type Measured } from './measured.js'
import type { MetricRange } from './metric-range.js'

/** CloudWatch answers 100,800 points a page, far more than is asked for: what has more pages is slow to be complete. */
const maxPages = 5

/** What has come of one series, over all pages. */
interface Gathered { points: Map<number, number>, status: string | undefined, words: string[] }

interface GatheredAll { byId: Map<string, Gathered>, words: string[], isCut: boolean }

const wordsOf = ({ Messages: messages = [] }: Pick<MetricDataResult | GetMetricDataCommandOutput, 'Messages'>): string[] =>
  messages.map(({ Code: code, Value: value }) => [code, value].filter((part) => part).join(': '))

const take = (gathered: Gathered, result: MetricDataResult) => {
  const { Timestamps: times = [], Values: values = [], StatusCode: status } = result
  for (const [index, at] of times.entries()) {
    const value = values[index]
    if (value !== undefined) gathered.points.set(at.getTime(), value)
  }
  gathered.status = status
  gathered.words.push(...wordsOf(result))
}

const toQuery = ({ id, namespace, metric, dimensions, statistic }: Measured, { period }: MetricRange): MetricDataQuery => ({
  Id: id,
  MetricStat: {
    Metric: {
      Namespace: namespace,
      MetricName: metric,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }))
    },
    Period: period,
    Stat: statistic
  }
})

const gatherPages = async (cloudwatch: CloudWatch, measured: Measured[], range: MetricRange): Promise<GatheredAll> => {
  const tokens = new TokenGuard('GetMetricData')
  const byId = new Map<string, Gathered>()
  const words: string[] = []
  let token: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await cloudwatch.getMetricData({
      StartTime: new Date(range.from),
      EndTime: new Date(range.to),
      ScanBy: 'TimestampAscending',
      MetricDataQueries: measured.map((one) => toQuery(one, range)),
      NextToken: token
    })
    words.push(...wordsOf(page))
    for (const result of page.MetricDataResults ?? []) {
      const id = result.Id ?? ''
      const held = byId.get(id) ?? { points: new Map(), status: undefined, words: [] }
      byId.set(id, held)
      take(held, result)
    }
    token = tokens.accept(page.NextToken)
    if (token === undefined) return { byId, words, isCut: false }
  }
  return { byId, words, isCut: true }
}

/** Sums say how much, averages how high; of a percentile's points neither says anything. */
const summarize = (points: MetricPoint[], statistic: string): MetricSummary | null => {
  const last = points.at(-1)
  if (!last) return null
  const sum = points.reduce((total, { value }) => total + value, 0)
  return {
    sum: statistic === 'Sum' ? sum : null,
    average: statistic === 'Average' ? sum / points.length : null,
    max: points.reduce((most, { value }) => Math.max(most, value), -Infinity),
    last
  }
}

const failures: Record<string, string> = {
  InternalError: 'CloudWatch had an error of its own; ask again',
  Forbidden: 'CloudWatch does not let this account read it'
}

const judge = (gathered: Gathered | undefined, { words, isCut }: GatheredAll, { silence }: Measured):
Pick<MetricSeries, 'status' | 'reason'> => {
  const said = [...gathered?.words ?? [], ...words].join('; ') || null
  if (!gathered) return { status: 'failed', reason: said ?? 'CloudWatch left it out of its answer' }
  const { status, points } = gathered
  if (status === 'PartialData') {
    const pages = isCut ? `CloudWatch has more than the ${maxPages} pages that were read` : 'CloudWatch did not answer all of it'
    return { status: 'partial', reason: said ?? pages }
  }
  if (status !== 'Complete') {
    const reason = said ?? failures[status ?? ''] ?? 'CloudWatch does not say whether it is complete'
    return { status: points.size === 0 ? 'failed' : 'partial', reason }
  }
  return points.size === 0 ? { status: 'no_data', reason: said ?? silence } : { status: 'data', reason: said }
}

const describe = (measured: Measured, all: GatheredAll): MetricSeries => {
  const { silence: _, ...series } = measured
  const gathered = all.byId.get(measured.id)
  const points = [...gathered?.points ?? []].sort(([a], [b]) => a - b)
    .map(([at, value]): MetricPoint => ({ at: new Date(at).toISOString(), value }))
  return { ...series, ...judge(gathered, all, measured), points, summary: summarize(points, series.statistic) }
}

interface Wanted { resource_id: string, measured: Measured[], notes: string[] }

const readAll = async (cloudwatch: CloudWatch, { account, region }: Source, range: MetricRange, wanted: Wanted):
Promise<Metrics> => {
  const all = await gatherPages(cloudwatch, wanted.measured, range)
  return {
    resource_id: wanted.resource_id,
    account_id: account.id,
    account_name: account.name,
    region,
    since: new Date(range.from).toISOString(),
    until: new Date(range.to).toISOString(),
    period_seconds: range.period,
    series: wanted.measured.map((measured) => describe(measured, all)),
    notes: wanted.notes,
    read_at: new Date().toISOString()
  }
}

/** A target group is named by its load balancer too, and only CloudWatch, of what may be read, knows which one that is. */
const findBalancers = async (cloudwatch: CloudWatch, TargetGroup: string): Promise<string[]> => {
  const metrics = await collectPages({ what: 'ListMetrics', maxPages }, async (NextToken) => {
    const page = await cloudwatch.listMetrics({
      Namespace: 'AWS/ApplicationELB',
      MetricName: 'RequestCount',
      Dimensions: [{ Name: 'TargetGroup', Value: TargetGroup }],
      NextToken
    })
    return { items: page.Metrics ?? [], next: page.NextToken }
  })
  const names = metrics.flatMap(({ Dimensions = [] }) =>
    Dimensions.flatMap(({ Name, Value }) => Name === 'LoadBalancer' && Value !== undefined ? [Value] : []))
  return [...new Set(names)].sort()
}

/** Four series each; a service has rarely more than two. */
const mostGroups = 5

const measureTargets = async (cloudwatch: CloudWatch, service: Service, notes: string[]): Promise<Measured[]> => {
  const all = targetGroupsOf(service)
  const groups = all.slice(0, mostGroups)
  if (all.length > mostGroups) notes.push(`Only the first ${mostGroups} of ${all.length} target groups are read`)
  const found = await Promise.all(groups.map(async (group) => {
    const name = group.split('/')[1] ?? group
    try {
      const balancers = await findBalancers(cloudwatch, group)
      if (balancers.length === 0) notes.push(`CloudWatch has had no request of target group ${name} in the last two weeks`)
      return balancers.map((balancer) => ({ group, balancer }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notes.push(`The metrics of target group ${name} could not be read: ${error.message}`)
      return []
    }
  }))
  return found.flat().flatMap(({ group, balancer }, index) => measuredOfTargets(group, balancer, index === 0 ? '' : `_${index + 1}`))
}

/** @throws service_not_found, and what AWS answers */
export const readServiceMetrics = async (deps: Deps, ref: ServiceRef, range: MetricRange): Promise<Metrics> => {
  const [service, cloudwatch] = await Promise.all([
    loadService(deps, ref), deps.aws.client('cloudwatch', ref.account, ref.region)
  ])
  const notes: string[] = []
  const measured = [...measuredOfService(ref.cluster, ref.service), ...await measureTargets(cloudwatch, service, notes)]
  return readAll(cloudwatch, ref, range,
    { resource_id: makeId(ref.account.id, ref.region, ref.cluster, ref.service), measured, notes })
}

/** @throws function_not_found, and what AWS answers */
export const readFunctionMetrics = async (deps: Deps, ref: FunctionRef, range: MetricRange): Promise<Metrics> => {
  // CloudWatch has no data of what does not exist either.
  await loadFunction(deps, ref)
  const cloudwatch = await deps.aws.client('cloudwatch', ref.account, ref.region)
  return readAll(cloudwatch, ref, range, { resource_id: idOfFunction(ref), measured: measuredOfFunction(ref.name), notes: [] })
}
