/*
 * Schedules that people say in a few words, written as cron and read back; any other cron stays what it is. Nothing is
 * imported here, so that tests load the module as it is.
 */

export type Schedule =
  /** `time`: HH:MM */
  | { kind: 'weekdays' | 'daily', time: string }
  /** `day`: 0 is Sunday */
  | { kind: 'weekly', day: number, time: string }
  | { kind: 'monthly', day: number, time: string }
  | { kind: 'hourly', minute: number }
  | { kind: 'cron', cron: string }

const numbered = (text: string | undefined, least: number, most: number): number | undefined =>
  text !== undefined && /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const readTimed = (time: string, day: string, weekday: string): Schedule | undefined => {
  if (day === '*' && weekday === '*') return { kind: 'daily', time }
  if (day === '*' && weekday === '1-5') return { kind: 'weekdays', time }
  const [ofWeek, ofMonth] = [numbered(weekday, 0, 7), numbered(day, 1, 31)]
  if (day === '*' && ofWeek !== undefined) return { kind: 'weekly', day: ofWeek % 7, time }
  return weekday === '*' && ofMonth !== undefined ? { kind: 'monthly', day: ofMonth, time } : undefined
}

/** @returns the schedule of a cron; `cron` where it is none of the others */
export const readSchedule = (cron: string): Schedule => {
  const [minutes, hours, day = '', month = '', weekday = '', more] = cron.trim().split(/\s+/)
  const [minute, hour] = [numbered(minutes, 0, 59), numbered(hours, 0, 23)]
  const other: Schedule = { kind: 'cron', cron }
  if (minute === undefined || month !== '*' || more !== undefined) return other
  if (hour !== undefined) return readTimed(`${twoDigits(hour)}:${twoDigits(minute)}`, day, weekday) ?? other
  return hours === '*' && day === '*' && weekday === '*' ? { kind: 'hourly', minute } : other
}

const writeTime = (time: string): string => {
  const [hour = '0', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)}`
}

/** @returns the schedule as cron */
export const writeSchedule = (schedule: Schedule): string => {
  switch (schedule.kind) {
    case 'weekdays': return `${writeTime(schedule.time)} * * 1-5`
    case 'daily': return `${writeTime(schedule.time)} * * *`
    case 'weekly': return `${writeTime(schedule.time)} * * ${schedule.day}`
    case 'monthly': return `${writeTime(schedule.time)} ${schedule.day} * *`
    case 'hourly': return `${schedule.minute} * * * *`
    case 'cron': return schedule.cron
  }
}
