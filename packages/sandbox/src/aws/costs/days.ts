import { validation } from '../core/errors.js'

const DAY_MS = 86_400_000

/** Days since 1970, UTC. */
export type Day = number

export interface Interval { Start: string | undefined; End: string | undefined }

export interface Period { from: Day; to: Day }

/** The day of a `2026-11-21`, or ValidationException. */
export function parseDay (text: string | undefined): Day {
  const time = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : NaN
  if (Number.isNaN(time)) throw validation(`Invalid date: ${text ?? 'null'}; expected yyyy-MM-dd.`)
  return time / DAY_MS
}

/** The day as Cost Explorer writes it. */
export function formatDay (day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The day of a time, and how much of it has passed. */
export function dayOf (milliseconds: number): { day: Day, passed: number } {
  const exact = milliseconds / DAY_MS
  return { day: Math.floor(exact), passed: exact - Math.floor(exact) }
}

/** The first day of the month that lies `months` after the one of `day`. */
export function monthStart (day: Day, months = 0): Day {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MS
}

/** Saturday or Sunday. */
export function isWeekend (day: Day): boolean {
  return [0, 6].includes(new Date(day * DAY_MS).getUTCDay())
}

/** A half-open interval cut into days or months; the first and the last month may be partial. */
export function split ({ from, to }: Period, granularity: 'DAILY' | 'MONTHLY'): Period[] {
  const periods: Period[] = []
  for (let start = from; start < to;) {
    const end = Math.min(to, granularity === 'DAILY' ? start + 1 : monthStart(start, 1))
    periods.push({ from: start, to: end })
    start = end
  }
  return periods
}
