import type { ApiError } from '../../schemas/errors.js'
import { rateLimited } from './errors.js'

const failuresToRest = 10
const restMs = 5_000
const brokenCodes = new Set(['codehost_timeout', 'codehost_error'])

/**
 * Holds back what would do harm: requests of a token that the host limits (going on may get the integration banned),
 * and requests to a host that has not answered for ten times in a row.
 */
export class Pressure {
  readonly #limited = new Map<string, number>()
  #failures = 0
  #rest: { until: number, error: ApiError } | undefined

  /**
   * @param identity the token, and the kind of requests that have a limit of their own
   * @throws codehost_rate_limited while it is limited; the last failure while the host rests
   */
  check (identity: string): void {
    const left = (this.#limited.get(identity) ?? 0) - Date.now()
    if (left > 0) throw rateLimited(Math.ceil(left / 1_000))
    this.#limited.delete(identity)
    if (this.#rest && this.#rest.until > Date.now()) throw this.#rest.error
  }

  answered (): void {
    this.#failures = 0
    this.#rest = undefined
  }

  failed (identity: string, error: ApiError): void {
    if (error.code === 'codehost_rate_limited') {
      this.#limited.set(identity, Date.now() + Number(error.members.retry_after) * 1_000)
    }
    if (!brokenCodes.has(error.code)) return this.answered()
    this.#failures++
    if (this.#failures >= failuresToRest) this.#rest = { until: Date.now() + restMs, error }
  }
}
