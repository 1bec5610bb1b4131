import type { CostQuery, Granularity } from '../../../../schemas/cloud/costs.js'
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
