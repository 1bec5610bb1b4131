import { currentShare } from './share.js'

/** How many pieces of work a person, a workspace and all together may have. */
export interface Bounds { person: number, workspace: number, all: number }

export interface SharesOptions {
  /** What runs at once. A workspace may have less than all, so that another one never waits behind its work. */
  atOnce: Bounds
  /** What may wait. */
  waiting: Bounds
  /** How long work waits for its turn, in ms. */
  maxWaitMs: number
  /** The error of work that may not wait, or has waited too long; it says when to come again. */
  overloaded: (detail?: string) => Error
}

/** Three at once: one is left for another workspace, and one for a colleague. */
export const usualAtOnce: Bounds = { person: 1, workspace: 2, all: 3 }
/** A page of a list may need fifty at once. */
export const usualWaiting: Bounds = { person: 64, workspace: 128, all: 512 }

interface Waiting { since: number, start: () => void, refuse: (error: Error) => void }

/** What one workspace, or one person of it, has under way. */
class Holder<Held> {
  running = 0
  waiting = 0
  constructor (readonly held: Held) {}
  get isIdle (): boolean { return this.running === 0 && this.waiting === 0 }
}

type Person = Holder<Waiting[]>
type Workspace = Holder<Map<string, Person>>

const personIn = (workspace: Workspace, id: string): Person => {
  const found = workspace.held.get(id) ?? new Holder<Waiting[]>([])
  workspace.held.set(id, found)
  return found
}

/** Whoever came after the value was left may have put another in its place. */
const forget = <T>(map: Map<string, T>, key: string, value: T): void => {
  if (map.get(key) === value) map.delete(key)
}

/** @returns whoever has the least under way first, and of these whose turn is the longest ago */
const leastFirst = <T extends { running: number }>(holders: Map<string, T>): [string, T][] =>
  [...holders].sort(([, a], [, b]) => a.running - b.running)

/** Moves a key behind the others: they have their turn first. */
const toTheEnd = <T>(map: Map<string, T>, key: string, value: T): void => {
  map.delete(key)
  map.set(key, value)
}

/**
 * Lets work run in turns: workspace by workspace, and in each person by person. Whoever brings much waits behind the
 * own work, and what one brings more than may wait is refused.
 */
export class Shares {
  /** In the order of their turns. */
  readonly #workspaces = new Map<string, Workspace>()
  #running = 0
  #waiting = 0

  constructor (private readonly options: SharesOptions) {}

  get waiting (): number { return this.#waiting }

  /** Does work when it is its turn, on the current share. @throws overloaded */
  async run<T> (work: () => Promise<T>): Promise<T> {
    const { workspaceId, personId = '' } = currentShare()
    const workspace: Workspace = this.#workspaces.get(workspaceId) ?? new Holder(new Map<string, Person>())
    this.#workspaces.set(workspaceId, workspace)
    const person = personIn(workspace, personId)
    try {
      if (this.#mayRun(workspace, person)) this.#count(workspace, person, 'running', 1)
      else await this.#wait(workspace, person)
      try {
        return await work()
      } finally {
        this.#count(workspace, person, 'running', -1)
        this.#next()
      }
    } finally {
      if (person.isIdle) forget(workspace.held, personId, person)
      if (workspace.isIdle) forget(this.#workspaces, workspaceId, workspace)
    }
  }

  #count (workspace: Workspace, person: Person, what: 'running' | 'waiting', by: 1 | -1): void {
    workspace[what] += by
    person[what] += by
    if (what === 'running') this.#running += by
    else this.#waiting += by
  }

  #mayRun (workspace: Workspace, person: Person): boolean {
    const { all, workspace: ofWorkspace, person: ofPerson } = this.options.atOnce
    return this.#running < all && workspace.running < ofWorkspace && person.running < ofPerson
  }

  #wait (workspace: Workspace, person: Person): Promise<void> {
    const { waiting, overloaded } = this.options
    if (person.waiting >= waiting.person) throw overloaded(`${person.waiting} requests of yours wait already`)
    if (workspace.waiting >= waiting.workspace) {
      throw overloaded(`${workspace.waiting} requests of your workspace wait already`)
    }
    if (this.#waiting >= waiting.all) throw overloaded()
    this.#count(workspace, person, 'waiting', 1)
    return new Promise((resolve, reject) => {
      person.held.push({ since: performance.now(), start: resolve, refuse: reject })
    })
  }

  /** Starts whatever may run. */
  #next (): void {
    for (let started = this.#startOne(); started; started = this.#startOne());
  }

  #startOne (): boolean {
    for (const [workspaceId, workspace] of leastFirst(this.#workspaces)) {
      for (const [personId, person] of leastFirst(workspace.held)) {
        const next = this.#refuseLate(workspace, person)
        if (!next || !this.#mayRun(workspace, person)) continue
        person.held.shift()
        this.#count(workspace, person, 'waiting', -1)
        this.#count(workspace, person, 'running', 1)
        toTheEnd(workspace.held, personId, person)
        toTheEnd(this.#workspaces, workspaceId, workspace)
        next.start()
        return true
      }
    }
    return false
  }

  /** @returns the first that waits and has not waited too long */
  #refuseLate (workspace: Workspace, person: Person): Waiting | undefined {
    const since = performance.now() - this.options.maxWaitMs
    for (let [first] = person.held; first; [first] = person.held) {
      if (first.since >= since) return first
      person.held.shift()
      this.#count(workspace, person, 'waiting', -1)
      first.refuse(this.options.overloaded())
    }
    return undefined
  }
}
