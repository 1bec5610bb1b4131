import type { CostGroup, CostQuery, Granularity } from '../../../../schemas/cloud/costs.js'
import type { Money } from '../../../../schemas/common.js'
import { CostRangeInvalid } from '../errors.js'

const dayMs = 86_400_000
/** How many months before the current one AWS keeps. */
export const monthsKept = 13
const dailyDays = 62

export interface CostRange {
  start: string
  /** The last day, included. */
  end: string
  end_exclusive: string
  granularity: Granularity
  adjustments: string[]
}

const format = (time: number): string => new Date(time).toISOString().slice(0, 10)
const parse = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** @returns the day so many days after, or before */
export const shiftDay = (day: string, by: number): string => format(parse(day) + by * dayMs)

/** @returns the day after: AWS's End is exclusive, ours is included, and only this function converts */
export const dayAfter = (day: string): string => shiftDay(day, 1)

/** @returns how many days there are, both ends included */
export const daysIn = (start: string, end: string): number => (parse(end) - parse(start)) / dayMs + 1

/** @returns the first day of the month that lies `months` after the one of the day */
export const monthStart = (day: string, months = 0): string => {
  const date = new Date(parse(day))
  return format(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
}

const invalid = (name: string, message: string) => {
  const pointer = `/querystring/${name}`
  return CostRangeInvalid(`${name} ${message}`, { errors: [{ pointer, code: 'cost_range_invalid', message }] })
}

/**
 * @returns the range in days of UTC, with what was changed about it
 * @throws cost_range_invalid when it begins after it ends or after today
 */
export const readCostRange = (query: Partial<CostQuery>, now = Date.now()): CostRange => {
  const today = format(now)
  const requestedEnd = query.end_date ?? today
  const end = requestedEnd > today ? today : requestedEnd
  const requestedStart = query.start_date ?? monthStart(end)
  if (requestedStart > today) throw invalid('start_date', 'is in the future')
  if (requestedStart > end) throw invalid('start_date', 'is after end_date')
  const oldest = monthStart(today, -monthsKept)
  if (end < oldest) throw invalid('end_date', `is before ${oldest}: AWS keeps ${monthsKept} months`)
  const start = requestedStart < oldest ? oldest : requestedStart
  return {
    start,
    end,
    end_exclusive: dayAfter(end),
    granularity: query.granularity ?? (daysIn(start, end) > dailyDays ? 'MONTHLY' : 'DAILY'),
    adjustments: [
      ...(end === requestedEnd ? [] : ['end_date clamped to today']),
      ...(start === requestedStart ? [] : [`start_date clamped to ${oldest}: AWS keeps ${monthsKept} months`])
    ]
  }
}

const digits = 18
const scale = 10n ** BigInt(digits)

/** @param text a decimal number such as -12.3450001, also with an exponent, as AWS writes very small ones */
export const toUnits = (text: string): bigint => {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim())
  if (!match) throw new Error(`${text} is not a decimal number`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = digits - fraction.length + Number(exponent)
  const unsigned = BigInt(`${whole}${fraction}` || '0')
  const units = shift >= 0 ? unsigned * 10n ** BigInt(shift) : unsigned / 10n ** BigInt(-shift)
  return sign ? -units : units
}

export const fromUnits = (units: bigint): string => {
  const positive = units < 0n ? -units : units
  const fraction = String(positive % scale).padStart(digits, '0').replace(/(?<!0)0+$/, '')
  return `${units < 0n ? '-' : ''}${positive / scale}${fraction ? `.${fraction}` : ''}`
}

/** Adds without floating point: cents must add up. */
export const sum = (amounts: string[]): string =>
  fromUnits(amounts.reduce((total, amount) => total + toUnits(amount), 0n))

/** @returns the share with four digits, 0 of nothing */
export const share = (part: string, whole: string): string => {
  const total = toUnits(whole)
  return total === 0n ? '0' : fromUnits((toUnits(part) * 10_000n / total) * (scale / 10_000n))
}

/** Adds up by a key, in the order of the first appearance. */
export const sumBy = <T>(items: T[], keyOf: (item: T) => string, amountOf: (item: T) => string):
Map<string, string> => {
  const totals = new Map<string, bigint>()
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0n) + toUnits(amountOf(item)))
  return new Map([...totals].map(([key, units]) => [key, fromUnits(units)]))
}

/** @returns a sum for each currency: two are never added */
export const moneyOf = <T extends { currency: string }>(items: T[], amountOf: (item: T) => string): Money[] =>
  [...sumBy(items, ({ currency }) => currency, amountOf)].map(([currency, amount]) => ({ amount, currency }))

/** @returns one group for all of the same keys and currency. The key is JSON: a group's name may hold any character */
export const sumGroups = (groups: CostGroup[]): CostGroup[] => {
  const nameOf = ({ keys, currency }: CostGroup) => JSON.stringify([keys, currency])
  const credits = sumBy(groups, nameOf, (group) => group.credits)
  return [...sumBy(groups, nameOf, ({ amount }) => amount)].map(([name, amount]) => {
    const [keys, currency]: [string[], string] = JSON.parse(name)
    return { keys, amount, credits: credits.get(name) ?? '0', currency }
  })
}
