import type { AccountRow } from '../../../db/cloud/accounts.js'
import type { Money, SourceError } from '../../../schemas/common.js'
import type {
  CostForecast, CostGroup, CostPeriod, CostQuery, CostReport, CostSlice
} from '../../../schemas/cloud/costs.js'
import type { CostRange } from './cost-range.js'
import { fromUnits, share, sum, sumBy, toUnits } from './decimal.js'
import { noForecast } from './fetch-costs.js'

/** One account's answer, new or kept. */
export interface Part {
  account: AccountRow
  slice: CostSlice
  fetched_at: Date
  expires_at: Date
  requests: number
  stale: boolean
  error: SourceError | null
}

const byCurrency = (totals: Money[]): Money[] =>
  [...sumBy(totals, ({ currency }) => currency, ({ amount }) => amount)]
    .map(([currency, amount]) => ({ amount, currency }))

const byAmount = (a: CostGroup, b: CostGroup): number => toUnits(a.amount) > toUnits(b.amount) ? -1 : 1

/** The key is JSON, since a group's name may hold any character. */
const groupsOf = (groups: CostGroup[]): CostGroup[] =>
  [...sumBy(groups, ({ keys, currency }) => JSON.stringify([keys, currency]), ({ amount }) => amount)]
    .map(([key, amount]) => {
      const [keys, currency] = JSON.parse(key) as [string[], string]
      return { keys, amount, currency }
    }).sort(byAmount)

const mergePeriods = (parts: Part[]): CostPeriod[] => {
  const all = parts.flatMap(({ slice }) => slice.periods)
  const starts = [...new Set(all.map(({ start }) => start))].sort()
  return starts.map((start) => {
    const same = all.filter((period) => period.start === start)
    return {
      start,
      end_exclusive: same[0]?.end_exclusive ?? '',
      estimated: same.some(({ estimated }) => estimated),
      totals: byCurrency(same.flatMap(({ totals }) => totals)),
      groups: groupsOf(same.flatMap(({ groups }) => groups))
    }
  })
}

/** Forecasts add up in one currency; the bounds of a sum are told as the sum of the bounds, which is wide. */
const mergeForecasts = (parts: Part[]): CostForecast => {
  const all = parts.map(({ slice }) => slice.forecast)
  const good = all.filter((one) => one.status === 'ok')
  const [first] = good
  if (!first?.mean) return all.find((one) => one.status === 'unavailable') ?? noForecast
  const same = good.filter(({ mean }) => mean?.currency === first.mean?.currency)
  const missing = all.length - same.length
  return {
    status: 'ok',
    mean: { amount: sum(same.map(({ mean }) => mean?.amount ?? '0')), currency: first.mean.currency },
    low: sum(same.map(({ low }) => low ?? '0')),
    high: sum(same.map(({ high }) => high ?? '0')),
    until: first.until,
    reason: missing > 0 ? `${missing} of ${all.length} accounts are not in it` : null
  }
}

const sourceOf = (parts: Part[]): CostReport['source'] => {
  const requests = parts.reduce((total, part) => total + part.requests, 0)
  const oldest = parts.map((part) => part.fetched_at).sort((a, b) => a.getTime() - b.getTime())[0]
  const next = parts.map((part) => part.expires_at).sort((a, b) => a.getTime() - b.getTime())[0]
  return {
    cached: requests === 0 && parts.length > 0,
    fetched_at: oldest ?? null,
    expires_at: next ?? null,
    api_requests: requests,
    estimated_fee_usd: fromUnits(toUnits('0.01') * BigInt(requests)),
    stale: parts.some(({ stale }) => stale)
  }
}

/** @returns one report over all accounts; amounts of two currencies are never added */
export const mergeSlices = (parts: Part[], failed: SourceError[], range: CostRange, query: CostQuery): CostReport => {
  const periods = mergePeriods(parts)
  const totals = byCurrency(periods.flatMap((period) => period.totals))
  const wholeOf = (currency: string) => totals.find((total) => total.currency === currency)?.amount ?? '0'
  const errors = [...failed, ...parts.map(({ error }) => error).filter((error) => error !== null)]
  return {
    account_ids: parts.map(({ account }) => account.id),
    start_date: range.start,
    end_date: range.end,
    time_period: { start: range.start, end_exclusive: range.end_exclusive },
    granularity: range.granularity,
    metric: query.metric,
    estimated: periods.some(({ estimated }) => estimated),
    totals,
    periods,
    by_group: groupsOf(periods.flatMap(({ groups }) => groups))
      .map((group) => ({ ...group, share: share(group.amount, wholeOf(group.currency)) })),
    forecast: mergeForecasts(parts),
    anomalies: query.anomalies ? parts.flatMap(({ slice }) => slice.anomalies ?? []) : null,
    adjustments: range.adjustments,
    source: sourceOf(parts),
    partial: failed.length > 0,
    errors
  }
}
