import { networkOf, siteOf, siteShare } from '../http/addresses.js'
import { RateLimited, type ApiError } from '../../schemas/errors.js'

const windowMs = 60_000

/** Refused credentials by the network of an address. Beyond a limit the answer is 429, whatever was wrong with them. */
export class RefusedCredentials {
  #since = Date.now()
  readonly #counts = new Map<string, number>()

  constructor (private readonly max: number) {}

  /** @returns the error to answer with */
  count (address: string, error: ApiError): ApiError {
    const now = Date.now()
    if (now - this.#since > windowMs) {
      this.#since = now
      this.#counts.clear()
    }
    const network = networkOf(address)
    const site = siteOf(network)
    const count = Math.max(this.#add(network), site === undefined ? 0 : Math.ceil(this.#add(site) / siteShare))
    const seconds = Math.ceil((this.#since + windowMs - now) / 1_000)
    if (count <= this.max) return error
    return RateLimited('Too many refused credentials').withHeaders({ 'retry-after': `${seconds}` })
  }

  #add (key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }
}
