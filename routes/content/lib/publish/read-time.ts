import { Temporal } from 'temporal-polyfill'
import type { When } from '../../../../schemas/content/publications.js'
import { PublishAtPast, TimeAmbiguous, TimeNonexistent, TimezoneRequired, TooFar, invalid } from '../errors.js'

const maxYears = 5
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i

const tryOr = <T>(read: () => T, pointer: string, message: string): T => {
  try {
    return read()
  } catch {
    throw invalid(pointer, 'format', message)
  }
}

const localTime = (text: string, timezone: string, disambiguation: When['disambiguation']): Temporal.Instant => {
  const local = tryOr(() => Temporal.PlainDateTime.from(text), '/publish_at', 'is no time')
  const at = (way: 'earlier' | 'later') =>
    tryOr(() => local.toZonedDateTime(timezone, { disambiguation: way }), '/timezone', 'is no IANA time zone')
  const [earlier, later] = [at('earlier'), at('later')]
  if (disambiguation === 'reject' && !earlier.equals(later)) {
    // In a gap, neither reading shows the requested time.
    throw earlier.toPlainDateTime().equals(local) ? TimeAmbiguous() : TimeNonexistent()
  }
  return (disambiguation === 'later' ? later : earlier).toInstant()
}

/**
 * @returns the instant; null = now
 * @throws publish_at_past, too_far, timezone_required, local_time_ambiguous, local_time_nonexistent, invalid_request
 */
export const readTime = ({ publish_at: text, timezone, disambiguation }: When, now: Date): Date | null => {
  if (text === undefined) return null
  if (!offset.test(text) && timezone === undefined) throw TimezoneRequired()
  const instant = offset.test(text)
    ? tryOr(() => Temporal.Instant.from(text), '/publish_at', 'is no time')
    : localTime(text, timezone ?? 'UTC', disambiguation)
  const at = new Date(instant.epochMilliseconds)
  if (at <= now) throw PublishAtPast()
  const limit = new Date(now)
  limit.setUTCFullYear(now.getUTCFullYear() + maxYears)
  if (at > limit) throw TooFar()
  return at
}
