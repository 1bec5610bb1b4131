import type { CostChangeQuery } from '../../../../schemas/cloud/cost-changes.js'
import { daysIn, monthsKept, readCostRange, shiftDay, monthStart } from './cost-range.js'
import { CostRangeInvalid } from '../errors.js'

/** Whole days of UTC, both ends included. */
export interface Days { start: string, end: string, days: number }

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
