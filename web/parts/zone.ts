import { signal } from '@preact/signals'

const key = 'steward-log-zone'

/** In which zone the times of logs are shown; kept in this browser. */
export const logZone = signal<'local' | 'utc'>(localStorage.getItem(key) === 'utc' ? 'utc' : 'local')

export const switchZone = (): void => {
  logZone.value = logZone.value === 'utc' ? 'local' : 'utc'
  localStorage.setItem(key, logZone.value)
}

/** The reader's zone, as the browser names it. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const timeIn = (timeZone: string) =>
  new Intl.DateTimeFormat(undefined, { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })
const exactIn = (timeZone: string) =>
  new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'long' })

const formats = {
  local: { time: timeIn(ownZone), exact: exactIn(ownZone) }, utc: { time: timeIn('UTC'), exact: exactIn('UTC') }
}

/** @returns the time of day, and all of the time, in the zone that was chosen; empty for none */
export const formatLogTime = (at: string, zone: 'local' | 'utc'): { time: string, exact: string } => {
  const moment = Date.parse(at)
  if (Number.isNaN(moment)) return { time: '', exact: '' }
  return { time: formats[zone].time.format(moment), exact: formats[zone].exact.format(moment) }
}
