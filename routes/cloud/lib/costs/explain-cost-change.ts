import type { Principal } from '../../../../lib/security/principal.js'
import type {
  CostChange, CostChangeQuery, CostDifference, CostGroup, CostQuery, CostReport
} from '../../../../schemas/cloud/costs.js'
import { CostRangeInvalid } from '../errors.js'
import {
  daysIn, monthsKept, readCostRange, shiftDay, monthStart, fromUnits, moneyOf, share, sum, toUnits
} from './costs.js'
import { joinSources } from './merge-costs.js'
import type { CostDeps } from './read-costs.js'
import { reportCosts } from './report-costs.js'

/** Whole days of UTC, both ends included. */
interface Days { start: string, end: string, days: number }

const usualDays = 30

/** @returns of how many calendar months the range is all; 0 where it begins or ends within one */
const wholeMonths = (start: string, end: string): number => {
  const after = shiftDay(end, 1)
  if (!start.endsWith('-01') || !after.endsWith('-01')) return 0
  const [from, to] = [start, after].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)))
  return (to ?? 0) - (from ?? 0)
}

/** The 29th of February has the 28th as its day of the year before. */
const yearBefore = (day: string): string => {
  const sameDay = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  const date = new Date(`${sameDay}T00:00:00Z`).toISOString().slice(0, 10)
  return date === sameDay ? date : shiftDay(date, -1)
}

const withDays = (start: string, end: string): Days => ({ start, end, days: daysIn(start, end) })

const rangeBefore = (start: string, end: string, against: CostChangeQuery['against']): Days => {
  const months = wholeMonths(start, end)
  if (against === 'year_before') {
    return months > 0
      ? withDays(monthStart(start, -12), shiftDay(monthStart(shiftDay(end, 1), -12), -1))
      : withDays(yearBefore(start), yearBefore(end))
  }
  return months > 0
    ? withDays(monthStart(start, -months), shiftDay(start, -1))
    : withDays(shiftDay(start, -daysIn(start, end)), shiftDay(start, -1))
}

const refuse = (name: string, message: string) => CostRangeInvalid(message,
  { errors: [{ pointer: `/querystring/${name}`, code: 'cost_range_invalid', message }] })

/**
 * @returns the range of complete days that is asked for, and the one that it is compared with
 * @throws cost_range_invalid, also when AWS no longer keeps what it is compared with
 */
export const comparedRanges = (query: Pick<CostChangeQuery, 'start_date' | 'end_date' | 'against'>, at = Date.now()):
{ now: Days, before: Days, adjustments: string[] } => {
  const yesterday = shiftDay(new Date(at).toISOString().slice(0, 10), -1)
  const asked = query.end_date ?? yesterday
  const end_date = asked > yesterday ? yesterday : asked
  const start_date = query.start_date ?? shiftDay(end_date, 1 - usualDays)
  const { start, end, adjustments } = readCostRange({ start_date, end_date }, at)
  const before = rangeBefore(start, end, query.against)
  const oldest = monthStart(shiftDay(yesterday, 1), -monthsKept)
  if (before.start < oldest) {
    throw refuse('against', `${before.start} to ${before.end} is what it would be compared with, and AWS keeps costs ` +
      `since ${oldest}: ask for later days`)
  }
  return {
    now: withDays(start, end),
    before,
    adjustments: [...(asked === end_date ? [] : ['end_date moved to yesterday: today is not over']), ...adjustments]
  }
}

const mostServices = 15
const mostUsageTypes = 8

interface Sides { now: string, before: string, difference: string }

const sidesOf = (now: string, before: string): Sides =>
  ({ now, before, difference: fromUnits(toUnits(now) - toUnits(before)) })

const sizeOf = ({ difference }: Sides): bigint => {
  const units = toUnits(difference)
  return units < 0n ? -units : units
}
const byChange = (a: Sides, b: Sides): number => sizeOf(a) === sizeOf(b) ? 0 : sizeOf(a) > sizeOf(b) ? -1 : 1

const addUp = (all: Sides[]): Sides => sidesOf(sum(all.map(({ now }) => now)), sum(all.map(({ before }) => before)))

/** @returns the amounts of both ranges by one of the groups' keys, the largest change first */
const compareBy = (now: CostGroup[], before: CostGroup[], key: number): (Sides & { name: string })[] => {
  const sumOf = (groups: CostGroup[], name: string) =>
    sum(groups.filter(({ keys }) => keys[key] === name).map(({ amount }) => amount))
  const names = [...new Set([...now, ...before].map(({ keys }) => keys[key] ?? ''))]
  return names.map((name) => ({ name, ...sidesOf(sumOf(now, name), sumOf(before, name)) })).sort(byChange)
}

/** @returns the first of them, and the sums of the others: what is left out is still in the sum */
const cut = <T extends Sides>(all: T[], most: number) => {
  const others = all.slice(most)
  return {
    shown: all.slice(0, most),
    others: others.length === 0 ? null : { count: others.length, ...addUp(others) }
  }
}

/** AWS has several types of it: Usage, DiscountedUsage, Savings Plan Covered Usage. */
const isUsage = ({ keys: [type = ''] }: CostGroup): boolean => /usage/i.test(type)

const stepOf = (days: CostDifference['days']): CostDifference['largest_step'] => {
  const steps = days.slice(1).map(({ day, amount }, at) => {
    const before = days[at]?.amount ?? '0'
    return { day, amount, day_before: before, difference: fromUnits(toUnits(amount) - toUnits(before)) }
  })
  const rises = steps.filter(({ difference }) => toUnits(difference) > 0n)
  return rises.sort((a, b) => toUnits(a.difference) > toUnits(b.difference) ? -1 : 1)[0] ?? null
}

/** Both ranges, each read by what was charged for and by the kind of charge. */
interface Reports { byUsage: [now: CostReport, before: CostReport], byType: [now: CostReport, before: CostReport] }

const differenceIn = (currency: string, { byUsage, byType }: Reports): CostDifference => {
  const groupsOf = ({ by_group: groups }: CostReport) => groups.filter((group) => group.currency === currency)
  const [now, before] = [groupsOf(byUsage[0]), groupsOf(byUsage[1])]
  const services = cut(compareBy(now, before, 0), mostServices)
  const days = byType[0].periods.map(({ start, groups }) => ({
    day: start,
    amount: sum(groups.filter((group) => group.currency === currency && isUsage(group)).map(({ amount }) => amount))
  }))
  const whole = sidesOf(sum(now.map(({ amount }) => amount)), sum(before.map(({ amount }) => amount)))
  return {
    currency,
    ...whole,
    ratio: toUnits(whole.before) > 0n ? share(whole.difference, whole.before) : null,
    charge_types: compareBy(groupsOf(byType[0]), groupsOf(byType[1]), 0)
      .map(({ name, ...sides }) => ({ charge_type: name, ...sides })),
    services: services.shown.map(({ name, ...sides }) => {
      const isOf = ({ keys: [service] }: CostGroup) => service === name
      const usage = cut(compareBy(now.filter(isOf), before.filter(isOf), 1), mostUsageTypes)
      return {
        service: name,
        ...sides,
        usage_types: usage.shown.map(({ name: type, ...one }) => ({ usage_type: type, ...one })),
        other_usage_types: usage.others
      }
    }),
    other_services: services.others,
    days,
    largest_step: stepOf(days)
  }
}

const rangeOf = ({ start, end, days }: Days, { totals, estimated }: CostReport) =>
  ({ start_date: start, end_date: end, days, totals, estimated })

/** @returns why the ranges cannot be compared; null where they can */
const obstacleOf = (reports: CostReport[]): string | null => {
  const accounts = new Set(reports.map(({ account_ids: ids }) => [...ids].sort().join()))
  if (accounts.size > 1) return 'Not all accounts answered for both ranges, so a difference would be of other accounts'
  return reports.every(({ account_ids: ids }) => ids.length === 0) ? 'No account answered' : null
}

/** Amounts of a kind and of a service come from two requests: AWS may have counted on between them. */
const noteGap = (reports: Reports): string[] => (['now', 'before'] as const).flatMap((name, at) => {
  const [usage, types] = [reports.byUsage[at], reports.byType[at]].map((report) =>
    JSON.stringify(moneyOf(report?.totals ?? [], ({ amount }) => amount)))
  return usage === types ? [] : [`The sums of ${name} by service and by type of charge differ: AWS was still counting`]
})

/**
 * What changed between two ranges of whole days, by service, usage type, type of charge and day. Every list adds up to
 * the difference above it.
 * @throws cost_range_invalid, and what `reportCosts` throws
 */
export const explainCostChange = async (deps: CostDeps, principal: Principal, query: CostChangeQuery):
Promise<CostChange> => {
  const { now, before, adjustments } = comparedRanges(query)
  const { account_id, metric, refresh } = query
  const read = (days: Days, more: Pick<CostQuery, 'group_by' | 'granularity'>) => reportCosts(deps, principal, {
    account_id, metric, refresh, start_date: days.start, end_date: days.end, forecast: false, anomalies: false, ...more
  })
  const byUsage = { group_by: 'SERVICE,USAGE_TYPE', granularity: 'MONTHLY' } as const
  const byType = { group_by: 'RECORD_TYPE', granularity: 'DAILY' } as const
  const [usageNow, usageBefore, typesNow, typesBefore] = await Promise.all([
    read(now, byUsage), read(before, byUsage), read(now, byType), read(before, byType)
  ])
  const reports: Reports = { byUsage: [usageNow, usageBefore], byType: [typesNow, typesBefore] }
  const all = [usageNow, usageBefore, typesNow, typesBefore]
  const obstacle = obstacleOf(all)
  const currencies = [...new Set([usageNow, usageBefore].flatMap(({ totals }) => totals.map(({ currency }) => currency)))]
  const unique = <T>(items: T[]): T[] => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
  return {
    account_ids: usageNow.account_ids,
    metric,
    now: rangeOf(now, usageNow),
    before: rangeOf(before, usageBefore),
    changes: obstacle === null ? currencies.map((currency) => differenceIn(currency, reports)) : [],
    not_comparable: obstacle,
    adjustments: unique([...adjustments, ...all.flatMap((report) => report.adjustments), ...noteGap(reports)]),
    source: joinSources(all.map(({ source }) => source)),
    partial: all.some(({ partial }) => partial),
    errors: unique(all.flatMap(({ errors }) => errors))
  }
}
