import type { Digest, Quiet } from '../../../schemas/channels/channels.js'

const dayMinutes = 1_440
const minuteMs = 60_000

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** @returns minutes since midnight there */
const minutesAt = (at: Date, timeZone: string): number => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return toMinutes(format.format(at))
}

const toMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))

/** @returns minutes from one local time to the next of another */
const minutesTo = (from: number, to: number): number => (to - from + dayMinutes) % dayMinutes

/** @returns seconds until the quiet hours end; 0 outside of them */
export const quietSeconds = (quiet: Quiet | null, at: Date): number => {
  if (quiet === null) return 0
  const [from, until, current] = [toMinutes(quiet.from), toMinutes(quiet.until), minutesAt(at, quiet.time_zone)]
  const isQuiet = minutesTo(from, current) < minutesTo(from, until)
  return isQuiet ? Math.max(1, minutesTo(current, until) * 60 - at.getUTCSeconds()) : 0
}

/** @returns when the digest is due next; where clocks are changed meanwhile, at the local time all the same */
export const nextDigest = (digest: Digest | null, after: Date): Date | null => {
  if (digest === null) return null
  const wanted = toMinutes(digest.at)
  const start = Math.floor(after.getTime() / minuteMs) * minuteMs
  const first = start + (minutesTo(minutesAt(after, digest.time_zone), wanted) || dayMinutes) * minuteMs
  const off = minutesTo(minutesAt(new Date(first), digest.time_zone), wanted)
  const moved = first + (off > dayMinutes / 2 ? off - dayMinutes : off) * minuteMs
  return new Date(moved > after.getTime() ? moved : moved + dayMinutes * minuteMs)
}
