import { InvocationLimited } from './errors.js'

/** How many functions of an account this instance runs at once: a caller cannot use up the account's own limit. */
export class InvocationSlots {
  readonly #taken = new Map<string, number>()

  constructor (private readonly perAccount: number) {}

  /** @throws invocation_limited at once; nothing waits, since what waits may time out and still run */
  async with<T> (accountId: string, work: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(accountId) ?? 0
    if (taken >= this.perAccount) {
      throw InvocationLimited(`${taken} invocations in this account have not answered yet`)
        .withHeaders({ 'retry-after': '1' })
    }
    this.#taken.set(accountId, taken + 1)
    try {
      return await work()
    } finally {
      this.#free(accountId)
    }
  }

  #free (accountId: string): void {
    const left = (this.#taken.get(accountId) ?? 1) - 1
    if (left > 0) this.#taken.set(accountId, left)
    else this.#taken.delete(accountId)
  }
}
