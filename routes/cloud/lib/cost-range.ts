import type { CostQuery, Granularity } from '../../../schemas/cloud/costs.js'
import { CostRangeInvalid } from './errors.js'

const dayMs = 86_400_000
const monthsBack = 13
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

/** @returns the day after: AWS's End is exclusive, ours is included, and only this function converts */
export const dayAfter = (day: string): string => format(parse(day) + dayMs)

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
  const oldest = monthStart(today, -monthsBack)
  if (end < oldest) throw invalid('end_date', `is before ${oldest}: AWS keeps ${monthsBack} months`)
  const start = requestedStart < oldest ? oldest : requestedStart
  const days = (parse(end) - parse(start)) / dayMs + 1
  return {
    start,
    end,
    end_exclusive: dayAfter(end),
    granularity: query.granularity ?? (days > dailyDays ? 'MONTHLY' : 'DAILY'),
    adjustments: [
      ...(end === requestedEnd ? [] : ['end_date clamped to today']),
      ...(start === requestedStart ? [] : [`start_date clamped to ${oldest}: AWS keeps ${monthsBack} months`])
    ]
  }
}
