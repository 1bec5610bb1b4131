import { AsyncLocalStorage } from 'node:async_hooks'
import { isUndone } from './connection-errors.js'

/** Items of one statement at most, and the size at which it takes no more. */
const maxItems = 64
const maxSize = 1_048_576

/** A statement that takes longer, such as one that waits for a lock, holds up nobody else. */
const slowMs = 100

export interface GroupedOptions<Item, Result> {
  /** Does the work of all items, or of none. @returns a result for each, in their order */
  work: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Items of other groups go in other statements. */
  groupOf: (item: Item) => string
  /** Of two items with the same id, one goes in a later statement. */
  idOf?: (item: Item) => string
  /** Characters that it adds to a statement. */
  sizeOf: (item: Item) => number
}

interface Waiting<Item, Result> { item: Item, resolve: (result: Result) => void, reject: (error: unknown) => void }

interface Group<Item, Result> { waiting: Waiting<Item, Result>[], running: number, isDue: boolean }

/** Work that comes in one turn of the event loop, or while a statement of its group is under way, goes together. */
export class Grouped<Item, Result> {
  readonly #groups = new Map<string, Group<Item, Result>>()
  /** What an item belongs to, such as a request, says nothing of the items that it goes with. */
  readonly #detached = AsyncLocalStorage.snapshot()

  constructor (private readonly options: GroupedOptions<Item, Result>) {}

  /** @throws what the item's own statement throws; an error of another item is none of this one */
  add (item: Item): Promise<Result> {
    const name = this.options.groupOf(item)
    const group = this.#groups.get(name) ?? { waiting: [], running: 0, isDue: false }
    this.#groups.set(name, group)
    return new Promise((resolve, reject) => {
      group.waiting.push({ item, resolve, reject })
      if (group.running === 0 && !group.isDue) this.#detached(() => this.#sendSoon(name, group))
    })
  }

  #sendSoon (name: string, group: Group<Item, Result>): void {
    group.isDue = true
    setImmediate(() => {
      group.isDue = false
      this.#next(name, group)
    })
  }

  #next (name: string, group: Group<Item, Result>): void {
    if (group.waiting.length > 0) void this.#send(name, group)
    else if (group.running === 0) this.#groups.delete(name)
  }

  async #send (name: string, group: Group<Item, Result>): Promise<void> {
    const taken = this.#take(group)
    let counts = true
    const leave = () => {
      if (!counts) return
      counts = false
      group.running--
      this.#next(name, group)
    }
    group.running++
    const timer = setTimeout(leave, slowMs)
    await this.#settle(taken)
    clearTimeout(timer)
    leave()
  }

  #take (group: Group<Item, Result>): Waiting<Item, Result>[] {
    const { idOf, sizeOf } = this.options
    const [taken, left]: [Waiting<Item, Result>[], Waiting<Item, Result>[]] = [[], []]
    const ids = new Set<string>()
    let size = 0
    let isFull = false
    for (const one of group.waiting) {
      const id = idOf?.(one.item)
      // What comes after one that does not fit waits with it: nothing overtakes but what goes round its own id.
      isFull ||= taken.length > 0 && (taken.length >= maxItems || size + sizeOf(one.item) > maxSize)
      if (isFull || (id !== undefined && ids.has(id))) left.push(one)
      else {
        taken.push(one)
        size += sizeOf(one.item)
      }
      if (id !== undefined) ids.add(id)
    }
    group.waiting = left
    return taken
  }

  /** Never throws. */
  async #settle (taken: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.work(taken.map(({ item }) => item))
      // One for each item: see `work`.
      taken.forEach(({ resolve }, i) => resolve(results[i] as Result))
    } catch (error) {
      if (taken.length > 1 && isUndone(error)) await Promise.all(taken.map((one) => this.#settle([one])))
      else for (const { reject } of taken) reject(error)
    }
  }
}

export interface OfWorkspace<What> { workspaceId: string, what: What }

/** Look-ups of one workspace, together: each is sent after it was asked for, so it finds what was committed before. */
export const groupedByWorkspace = <What, Result>(
  work: (workspaceId: string, items: readonly What[]) => Promise<readonly Result[]>
) => new Grouped<OfWorkspace<What>, Result>({
    work: (items) => work(items[0]?.workspaceId ?? '', items.map(({ what }) => what)),
    groupOf: ({ workspaceId }) => workspaceId,
    // An id, a hash or a key.
    sizeOf: () => 256
  })
