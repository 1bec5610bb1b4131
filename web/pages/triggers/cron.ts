import { locale } from '../../texts/language'
import { say } from '../../texts/say'

const timeOf = (hour: string, minute: string): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone: 'UTC' })
    .format(new Date(Date.UTC(2024, 0, 7, Number(hour), Number(minute))))

/** January 7, 2024 was a Sunday, which cron counts as 0 and as 7. */
export const dayOf = (day: string): string => new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' })
  .format(new Date(Date.UTC(2024, 0, 7 + Number(day))))

const listDays = (days: string): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(days.split(',').map(dayOf))

const isNumber = (field: string): boolean => /^\d{1,2}$/.test(field)

/** Of a schedule that runs at one time of a day. */
const describeDays = (time: string, day: string, weekday: string): string | undefined => {
  if (day !== '*') return isNumber(day) && weekday === '*' ? say('trigger.cron.monthly', { day, time }) : undefined
  if (weekday === '*') return say('trigger.cron.daily', { time })
  if (weekday === '1-5') return say('trigger.cron.weekdays', { time })
  return /^[0-7](,[0-7])*$/.test(weekday) ? say('trigger.cron.weekly', { days: listDays(weekday), time }) : undefined
}

const describeFields = ([minute = '', hour = '', day = '', month = '', weekday = '']: string[]) => {
  if (month !== '*') return undefined
  if (isNumber(minute) && isNumber(hour)) return describeDays(timeOf(hour, minute), day, weekday)
  if (hour !== '*' || day !== '*' || weekday !== '*') return undefined
  const [, minutes] = /^\*\/(\d{1,2})$/.exec(minute) ?? []
  if (minutes !== undefined && 60 % Number(minutes) === 0) return say('trigger.cron.often', { minutes })
  return isNumber(minute) ? say('trigger.cron.hourly', { minute }) : undefined
}

/** @returns a schedule in words; one that would take a sentence of its own as it is */
export const describeCron = (cron: string): string => {
  const fields = cron.trim().split(/\s+/)
  return (fields.length === 5 ? describeFields(fields) : undefined) ?? cron
}
