import type { CostExplorer, GroupDefinition, ResultByTime } from '@aws-sdk/client-cost-explorer'
import type {
  CostAnomaly, CostForecast, CostGroup, CostPeriod, CostQuery, CostSlice, Metric
} from '../../../schemas/cloud/costs.js'
import { ApiError } from '../../../schemas/errors.js'
import { dayAfter, monthStart, type CostRange } from './cost-range.js'
import { sum, sumBy } from './decimal.js'
import { CostDataUnavailable, CostRangeInvalid } from './errors.js'

const maxPages = 20
const anomalyDays = 90
const dayMs = 86_400_000

/** Each call is paid for: `pay` takes it from the budget, or throws. */
export interface Paid { client: CostExplorer, account_id: string, pay: () => Promise<void> }

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
  const { aws } = error.members as { aws?: { code?: string } }
  return /^(DataUnavailable|BillExpiration)/.test(aws?.code ?? '')
}

const toPeriod = (result: ResultByTime, metric: Metric, definitions: GroupDefinition[]): CostPeriod => {
  const groups = (result.Groups ?? []).map((group): CostGroup => ({
    keys: (group.Keys ?? []).map((key, index) => keyOf(key, definitions[index])),
    amount: sum([group.Metrics?.[metric]?.Amount ?? '0']),
    currency: group.Metrics?.[metric]?.Unit ?? 'USD'
  }))
  const total = result.Total?.[metric]
  // With groups AWS tells no total.
  const totals = definitions.length > 0
    ? sumBy(groups, ({ currency }) => currency, ({ amount }) => amount)
    : new Map([[total?.Unit ?? 'USD', sum([total?.Amount ?? '0'])]])
  return {
    start: result.TimePeriod?.Start ?? '',
    end_exclusive: result.TimePeriod?.End ?? '',
    estimated: result.Estimated ?? false,
    totals: [...totals].map(([currency, amount]) => ({ amount, currency })),
    groups
  }
}

/** Follows the pages to the end, with the periods that two pages share put together. */
const fetchPeriods = async ({ client, pay }: Paid, range: CostRange, query: CostQuery): Promise<CostPeriod[]> => {
  const definitions = groupsOf(query.group_by)
  const periods = new Map<string, CostPeriod>()
  let NextPageToken: string | undefined
  let pages = 0
  do {
    await pay()
    const page = await client.getCostAndUsage({
      TimePeriod: { Start: range.start, End: range.end_exclusive },
      Granularity: range.granularity,
      Metrics: [query.metric],
      ...(definitions.length > 0 && { GroupBy: definitions }),
      NextPageToken
    }).catch((error: unknown) => {
      throw isUnavailable(error) ? CostDataUnavailable(error.message, error.members) : error
    })
    for (const result of page.ResultsByTime ?? []) {
      const period = toPeriod(result, query.metric, definitions)
      const held = periods.get(period.start)
      periods.set(period.start, held ? merge(held, period) : period)
    }
    NextPageToken = page.NextPageToken
  } while (NextPageToken && ++pages < maxPages)
  // A sum of the first pages would look like the whole.
  if (NextPageToken) throw CostRangeInvalid(`More than ${maxPages} paid pages: ask for fewer days or groups`)
  return [...periods.values()]
}

const merge = (a: CostPeriod, b: CostPeriod): CostPeriod => {
  const totals = sumBy([...a.totals, ...b.totals], ({ currency }) => currency, ({ amount }) => amount)
  return {
    ...a,
    estimated: a.estimated || b.estimated,
    groups: [...a.groups, ...b.groups],
    totals: [...totals].map(([currency, amount]) => ({ amount, currency }))
  }
}

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
const fetchForecast = async ({ client, pay }: Paid, metric: Metric, today: string): Promise<CostForecast> => {
  await pay()
  const end = monthStart(today, 1)
  const until = new Date(Date.parse(`${end}T00:00:00Z`) - dayMs).toISOString().slice(0, 10)
  try {
    const answer = await client.getCostForecast({
      TimePeriod: { Start: today, End: end }, Granularity: 'MONTHLY', Metric: names[metric], PredictionIntervalLevel: 80
    })
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

const fetchAnomalies = async (paid: Paid, range: CostRange, today: string): Promise<CostAnomaly[]> => {
  const oldest = new Date(Date.parse(`${today}T00:00:00Z`) - (anomalyDays - 1) * dayMs).toISOString().slice(0, 10)
  const start = range.start < oldest ? oldest : range.start
  if (range.end < start) return []
  const found: CostAnomaly[] = []
  let NextPageToken: string | undefined
  do {
    await paid.pay()
    const page = await paid.client.getAnomalies({
      DateInterval: { StartDate: start, EndDate: range.end }, MaxResults: 100, NextPageToken
    })
    for (const anomaly of page.Anomalies ?? []) {
      found.push({
        id: anomaly.AnomalyId ?? '',
        account_id: paid.account_id,
        service: anomaly.DimensionValue ?? null,
        start: (anomaly.AnomalyStartDate ?? '').slice(0, 10),
        end: anomaly.AnomalyEndDate?.slice(0, 10) ?? null,
        impact: { amount: sum([String(anomaly.Impact?.TotalImpact ?? 0)]), currency: 'USD' },
        score: String(anomaly.AnomalyScore?.MaxScore ?? 0)
      })
    }
    NextPageToken = page.NextPageToken
  } while (NextPageToken)
  return found
}

/** Asks AWS for one account: one request a page, one for the forecast, one for the anomalies. */
export const fetchCosts = async (paid: Paid, range: CostRange, query: CostQuery): Promise<CostSlice> => {
  const today = new Date().toISOString().slice(0, 10)
  return {
    periods: await fetchPeriods(paid, range, query),
    forecast: query.forecast ? await fetchForecast(paid, query.metric, today) : noForecast,
    anomalies: query.anomalies ? await fetchAnomalies(paid, range, today) : null
  }
}

/** @returns whether AWS may still change the amounts: closed periods settle within some days */
export const isSettled = (range: CostRange, now = Date.now()): boolean =>
  Date.parse(`${dayAfter(range.end)}T00:00:00Z`) < now - 5 * dayMs
