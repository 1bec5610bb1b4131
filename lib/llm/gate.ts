import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/index.js'
import { deleteReservation, reserveSpend, spentToday, type Payer } from '../../db/model-spend.js'
import { BudgetExceeded } from './budget.js'

/** The payer's budget of the day is used up. */
export class DayBudgetReached extends BudgetExceeded {
  override name = 'DayBudgetReached'
}

/** What one model call may cost at most, until its charge is recorded. */
export interface Hold {
  readonly payer: Payer
  /** Gives back what is reserved; the charge is recorded by now. @param micros what the call was charged */
  release: (micros: number) => void
}

/** What is known of a person's day: as the database reported it, and what this process has recorded since. */
interface Day {
  spent: number
  /** When the database was asked last; undefined before the first time. */
  at: number | undefined
  holds: Set<{ micros: number, isStored: boolean }>
  /** Aborts at the next release. */
  next: AbortController
}

const freshMs = 30_000
const staleMs = 60_000
const pollMs = 1_000
const maxWaitMs = 60_000
const maxDays = 10_000

/**
 * A call of at most this part of the budget, while no more than that part of it is used: what other instances spend
 * unseen until the next refresh cannot reach it.
 */
const smallCall = 0.05
const safePart = 0.5

const keyOf = ({ workspace_id, user_id }: Payer): string => `${workspace_id}:${user_id}`

const newDay = (): Day => ({ spent: 0, at: undefined, holds: new Set(), next: new AbortController() })

/**
 * The one way to the model: each call reserves what it may cost of its payer's budget of the day, and gives back what
 * it did not. Far from the budget's end the process decides by what it knows; near it the database does, one call after
 * the other over all instances, so that no call begins on money that another one may still need.
 */
export class SpendGate {
  readonly #days = new Map<string, Day>()

  /** @param cap the budget of one person and day, in micro-dollars */
  constructor (private readonly db: Db, private readonly cap: number, private readonly log: FastifyBaseLogger) {}

  /**
   * Reserves; a call for which only reservations of others leave no room waits for them.
   * @param micros the most that the call may cost
   * @throws DayBudgetReached, the signal's reason when it aborts
   */
  async reserve (payer: Payer, micros: number, signal: AbortSignal): Promise<Hold> {
    const day = this.#dayOf(payer)
    await this.#lookUp(payer, day)
    const isFar = micros <= this.cap * smallCall && day.spent + sumOf(day, () => true) <= this.cap * safePart
    return isFar ? this.#hold(payer, day, { micros }) : this.#reserveStored(payer, day, micros, signal)
  }

  async #reserveStored (payer: Payer, day: Day, micros: number, signal: AbortSignal): Promise<Hold> {
    const id = uuid()
    const until = Date.now() + maxWaitMs
    for (;;) {
      signal.throwIfAborted()
      const released = day.next.signal
      const elsewhere = sumOf(day, ({ isStored }) => !isStored)
      const { spent, isReserved } = await reserveSpend(this.db, payer, { id, micros, elsewhere, cap: this.cap })
      Object.assign(day, { spent, at: Date.now() })
      if (isReserved) return this.#hold(payer, day, { micros, id })
      if (spent >= this.cap || Date.now() > until) throw this.#reached()
      await sleep(pollMs, undefined, { signal: AbortSignal.any([signal, released]) }).catch(() => {})
    }
  }

  #hold (payer: Payer, day: Day, { micros, id }: { micros: number, id?: string }): Hold {
    const held = { micros, isStored: id !== undefined }
    day.holds.add(held)
    const free = () => {
      day.next.abort()
      day.next = new AbortController()
    }
    return {
      payer,
      release: (charged) => {
        if (!day.holds.delete(held)) return
        day.spent += charged
        if (id === undefined) return free()
        deleteReservation(this.db, payer, id).then(free, ({ message: reason }: Error) =>
          this.log.warn({ reason }, 'a reservation for a model call was not deleted; it expires'))
      }
    }
  }

  /** Nobody waits for the database but who asks for the first time, or for the first time since long. */
  async #lookUp (payer: Payer, day: Day): Promise<void> {
    const age = Date.now() - (day.at ?? 0)
    if (age <= freshMs) return
    const read = async () => {
      const spent = await spentToday(this.db, payer)
      Object.assign(day, { spent, at: Date.now() })
    }
    if (age > staleMs) return read()
    day.at = Date.now() - freshMs / 2
    read().catch(({ message: reason }: Error) => this.log.warn({ reason }, 'spend of the day not read'))
  }

  #dayOf (payer: Payer): Day {
    const key = keyOf(payer)
    const day = this.#days.get(key) ?? newDay()
    this.#days.set(key, day)
    if (this.#days.size > maxDays) this.#forget(key)
    return day
  }

  #forget (kept: string): void {
    for (const [key, { holds }] of this.#days) if (holds.size === 0 && key !== kept) this.#days.delete(key)
  }

  #reached (): DayBudgetReached {
    return new DayBudgetReached(`The budget of this person's day, ${this.cap / 1_000_000} USD, is reached`)
  }
}

const sumOf = ({ holds }: Day, which: (hold: { isStored: boolean }) => boolean): number =>
  [...holds].reduce((sum, hold) => which(hold) ? sum + hold.micros : sum, 0)
