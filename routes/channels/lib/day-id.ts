import { createHash } from 'node:crypto'

/** What has the same parts has the same id: each channel is notified of it once. */
export const idOf = (...parts: readonly string[]): string => {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
}

/** What happens once a day has one id. */
export const dayId = (what: string, whose: string, day: string): string => idOf(what, whose, day)
