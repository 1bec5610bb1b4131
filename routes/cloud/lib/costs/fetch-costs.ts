import type {
  Anomaly, CostExplorer, Expression, Group, GroupDefinition, ResultByTime
} from '@aws-sdk/client-cost-explorer'
import type {
  CostAnomaly, CostForecast, CostGroup, CostPeriod, CostQuery, Metric
} from '../../../../schemas/cloud/costs.js'
import { collectPages, TokenGuard } from '../../../../lib/aws/pages.js'
import { ApiError } from '../../../../schemas/errors.js'
import { dayAfter, monthStart, type CostRange, moneyOf, sum, sumGroups } from './costs.js'
import { CostDataUnavailable, CostRangeInvalid } from '../errors.js'
import { stackOf } from '../../../../lib/aws/stack.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'

const maxPages = 20
const anomalyDays = 90
const dayMs = 86_400_000

/**
 * Each request is paid for, repeats of the SDK included: `pay` takes one from the budget, or throws.
 * `excluded`: the linked accounts whose own registrations are read.
 */
export interface Paid { client: CostExplorer, account_id: string, excluded: string[], pay: () => Promise<void> }

/** Low: inside the SDK's repeats, so that every request that goes out is counted. */
const counted = <Command extends { middlewareStack: object }>(command: Command, { pay }: Paid): Command => {
  stackOf(command).add((next) => async (args) => {
    await pay()
    return next(args)
  }, { step: 'finalizeRequest', priority: 'low', name: 'stewardPay' })
  return command
}

/** A payer's answer holds its linked accounts: those that are registered themselves must not count twice. */
const filterOf = ({ excluded }: Paid, creditsOnly = false): { Filter?: Expression } => {
  const others: Expression[] = excluded.length === 0
    ? []
    : [{ Not: { Dimensions: { Key: 'LINKED_ACCOUNT', Values: excluded } } }]
  const credits: Expression[] = creditsOnly ? [{ Dimensions: { Key: 'RECORD_TYPE', Values: creditTypes } }] : []
  const [first, ...more] = [...others, ...credits]
  if (first === undefined) return {}
  return { Filter: more.length > 0 ? { And: [first, ...more] } : first }
}

const groupsOf = (groupBy: string): GroupDefinition[] => groupBy === 'NONE'
  ? []
  : groupBy.split(',').map((key): GroupDefinition => key.startsWith('TAG:')
    ? { Type: 'TAG', Key: key.slice(4) }
    : { Type: 'DIMENSION', Key: key })

/** AWS writes a tag's group as `team$web`, and what has no such tag as `team$`. */
const keyOf = (key: string, definition: GroupDefinition | undefined): string =>
  definition?.Type === 'TAG' ? key.slice(key.indexOf('$') + 1) || '(untagged)' : key

const isUnavailable = (error: unknown): error is ApiError => {
  if (!(error instanceof ApiError)) return false
  const aws = awsDetailOf(error)
  return /^(DataUnavailable|BillExpiration)/.test(aws.code ?? '')
}

const rethrow = (error: unknown): never => {
  throw isUnavailable(error) ? CostDataUnavailable(error.message, error.members) : error
}

/** What AWS gives or takes back: without it apart, use that is paid by credits looks like no use. */
const creditTypes = ['Credit', 'Refund']
const recordType: GroupDefinition = { Type: 'DIMENSION', Key: 'RECORD_TYPE' }
const maxGroups = 2

/** What is sent to AWS for what was asked: `typeAt` is the place of the record type among the keys of a group. */
interface Grouping { asked: GroupDefinition[], sent: GroupDefinition[], typeAt: number, creditsOnly: boolean }

/** AWS groups by two things: beside two that were asked, credits need a request of their own. */
const groupingsOf = (asked: GroupDefinition[]): Grouping[] => {
  const known = asked.findIndex(({ Key }) => Key === recordType.Key)
  if (known >= 0) return [{ asked, sent: asked, typeAt: known, creditsOnly: false }]
  if (asked.length < maxGroups) {
    return [{ asked, sent: [...asked, recordType], typeAt: asked.length, creditsOnly: false }]
  }
  return [false, true].map((creditsOnly) => ({ asked, sent: asked, typeAt: -1, creditsOnly }))
}

const toGroup = ({ Keys = [], Metrics }: Group, metric: Metric, grouping: Grouping): CostGroup => {
  const { asked, typeAt, creditsOnly } = grouping
  const amount = sum([Metrics?.[metric]?.Amount ?? '0'])
  return {
    keys: asked.map((definition, index) => keyOf(Keys[index] ?? '', definition)),
    // The other request has what the credits of this one are taken from.
    amount: creditsOnly ? '0' : amount,
    credits: creditsOnly || creditTypes.includes(Keys[typeAt] ?? '') ? amount : '0',
    currency: Metrics?.[metric]?.Unit ?? 'USD'
  }
}

const toPeriod = (result: ResultByTime, metric: Metric, grouping: Grouping): CostPeriod => ({
  start: result.TimePeriod?.Start ?? '',
  end_exclusive: result.TimePeriod?.End ?? '',
  estimated: result.Estimated ?? false,
  totals: [],
  credits: [],
  groups: (result.Groups ?? []).map((group) => toGroup(group, metric, grouping))
})

/** AWS returns no total with groups. */
const withSums = (period: CostPeriod, asked: GroupDefinition[]): CostPeriod => {
  const groups = sumGroups(period.groups)
  const credits = moneyOf(groups, ({ credits }) => credits).filter(({ amount }) => amount !== '0')
  const totals = moneyOf(groups, ({ amount }) => amount)
  return { ...period, totals, credits, groups: asked.length > 0 ? groups : [] }
}

const fetchPage = async (paid: Paid, range: CostRange, query: CostQuery, { sent, creditsOnly }: Grouping,
  NextPageToken: string | undefined) => {
  const { GetCostAndUsageCommand } = await import('@aws-sdk/client-cost-explorer')
  const command = new GetCostAndUsageCommand({
    TimePeriod: { Start: range.start, End: range.end_exclusive },
    Granularity: range.granularity,
    Metrics: [query.metric],
    GroupBy: sent,
    ...filterOf(paid, creditsOnly),
    NextPageToken
  })
  return paid.client.send(counted(command, paid)).catch(rethrow)
}

/**
 * Follows the pages to the end, with the periods that two pages share put together.
 * @throws cost_data_unavailable, cost_range_invalid after 20 pages, cost_budget_exhausted, and what AWS answers
 */
export const fetchPeriods = async (paid: Paid, range: CostRange, query: CostQuery): Promise<CostPeriod[]> => {
  const asked = groupsOf(query.group_by)
  const periods = new Map<string, CostPeriod>()
  let pages = 0
  for (const grouping of groupingsOf(asked)) {
    const tokens = new TokenGuard('GetCostAndUsage')
    let token: string | undefined
    do {
      // A sum of the first pages would look like the whole.
      if (++pages > maxPages) throw CostRangeInvalid(`More than ${maxPages} paid pages: ask for fewer days or groups`)
      const page = await fetchPage(paid, range, query, grouping, token)
      for (const result of page.ResultsByTime ?? []) {
        const period = toPeriod(result, query.metric, grouping)
        const held = periods.get(period.start)
        periods.set(period.start, held ? merge(held, period) : period)
      }
      token = tokens.accept(page.NextPageToken)
    } while (token)
  }
  return [...periods.values()].map((period) => withSums(period, asked))
}

const merge = (a: CostPeriod, b: CostPeriod): CostPeriod =>
  ({ ...a, estimated: a.estimated || b.estimated, groups: [...a.groups, ...b.groups] })

export const noForecast: CostForecast =
  { status: 'not_requested', mean: null, low: null, high: null, until: null, reason: null }

/** The forecast has its own names for the metrics. */
const names = {
  UnblendedCost: 'UNBLENDED_COST',
  AmortizedCost: 'AMORTIZED_COST',
  NetUnblendedCost: 'NET_UNBLENDED_COST',
  NetAmortizedCost: 'NET_AMORTIZED_COST',
  BlendedCost: 'BLENDED_COST'
} as const

/** From today to the end of the month; on its last day that is one day. */
export const fetchForecast = async (paid: Paid, metric: Metric, today: string): Promise<CostForecast> => {
  const { GetCostForecastCommand } = await import('@aws-sdk/client-cost-explorer')
  const end = monthStart(today, 1)
  const until = new Date(Date.parse(`${end}T00:00:00Z`) - dayMs).toISOString().slice(0, 10)
  const command = new GetCostForecastCommand({
    TimePeriod: { Start: today, End: end },
    Granularity: 'MONTHLY',
    Metric: names[metric],
    PredictionIntervalLevel: 80,
    ...filterOf(paid)
  })
  try {
    const answer = await paid.client.send(counted(command, paid))
    const parts = answer.ForecastResultsByTime ?? []
    return {
      status: 'ok',
      mean: { amount: sum([answer.Total?.Amount ?? '0']), currency: answer.Total?.Unit ?? 'USD' },
      low: sum(parts.map((part) => part.PredictionIntervalLowerBound ?? '0')),
      high: sum(parts.map((part) => part.PredictionIntervalUpperBound ?? '0')),
      until,
      reason: null
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { ...noForecast, status: 'unavailable', until, reason: error.message }
  }
}

const toAnomaly = (account_id: string, anomaly: Anomaly): CostAnomaly => ({
  id: anomaly.AnomalyId ?? '',
  account_id,
  service: anomaly.DimensionValue ?? null,
  start: (anomaly.AnomalyStartDate ?? '').slice(0, 10),
  end: anomaly.AnomalyEndDate?.slice(0, 10) ?? null,
  impact: { amount: sum([String(anomaly.Impact?.TotalImpact ?? 0)]), currency: 'USD' },
  score: String(anomaly.AnomalyScore?.MaxScore ?? 0)
})

/** GetAnomalies takes no filter, but an anomaly names the linked accounts that caused it. */
const isElsewhere = ({ excluded }: Paid, { RootCauses: causes = [] }: Anomaly): boolean =>
  causes.length > 0 && causes.every(({ LinkedAccount: number }) => number !== undefined && excluded.includes(number))

/** @throws what AWS answers; aws_error after 20 pages */
export const fetchAnomalies = async (paid: Paid, range: CostRange, today: string): Promise<CostAnomaly[]> => {
  const { GetAnomaliesCommand } = await import('@aws-sdk/client-cost-explorer')
  const oldest = new Date(Date.parse(`${today}T00:00:00Z`) - (anomalyDays - 1) * dayMs).toISOString().slice(0, 10)
  const start = range.start < oldest ? oldest : range.start
  if (range.end < start) return []
  const found = await collectPages({ what: 'GetAnomalies', maxPages }, async (NextPageToken) => {
    const command = new GetAnomaliesCommand({
      DateInterval: { StartDate: start, EndDate: range.end }, MaxResults: 100, NextPageToken
    })
    const page = await paid.client.send(counted(command, paid))
    return { items: page.Anomalies ?? [], next: page.NextPageToken }
  })
  return found.filter((anomaly) => !isElsewhere(paid, anomaly)).map((anomaly) => toAnomaly(paid.account_id, anomaly))
}

/**
 * @returns the keys of tags of what cost something
 * @throws cost_data_unavailable, cost_budget_exhausted, what AWS answers; aws_error after 20 pages
 */
export const fetchTags = async (paid: Paid, { start, end_exclusive: end }: CostRange): Promise<string[]> => {
  const { GetTagsCommand } = await import('@aws-sdk/client-cost-explorer')
  return collectPages({ what: 'GetTags', maxPages }, async (NextPageToken) => {
    const command = new GetTagsCommand({ TimePeriod: { Start: start, End: end }, ...filterOf(paid), NextPageToken })
    const page = await paid.client.send(counted(command, paid)).catch(rethrow)
    return { items: page.Tags ?? [], next: page.NextPageToken }
  })
}

/** @returns whether AWS may still change the amounts: closed periods settle within some days */
export const isSettled = (range: CostRange, now = Date.now()): boolean =>
  Date.parse(`${dayAfter(range.end)}T00:00:00Z`) < now - 5 * dayMs
