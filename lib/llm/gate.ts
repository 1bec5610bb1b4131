import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuid } from 'uuid'
import { groupedByWorkspace, type Grouped, type OfWorkspace } from '../../db/grouped.js'
import type { Db } from '../../db/index.js'
import { deleteReservation, listSpentToday, reserveSpend, type Payer } from '../../db/model-spend.js'
import { BudgetExceeded } from './budget.js'

/** Budgets of a day, in micro-dollars. */
export interface DayBudgets {
  /** Of one person. */
  user: number
  /** Of all people of a workspace; undefined = they have none. */
  workspace: number | undefined
}

const owners = { user: 'person', workspace: 'workspace' }

/** A budget of the day is used up: the payer's, or their workspace's. */
export class DayBudgetReached extends BudgetExceeded {
  override name = 'DayBudgetReached'

  /** @param micros the budget */
  constructor (readonly whose: 'user' | 'workspace', micros: number) {
    super(`The budget of this ${owners[whose]}'s day, ${micros / 1_000_000} USD, is reached`)
  }
}

/** What one model call may cost at most, until its charge is recorded. */
export interface Hold {
  readonly payer: Payer
  /** Gives back what is reserved; the charge is recorded by now. @param micros what the call was charged */
  release: (micros: number) => void
}

/**
 * What is known of a day of a person: as the database reported it, and what this process has recorded since. Of one of
 * a workspace only the holds count.
 */
interface Day {
  spent: number
  /** When the database was asked last; undefined before the first time. */
  at: number | undefined
  /** How many reservations there are, what they come to, and what those that the database does not have come to. */
  holds: number
  held: number
  unstored: number
  /** Aborts at the next release; only where a call waits for one. */
  next: AbortController | undefined
}

interface Days { user: Day, workspace: Day }

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

const newDay = (): Day => ({ spent: 0, at: undefined, holds: 0, held: 0, unstored: 0, next: undefined })

/** Counts reservations, or gives them back. */
const count = (day: Day, change: 1 | -1, micros: number, isStored: boolean): void => {
  day.holds += change
  day.held += change * micros
  if (!isStored) day.unstored += change * micros
}

const nextRelease = (day: Day): AbortSignal => {
  day.next ??= new AbortController()
  return day.next.signal
}

const announceRelease = (day: Day): void => {
  day.next?.abort()
  day.next = undefined
}

/**
 * The one way to the model: each call reserves what it may cost of its payer's budget of the day, and of their
 * workspace's, and gives back what it did not. Far from the budget's end the process decides by what it knows; near it
 * the database does, one call after the other over all instances, so that no call begins on money that another one may
 * still need.
 */
export class SpendGate {
  readonly #days = new Map<string, Day>()
  readonly #spent: Grouped<OfWorkspace<string>, number>

  constructor (private readonly db: Db, private readonly budgetsOf: (workspaceId: string) => DayBudgets,
    private readonly log: FastifyBaseLogger) {
    // Many who call for the first time at once are looked up together.
    this.#spent = groupedByWorkspace((workspaceId, users) => listSpentToday(db, workspaceId, users))
  }

  /** Looks up the payer's day, so that a call soon after waits for no look-up and is not overtaken meanwhile. */
  async prepare (payer: Payer): Promise<void> {
    // There the database decides at the call.
    if (this.budgetsOf(payer.workspace_id).workspace !== undefined) return
    await this.#lookUp(payer, this.#daysOf(payer).user)
  }

  /**
   * Reserves; a call for which only reservations of others leave no room waits for them.
   * @param micros the most that the call may cost
   * @throws DayBudgetReached, the signal's reason when it aborts
   */
  async reserve (payer: Payer, micros: number, signal: AbortSignal): Promise<Hold> {
    const days = this.#daysOf(payer)
    const budgets = this.budgetsOf(payer.workspace_id)
    // What many people spend unseen adds up: where they have a budget together, the database always decides.
    if (budgets.workspace !== undefined) return this.#reserveStored(payer, days, micros, signal)
    const { user } = days
    await this.#lookUp(payer, user)
    const isFar = micros <= budgets.user * smallCall && user.spent + user.held <= budgets.user * safePart
    return isFar ? this.#hold(payer, days, { micros }) : this.#reserveStored(payer, days, micros, signal)
  }

  async #reserveStored (payer: Payer, days: Days, micros: number, signal: AbortSignal): Promise<Hold> {
    const id = uuid()
    const until = Date.now() + maxWaitMs
    const capOf = (day: Day, cap: number) => ({ micros: cap, elsewhere: day.unstored })
    for (;;) {
      signal.throwIfAborted()
      const released = [nextRelease(days.user), nextRelease(days.workspace)]
      const { user, workspace } = this.budgetsOf(payer.workspace_id)
      const { spent, full, isSpent } = await reserveSpend(this.db, payer, {
        id,
        micros,
        user: capOf(days.user, user),
        workspace: workspace === undefined ? undefined : capOf(days.workspace, workspace)
      })
      Object.assign(days.user, { spent, at: Date.now() })
      if (full === undefined) return this.#hold(payer, days, { micros, id })
      if (isSpent || Date.now() > until) throw new DayBudgetReached(full, { user, workspace: workspace ?? 0 }[full])
      await sleep(pollMs, undefined, { signal: AbortSignal.any([signal, ...released]) }).catch(() => {})
    }
  }

  #hold (payer: Payer, { user, workspace }: Days, { micros, id }: { micros: number, id?: string }): Hold {
    const isStored = id !== undefined
    let isHeld = true
    for (const day of [user, workspace]) count(day, 1, micros, isStored)
    const free = () => {
      for (const day of [user, workspace]) announceRelease(day)
    }
    return {
      payer,
      release: (charged) => {
        if (!isHeld) return
        isHeld = false
        for (const day of [user, workspace]) count(day, -1, micros, isStored)
        user.spent += charged
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
      const spent = await this.#spent.add({ workspaceId: payer.workspace_id, what: payer.user_id })
      Object.assign(day, { spent, at: Date.now() })
    }
    if (age > staleMs) return read()
    day.at = Date.now() - freshMs / 2
    read().catch(({ message: reason }: Error) => this.log.warn({ reason }, 'spend of the day not read'))
  }

  #daysOf ({ workspace_id, user_id }: Payer): Days {
    const days = { user: this.#dayOf(`${workspace_id}:${user_id}`), workspace: this.#dayOf(workspace_id) }
    if (this.#days.size > maxDays) this.#forget([days.user, days.workspace])
    return days
  }

  #dayOf (key: string): Day {
    const day = this.#days.get(key) ?? newDay()
    this.#days.set(key, day)
    return day
  }

  #forget (kept: Day[]): void {
    for (const [key, day] of this.#days) if (day.holds === 0 && !kept.includes(day)) this.#days.delete(key)
  }
}
