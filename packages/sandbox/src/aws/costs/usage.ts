import type {
  GetCostAndUsageRequest, GetCostAndUsageResponse, GroupDefinition, MetricValue, ResultByTime
} from '@aws-sdk/client-cost-explorer'
import { AwsError, validation } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { tokenPosition, writeToken } from '../core/paging.js'
import { dayOf, formatDay, monthStart, parseDay, split, type Interval, type Period } from './days.js'
import { groupKey, passes } from './filter.js'
import { costOf, MONEY_METRICS, QUANTITY_METRICS, quantityOf } from './ledger.js'
import { toAmount } from './money.js'
import type { CostLine } from './state.js'

/** A page ends after the period in which it reaches this many rows; AWS charges for every page. */
const ROWS_PER_PAGE = 1000

export const usageOperations = {
  GetCostAndUsage: operation('ce:GetCostAndUsage', getCostAndUsage,
    ({ region }) => `arn:aws:ce:us-east-1:${region.accountId}:/GetCostAndUsage`)
}

function getCostAndUsage (call: Call<GetCostAndUsageRequest>): GetCostAndUsageResponse {
  const { input, account } = call
  const range = parseRange(input.TimePeriod, call.now)
  const granularity = parseGranularity(input)
  requireMetrics(input.Metrics)
  const groupBy = input.GroupBy ?? []
  if (groupBy.length > 2) throw validation('Number of group definitions exceeds the maximum of 2.')
  const lines = account.costs.lines.filter((line) => passes(input.Filter, line, account))
  const periods = split(range, granularity)
  const { shown, nextToken } = takePage(periods, input, groupBy.length > 0 ? lines.length : 1)
  return {
    ResultsByTime: shown.map((period) => result(call, lines, period, groupBy)),
    ...(groupBy.length > 0 ? { GroupDefinitions: groupBy } : {}),
    DimensionValueAttributes: groupBy.some((one) => one.Key === 'LINKED_ACCOUNT')
      ? [{ Value: account.id, Attributes: { description: account.name } }]
      : [],
    ...(nextToken ? { NextPageToken: nextToken } : {})
  }
}

export function parseRange (interval: Interval | undefined, now: number): Period {
  const from = parseDay(interval?.Start)
  const to = parseDay(interval?.End)
  const { day } = dayOf(now)
  if (from >= to) throw validation('Start date (and hour) should be before end date (and hour)')
  if (to > monthStart(day, 1)) throw validation('end date past the beginning of next month')
  if (from < monthStart(day, -14)) {
    throw validation("You haven't enabled historical data beyond 14 months. " +
      'Go to Cost Management preferences to enable it.')
  }
  return { from, to }
}

function parseGranularity ({ Granularity }: GetCostAndUsageRequest): 'DAILY' | 'MONTHLY' {
  if (Granularity === 'DAILY' || Granularity === 'MONTHLY') return Granularity
  if (Granularity === 'HOURLY') {
    throw new AwsError('AccessDeniedException', 'User not enabled for hourly granularity')
  }
  throw validation('Granularity must be one of DAILY, MONTHLY, HOURLY.')
}

function requireMetrics (metrics: string[] | undefined): void {
  if (!metrics?.length) throw validation('Metrics must not be empty.')
  const unknown = metrics.find((one) => ![...MONEY_METRICS, ...QUANTITY_METRICS].includes(one))
  if (unknown !== undefined) throw validation(`Invalid metric: ${unknown}`)
}

function takePage (periods: Period[], { NextPageToken: token, ...query }: GetCostAndUsageRequest, rows: number) {
  const scope = JSON.stringify(query)
  const start = token === undefined ? 0 : tokenPosition(token, scope)
  if (typeof start !== 'number') throw new AwsError('InvalidNextTokenException', 'The next page token is invalid.')
  const end = start + Math.max(1, Math.floor(ROWS_PER_PAGE / Math.max(1, rows)))
  return { shown: periods.slice(start, end), nextToken: end < periods.length ? writeToken(scope, end) : undefined }
}

function result (
  call: Call<GetCostAndUsageRequest>, lines: CostLine[], period: Period, groupBy: GroupDefinition[]
): ResultByTime {
  const { day } = dayOf(call.now)
  return {
    TimePeriod: { Start: formatDay(period.from), End: formatDay(period.to) },
    Total: groupBy.length > 0 ? {} : measure(call, lines, period),
    Groups: groupBy.length > 0 ? groups(call, lines, period, groupBy) : [],
    Estimated: period.to > monthStart(day)
  }
}

function groups (
  call: Call<GetCostAndUsageRequest>, lines: CostLine[], period: Period, groupBy: GroupDefinition[]
) {
  const byKey = new Map<string, CostLine[]>()
  for (const line of lines) {
    const key = JSON.stringify(groupBy.map((one) => groupKey(one, line, call.account)))
    byKey.set(key, [...byKey.get(key) ?? [], line])
  }
  return [...byKey].sort(([a], [b]) => a < b ? -1 : 1)
    // The line above writes it as an array of texts.
    .map(([key, members]) => ({ Keys: JSON.parse(key) as string[], Metrics: measure(call, members, period) }))
    .filter(({ Metrics }) => Object.values(Metrics).some((one) => one.Amount !== '0'))
}

function measure (
  { input, account, now }: Call<GetCostAndUsageRequest>, lines: CostLine[], period: Period
): Record<string, MetricValue> {
  return Object.fromEntries((input.Metrics ?? []).map((metric) => {
    const isQuantity = QUANTITY_METRICS.includes(metric)
    const amounts = lines.map((line) => {
      const cost = costOf(account.costs, line, period, isQuantity ? 'UnblendedCost' : metric, now)
      return metric === 'UsageQuantity' ? quantityOf(line, cost) : isQuantity ? 0 : cost
    })
    const sum = amounts.reduce((total, one) => total + one, 0)
    return [metric, { Amount: toAmount(sum), Unit: isQuantity ? 'N/A' : 'USD' }]
  }))
}
