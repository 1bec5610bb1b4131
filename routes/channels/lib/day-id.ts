import { createHash } from 'node:crypto'

/** What happens once a day has one id: each channel is notified of it once a day. */
export const dayId = (what: string, whose: string, day: string): string => {
  const hex = createHash('sha256').update(`${what}|${whose}|${day}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}
