import { Cron } from 'croner'
import { messageOf } from '../../../../schemas/thrown.js'
import { ScheduleInvalid } from '../errors.js'

/** When a schedule is due, in the words of its zone: 8:00 stays 8:00 when the clocks change. */
export interface Schedule { cron: string, time_zone: string }

const parse = ({ cron, time_zone: timezone }: Schedule): Cron =>
  // Paused: it only computes, and starts no timer.
  new Cron(cron, { timezone, mode: '5-part', paused: true })

const isZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** @returns the first time after this one; null when there is none any more */
export const nextTime = (schedule: Schedule, after: Date): Date | null => parse(schedule).nextRun(after)

const refuse = (pointer: string, message: string) =>
  ScheduleInvalid(message, { errors: [{ pointer, code: 'schedule_invalid', message }] })

/** The parser's own words speak of seconds and years, which a schedule has none of. */
const explain = (cron: string, error: unknown): string => {
  const fields = cron.trim().split(/\s+/).length
  if (fields !== 5) return `It needs five fields, and has ${fields}`
  return `It cannot be read: ${messageOf(error).replace(/^CronPattern: /, '')}`
}

/** @throws schedule_invalid, with a pointer to what cannot be read, or is never due */
export const requireSchedule = (schedule: Schedule, after: Date): Date => {
  if (!isZone(schedule.time_zone)) throw refuse('/time_zone', `${schedule.time_zone} is no IANA time zone`)
  let next: Date | null
  try {
    next = nextTime(schedule, after)
  } catch (error) {
    throw refuse('/cron', explain(schedule.cron, error))
  }
  if (next === null) throw refuse('/cron', 'It is never due')
  return next
}
