import type { AccountRow } from '../../../../db/cloud/accounts.js'
import type { SourceError } from '../../../../schemas/common.js'
import type {
  CostAnomaly, CostForecast, CostGroup, CostPeriod, CostQuery, CostReport, CostSlice, CostSource
} from '../../../../schemas/cloud/costs.js'
import { type CostRange, fromUnits, moneyOf, share, sum, sumGroups, toUnits } from './costs.js'
import { noForecast } from './fetch-costs.js'

/** One account's answer, new or kept. */
export interface Part {
  account: AccountRow
  slice: Omit<CostSlice, 'tags'>
  fetched_at: Date | null
  expires_at: Date | null
  requests: number
  /** All of it comes from what was kept. */
  kept: boolean
  stale: boolean
  /** Whether its costs are known; without them it is in the errors only. */
  answered: boolean
  /** Whether everything that was asked for is there. */
  whole: boolean
  errors: SourceError[]
}

const amountOf = ({ amount }: { amount: string }): string => amount

const byAmount = (a: CostGroup, b: CostGroup): number => toUnits(a.amount) > toUnits(b.amount) ? -1 : 1

const groupsOf = (groups: CostGroup[]): CostGroup[] => sumGroups(groups).sort(byAmount)

/** @returns what a group was charged, before credits and refunds */
const chargesOf = ({ amount, credits }: CostGroup): string => fromUnits(toUnits(amount) - toUnits(credits))

const mergePeriods = (parts: Part[]): CostPeriod[] => {
  const all = parts.flatMap(({ slice }) => slice.periods)
  const starts = [...new Set(all.map(({ start }) => start))].sort()
  return starts.map((start) => {
    const same = all.filter((period) => period.start === start)
    return {
      start,
      end_exclusive: same[0]?.end_exclusive ?? '',
      estimated: same.some(({ estimated }) => estimated),
      totals: moneyOf(same.flatMap(({ totals }) => totals), amountOf),
      credits: moneyOf(same.flatMap(({ credits }) => credits), amountOf),
      groups: groupsOf(same.flatMap(({ groups }) => groups))
    }
  })
}

/** Forecasts add up in one currency; the bounds of the sum are the sum of the bounds, which is wide. */
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

/** @returns null where no account answered; a payer and its member may name the same one */
const mergeAnomalies = (parts: Part[]): CostAnomaly[] | null => {
  const known = parts.map(({ slice }) => slice.anomalies).filter((anomalies) => anomalies !== null)
  if (known.length === 0 && parts.length > 0) return null
  return [...new Map(known.flat().map((anomaly) => [anomaly.id, anomaly])).values()]
}

type Answered = Pick<Part, 'fetched_at' | 'expires_at' | 'requests' | 'kept' | 'stale'>

export const sourceOf = (parts: Answered[]): CostSource => {
  const requests = parts.reduce((total, part) => total + part.requests, 0)
  const first = (times: (Date | null)[]) =>
    times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null
  return {
    cached: parts.length > 0 && parts.every(({ kept }) => kept),
    fetched_at: first(parts.map((part) => part.fetched_at)),
    expires_at: first(parts.map((part) => part.expires_at)),
    api_requests: requests,
    estimated_fee_usd: fromUnits(toUnits('0.01') * BigInt(requests)),
    stale: parts.some(({ stale }) => stale)
  }
}

const dateOf = (time: CostSource['fetched_at']): Date | null => time === null ? null : new Date(time)

/** @returns of several reports, what they cost together, and how old the oldest is */
export const joinSources = (sources: CostSource[]): CostSource => sourceOf(sources.map((source) => ({
  fetched_at: dateOf(source.fetched_at),
  expires_at: dateOf(source.expires_at),
  requests: source.api_requests,
  kept: source.cached,
  stale: source.stale
})))

/** @returns one report over all accounts; amounts of two currencies are never added */
export const mergeSlices = (all: Part[], failed: SourceError[], range: CostRange, query: CostQuery): CostReport => {
  const parts = all.filter(({ answered }) => answered)
  const periods = mergePeriods(parts)
  const groups = groupsOf(periods.flatMap((period) => period.groups))
  const charges = moneyOf(groups, chargesOf)
  const wholeOf = (currency: string) => charges.find((one) => one.currency === currency)?.amount ?? '0'
  return {
    account_ids: parts.map(({ account }) => account.id),
    start_date: range.start,
    end_date: range.end,
    time_period: { start: range.start, end_exclusive: range.end_exclusive },
    granularity: range.granularity,
    metric: query.metric,
    estimated: periods.some(({ estimated }) => estimated),
    totals: moneyOf(periods.flatMap((period) => period.totals), amountOf),
    credits: moneyOf(periods.flatMap((period) => period.credits), amountOf),
    periods,
    by_group: groups.map((group) => ({ ...group, share: share(chargesOf(group), wholeOf(group.currency)) })),
    forecast: mergeForecasts(parts),
    anomalies: query.anomalies ? mergeAnomalies(parts) : null,
    adjustments: range.adjustments,
    source: sourceOf(all),
    partial: failed.length > 0 || all.some(({ whole }) => !whole),
    errors: [...failed, ...all.flatMap(({ errors }) => errors)]
  }
}
