import { computed, signal } from '@preact/signals'
import { locale } from '../texts/language'

const key = 'steward-log-zone'

/** In which zone the times of logs are shown; kept in this browser. */
export const logZone = signal<'local' | 'utc'>(localStorage.getItem(key) === 'utc' ? 'utc' : 'local')

export const switchZone = (): void => {
  logZone.value = logZone.value === 'utc' ? 'local' : 'utc'
  localStorage.setItem(key, logZone.value)
}

/** The reader's zone, as the browser names it. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const timeIn = (locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const exactIn = (locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'long' })

const formatsIn = (locale: string) => ({
  local: { time: timeIn(locale, ownZone), exact: exactIn(locale, ownZone) },
  utc: { time: timeIn(locale, 'UTC'), exact: exactIn(locale, 'UTC') }
})

/** Of the language of the screen; a log has many lines. */
const formats = computed(() => formatsIn(locale()))

/** @returns the time of day, and all of the time, in the zone that was chosen; empty for none */
export const formatLogTime = (at: string, zone: 'local' | 'utc'): { time: string, exact: string } => {
  const moment = Date.parse(at)
  if (Number.isNaN(moment)) return { time: '', exact: '' }
  return { time: formats.value[zone].time.format(moment), exact: formats.value[zone].exact.format(moment) }
}
