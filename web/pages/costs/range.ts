import { locale } from '../../texts/language'

const dayMs = 86_400_000

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** @returns the day so many days after, or before; days are days of UTC, as AWS counts them */
export const shiftDay = (day: string, by: number): string => dayOf(Date.parse(day) + by * dayMs)

/** What a page shows; days are those that are over. */
export const ranges = {
  month: 'cost.range.month', last_month: 'cost.range.lastMonth', 14: 'cost.range.14', 30: 'cost.range.30', 90: 'cost.range.90'
} as const
export type Range = `${keyof typeof ranges}`

export const monthStart = (today: string): string => `${today.slice(0, 8)}01`

export interface Days { start: string, end: string }

/** @returns the days of a range, both ends included; today only among those of this month */
export const daysOf = (range: Range, today: string): Days => {
  if (range === 'month') return { start: monthStart(today), end: today }
  if (range === 'last_month') {
    const end = shiftDay(monthStart(today), -1)
    return { start: monthStart(end), end }
  }
  return { start: shiftDay(today, -Number(range)), end: shiftDay(today, -1) }
}

/** @returns the days just before: as many, or the month before a whole month */
export const daysBefore = ({ start, end }: Days): Days => {
  const last = shiftDay(start, -1)
  const isMonth = start.endsWith('-01') && shiftDay(end, 1).endsWith('-01')
  return { start: isMonth ? monthStart(last) : shiftDay(start, -1 - (Date.parse(end) - Date.parse(start)) / dayMs), end: last }
}

const formatIn = (tag: string) =>
  new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const formatDay = (day: string): string => formatIn(locale()).format(Date.parse(day))
