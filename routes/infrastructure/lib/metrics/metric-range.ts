import type { MetricQuery } from '../../../../schemas/infrastructure/metrics.js'
import { RangeInvalid } from '../errors.js'
import { momentOf } from '../logs/page-logs.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const usualMs = 3 * hourMs
/** CloudWatch forgets metrics after 15 months. */
const oldestMs = 455 * dayMs
const periods = [60, 300, 900, 3_600, 21_600, 86_400]
/** More make an answer that nobody reads. */
const mostPoints = 1_440

export interface MetricRange { from: number, to: number, period: number }

const invalid = (name: string, message: string) =>
  RangeInvalid(`${name} ${message}`, { errors: [{ pointer: `/querystring/${name}`, code: 'range_invalid', message }] })

/** @returns in seconds, the shortest period that CloudWatch still has of what is so old */
const keptPeriod = (ageMs: number): number => {
  if (ageMs > 63 * dayMs) return 3_600
  return ageMs > 15 * dayMs ? 300 : 60
}

/**
 * @param points so many at most where no period is asked for
 * @returns in milliseconds, whole periods that are over: of one that goes on, a sum would be too low
 * @throws range_invalid
 */
export const readMetricRange = (query: MetricQuery, points: number, now = Date.now()): MetricRange => {
  const to = Math.min(now, query.until === undefined ? now : momentOf('until', query.until, now))
  const from = query.since === undefined ? to - usualMs : momentOf('since', query.since, now)
  if (from >= to) throw invalid('since', 'is not before until')
  if (now - from > oldestMs) throw invalid('since', 'is more than 455 days ago: CloudWatch has no metric of then')
  const kept = keptPeriod(now - from)
  const fitting = periods.filter((seconds) => seconds >= kept)
  const period = query.period ?? fitting.find((seconds) => (to - from) / 1_000 / seconds <= points) ?? 86_400
  if (period < kept) throw invalid('period', `is shorter than ${kept}, which CloudWatch keeps of that time`)
  if ((to - from) / 1_000 / period > mostPoints) throw invalid('period', `makes more than ${mostPoints} points; make it longer`)
  const whole = (at: number) => Math.floor(at / 1_000 / period) * period * 1_000
  if (whole(from) >= whole(to)) throw invalid('since', 'leaves no complete period; begin earlier, or make the period shorter')
  return { from: whole(from), to: whole(to), period }
}
