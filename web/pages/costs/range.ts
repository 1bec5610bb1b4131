import { locale } from '../../texts/language'

const dayMs = 86_400_000

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** @returns the day so many days after, or before; days are days of UTC, as AWS counts them */
export const shiftDay = (day: string, by: number): string => dayOf(Date.parse(day) + by * dayMs)

/** How far back a page looks. */
export const ranges = {
  month: 'cost.range.month', 14: 'cost.range.14', 30: 'cost.range.30', 90: 'cost.range.90'
} as const
export type Range = `${keyof typeof ranges}`

export const monthStart = (today: string): string => `${today.slice(0, 8)}01`

/** @returns the first of the days up to today, today among them */
export const firstDay = (range: Range, today: string): string =>
  range === 'month' ? monthStart(today) : shiftDay(today, 1 - Number(range))

/** @returns as many days just before a range, both of whose ends belong to it */
export const daysBefore = (start: string, end: string) => {
  const days = (Date.parse(end) - Date.parse(start)) / dayMs
  return { start_date: shiftDay(start, -days - 1), end_date: shiftDay(start, -1) }
}

const formatIn = (tag: string) =>
  new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const formatDay = (day: string): string => formatIn(locale()).format(Date.parse(day))
