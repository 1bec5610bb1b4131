import { computed } from '@preact/signals'
import { locale } from '../../texts/language'

const formatsIn = (locale: string) => ({
  month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
  weekday: new Intl.DateTimeFormat(locale, { weekday: 'short' }),
  day: new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
})

/** As the reader writes months, days and times. */
export const formats = computed(() => formatsIn(locale()))

const pad = (value: number): string => String(value).padStart(2, '0')

/** The local day of a time, such as `2026-03-01`. */
export const dayOf = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`

/** @returns the weeks of a month, each of seven days from Monday on, with those of its neighbours that fill them */
export const weeksOf = (year: number, month: number): Date[][] => {
  const first = new Date(year, month, 1)
  const before = (first.getDay() + 6) % 7
  const days = before + new Date(year, month + 1, 0).getDate()
  return Array.from({ length: Math.ceil(days / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => new Date(year, month, 1 - before + week * 7 + day)))
}

/** @returns the items by their local day, in order */
export const byDay = <T extends { publish_at: string }>(items: T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ publish_at: at }) => dayOf(new Date(at)))
