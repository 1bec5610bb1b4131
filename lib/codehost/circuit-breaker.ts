import type { ApiError } from '../../schemas/errors.js'
import { rateLimited } from './errors.js'

const failuresToOpen = 10
const openMs = 5_000
const brokenCodes = new Set(['codehost_timeout', 'codehost_error'])

/**
 * Refuses requests of a token while the code host limits it (going on may get the integration banned), and requests to
 * a host that has failed ten times in a row.
 */
export class CircuitBreaker {
  readonly #limited = new Map<string, number>()
  #failures = 0
  #open: { until: number, error: ApiError } | undefined

  /**
   * @param identity the token, and the kind of requests that have a limit of their own
   * @throws codehost_rate_limited while it is limited; the last failure while the breaker is open
   */
  requireClosed (identity: string): void {
    const left = (this.#limited.get(identity) ?? 0) - Date.now()
    if (left > 0) throw rateLimited(Math.ceil(left / 1_000))
    this.#limited.delete(identity)
    if (this.#open && this.#open.until > Date.now()) throw this.#open.error
  }

  recordSuccess (): void {
    this.#failures = 0
    this.#open = undefined
  }

  recordFailure (identity: string, error: ApiError): void {
    if (error.code === 'codehost_rate_limited') {
      this.#limited.set(identity, Date.now() + Number(error.members.retry_after) * 1_000)
    }
    if (!brokenCodes.has(error.code)) return this.recordSuccess()
    this.#failures++
    if (this.#failures >= failuresToOpen) this.#open = { until: Date.now() + openMs, error }
  }
}
