import {
  markRefused, returnLease, storeTokens, takeLease, type GrantRow, type EncryptedTokens
} from '../../db/codehost/grants.js'
import type { Db } from '../../db/index.js'
import { CodehostError, CodehostTimeout } from '../../schemas/codehost/errors.js'
import { TokenRefused } from './oauth-client.js'
import type { IssuedTokens } from './encrypted-tokens.js'

export interface RenewalParts {
  db: Db
  timeoutMs: number
  find: (row: GrantRow) => Promise<GrantRow | undefined>
  /** Uses the row's refresh token up. */
  refresh: (row: GrantRow) => Promise<IssuedTokens>
  encrypt: (row: GrantRow, issued: IssuedTokens) => EncryptedTokens
  /** For tokens that nobody wants any more: ends them at the host. */
  abandon: (issued: IssuedTokens) => Promise<unknown>
  warn: (row: GrantRow, reason: string) => void
}

const pollMs = 100
const storeAttempts = 5
/** After a failure, as long as the token still works. */
const pauseSeconds = 30

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Refreshes tokens, each once: a refresh token may be used once, and a host may end the whole grant when it comes a
 * second time. In this process callers share one refresh; between processes a lease in the row decides.
 */
export class Renewals {
  readonly #underWay = new Map<string, Promise<GrantRow>>()

  constructor (private readonly parts: RenewalParts) {}

  /**
   * @param urgent the host refused the token: the row's own one is no help
   * @returns the row with tokens that may be used; in state `needs_reauth` when the host refuses for good
   * @throws codehost_timeout, codehost_error and others of an answer that never came
   */
  renew (row: GrantRow, urgent: boolean): Promise<GrantRow> {
    const key = `${row.workspace_id} ${row.id}`
    const known = this.#underWay.get(key)
    const renewing = known ?? this.#renew(row, urgent || row.dead).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, renewing)
    return renewing
  }

  async #renew (row: GrantRow, urgent: boolean): Promise<GrantRow> {
    const { db, timeoutMs } = this.parts
    // The token's host may be asked twice, and takes a while to answer and as long to say all of it.
    const leaseSeconds = Math.ceil(timeoutMs * 4 / 1_000) + 5
    const end = Date.now() + timeoutMs * 2
    while (!await takeLease(db, row.workspace_id, row.id, row.generation, leaseSeconds)) {
      const current = await this.parts.find(row)
      if (!current || current.generation !== row.generation || current.state !== 'active') return current ?? gone(row)
      if (!urgent) return row
      if (Date.now() > end) throw CodehostTimeout('The connection to the code host is being renewed; try again')
      await pause(pollMs)
    }
    return this.#refresh(row, urgent)
  }

  async #refresh (row: GrantRow, urgent: boolean): Promise<GrantRow> {
    const { parts } = this
    let issued: IssuedTokens
    try {
      issued = await parts.refresh(row)
    } catch (error) {
      return this.#fail(row, urgent, error as Error)
    }
    if (!await this.#store(row, issued)) {
      // Ended or made anew meanwhile: what counts is there, and these must not live on.
      parts.abandon(issued).catch((error: Error) => parts.warn(row, error.message))
    }
    return await parts.find(row) ?? gone(row)
  }

  /** The old tokens are used up: that the database does not answer for a moment must not lose the new ones. */
  async #store (row: GrantRow, issued: IssuedTokens): Promise<boolean> {
    const { db, encrypt } = this.parts
    const encrypted = encrypt(row, issued)
    for (let attempt = 1; ; attempt++) {
      try {
        return await storeTokens(db, row.workspace_id, row.id, encrypted, row.generation)
      } catch (error) {
        if (attempt === storeAttempts) throw error
        await pause(pollMs * attempt)
      }
    }
  }

  async #fail (row: GrantRow, urgent: boolean, error: Error): Promise<GrantRow> {
    const { db, find, warn } = this.parts
    const refused = error instanceof TokenRefused
    warn(row, refused ? error.reason : error.message)
    if (refused && error.ofGrant) {
      await markRefused(db, row.workspace_id, row.id, row.generation)
      return await find(row) ?? gone(row)
    }
    await returnLease(db, row.workspace_id, row.id, row.generation, urgent ? 0 : pauseSeconds)
    if (!urgent) return row
    throw refused ? CodehostError('The code host does not renew the connection') : error
  }
}

const gone = (row: GrantRow): GrantRow => ({ ...row, state: 'disconnected', access_token: null })
