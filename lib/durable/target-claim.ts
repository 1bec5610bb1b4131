import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/index.js'
import { claimTarget, releaseTarget, renewTarget, type HeldTarget, type TargetKey } from '../../db/target-claims.js'
import { TargetBusy } from '../../schemas/errors.js'

export type { TargetKey }

/** A process that dies holds its targets for so long. */
const leaseSeconds = 10
const renewMs = 3_000
/** Longer than a lease: what a process that died has held is waited for. */
const patienceMs = 15_000
const firstPauseMs = 30
const longestPauseMs = 500

/** The right to change a target, as long as it is held. */
export interface TargetClaim {
  /**
   * Right before something is sent.
   * @throws target_busy when the claim may have lapsed, and another process may have the target
   */
  requireHeld: () => void
}

const retry = { 'retry-after': '2' }

const busy = () => TargetBusy('Another change of the same target is being sent. Nothing was done; read it, and try ' +
  'again').withHeaders(retry)

const lapsed = () => TargetBusy('This instance held the target for too long without an answer of the database, so ' +
  'another one may change it by now. Nothing was sent; read it, and try again').withHeaders(retry)

/**
 * @returns when the statement was sent that claimed it
 * @throws target_busy when whoever holds it does not let go in time
 */
const waitFor = async (db: Db, held: HeldTarget): Promise<number> => {
  const until = performance.now() + patienceMs
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const since = performance.now()
    if (await claimTarget(db, held, leaseSeconds)) return since
    if (since + pause > until) throw busy()
    await sleep(pause)
  }
}

/** Keeps the claim as long as the work goes on. By this process's clock it ends earlier than by the database's. */
class RenewedClaim implements TargetClaim {
  #heldUntil: number
  readonly #timer: NodeJS.Timeout

  constructor (private readonly db: Db, private readonly held: HeldTarget, since: number) {
    this.#heldUntil = since + leaseSeconds * 1_000
    this.#timer = setInterval(() => { this.#renew().catch(() => undefined) }, renewMs).unref()
  }

  requireHeld (): void {
    if (performance.now() >= this.#heldUntil) throw lapsed()
  }

  /** A renewal that fails is tried again by the next one. */
  async #renew (): Promise<void> {
    const since = performance.now()
    const isHeld = await renewTarget(this.db, this.held, leaseSeconds)
    this.#heldUntil = isHeld ? since + leaseSeconds * 1_000 : -Infinity
  }

  /** What cannot be released lapses. */
  async release (): Promise<void> {
    clearInterval(this.#timer)
    await releaseTarget(this.db, this.held).catch(() => undefined)
  }
}

/**
 * Changes a target at a provider as the only one, whichever instance it is: two who were both shown one state do not
 * both act on it, because the second reads what the first has left. Whoever sends reads the target within the work,
 * compares it with what was approved, asks `requireHeld`, and sends.
 * @throws target_busy when another change of the target does not end in time; what the work throws
 */
export const withTarget = async <T>({ db }: { db: Db }, key: TargetKey, work: (claim: TargetClaim) => Promise<T>):
Promise<T> => {
  const held = { ...key, claim: randomUUID() }
  const claim = new RenewedClaim(db, held, await waitFor(db, held))
  try {
    return await work(claim)
  } finally {
    await claim.release()
  }
}
