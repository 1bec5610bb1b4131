import { RangeInvalid } from '../errors.js'

export interface Range { from: number, to: number }

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const usualMs = 15 * 60_000
const longestMs = 7 * 86_400_000

const invalidRange = (name: string, message: string) =>
  RangeInvalid(`${name} ${message}`, { errors: [{ pointer: `/querystring/${name}`, code: 'range_invalid', message }] })

const momentOf = (name: string, text: string, now: number): number => {
  const ago = /^(\d+)([smhd])$/.exec(text)
  if (ago?.[1] && ago[2]) return now - Number(ago[1]) * (units[ago[2]] ?? 0)
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalidRange(name, 'is no moment')
  return at
}

/**
 * @returns milliseconds, both ends included; by default the last 15 minutes
 * @throws range_invalid when it ends before it begins or is longer than 7 days
 */
export const readRange = (input: { since?: string, until?: string }, now = Date.now()): Range => {
  const to = input.until === undefined ? now : momentOf('until', input.until, now)
  const from = input.since === undefined ? to - usualMs : momentOf('since', input.since, now)
  if (from > to) throw invalidRange('since', 'is after until')
  if (to - from > longestMs) throw invalidRange('since', 'is more than 7 days before until')
  return { from, to }
}
