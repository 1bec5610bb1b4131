import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, QueryResult } from 'kysely'
import { Overloaded } from '../schemas/errors.js'
import { isUndone } from './connection-errors.js'

export type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** Says durably, before the first effect, that there is one. No changed row = the request lost its claim. */
export interface EffectMark { query: CompiledQuery, execute: Execute }

/** How many began, and how many of those are known to have changed nothing. */
interface Count { begun: number, undone: number }

/** One call that changed something at a provider, or may have: what a record says of it. */
export interface ProviderCall {
  provider: string
  operation: string
  /** As the provider names it: by this its own logs find the call. */
  request_id: string | null
  status: number | null
  /** Whose credential it was: such as account, region, role session. */
  [more: string]: string | number | null
}

/** More are counted, and not listed. */
const listedCalls = 50

const abandoned = () =>
  Overloaded('Whoever asked has stopped waiting, and nothing had been sent: nothing was done. Send it again')

/**
 * What one piece of work has changed outside itself: calls that change something at a provider, and commits of the
 * database. Shared clients and the database's driver count here by themselves, so no route can forget to.
 */
export class Effects {
  readonly calls: Count = { begun: 0, undone: 0 }
  readonly commits: Count = { begun: 0, undone: 0 }
  /** What is known of the calls; the first of them, if they are many. */
  readonly made: ProviderCall[] = []
  #abandoned = false
  #closed = false
  #marking: Promise<void> | undefined

  constructor (private readonly parent?: Effects, private readonly mark?: EffectMark) {}

  /** This record and those of the work that it is part of, as far as they still listen. */
  * chain (): Generator<Effects> {
    if (!this.#closed) yield this
    if (this.parent) yield * this.parent.chain()
  }

  /** What goes on after the answer counts no more. */
  close (): void {
    this.#closed = true
    leave(this)
  }

  /** From now on nothing is sent or committed: what has not passed the point of no return never will. */
  abandon (): void {
    this.#abandoned = true
  }

  note (call: ProviderCall): void {
    if (this.made.length < listedCalls) this.made.push(call)
  }

  /** For a route whose client is none of the shared ones: what it sends now may change the world. */
  sent (): void {
    for (const one of this.chain()) one.calls.begun++
  }

  /** @throws overloaded when nobody waits for this work any more */
  requireWanted (): void {
    if (this.#abandoned) throw abandoned()
  }

  /** @throws overloaded when another process has taken the request over; what the database throws */
  async markOnce (execute?: Execute): Promise<void> {
    const { mark } = this
    if (!mark) return
    this.#marking ??= (execute ?? mark.execute)(mark.query).then(({ rows }) => {
      if (rows.length === 0) throw abandoned()
    })
    await this.#marking.catch((error: unknown) => {
      this.#marking = undefined
      throw error
    })
  }

  /** The transaction that held the mark was rolled back. */
  unmark (): void {
    this.#marking = undefined
  }

  /** Whether a provider may have done something. */
  get called (): boolean { return this.calls.begun > this.calls.undone }

  /** Whether the database may hold something. */
  get committed (): boolean { return this.commits.begun > this.commits.undone }
}

const current = new AsyncLocalStorage<Effects>()

/** The records in which work goes on. */
const entered = new Set<Effects>()

const enter = <T>(effects: Effects, work: () => T): T => {
  entered.add(effects)
  return current.run(effects, work)
}

/** A storage in use makes every promise of the process dearer (Node 20), those of open streams too. */
const leave = (effects: Effects): void => {
  if (entered.delete(effects) && entered.size === 0) current.disable()
}

/** Counts in the record what the work, and all that it awaits, changes outside itself. */
export const recordEffects = <T>(effects: Effects, work: () => PromiseLike<T>): Promise<T> =>
  // Awaited inside: a call of `inject` begins when it is awaited.
  enter(effects, async () => await work()).finally(() => leave(effects))

/** The same for what goes on by callbacks, until the record is closed. */
export const continueIn = (effects: Effects, next: () => void): void => enter(effects, next)

/** Whether any work is recorded now. */
export const isRecording = (): boolean => entered.size > 0

/** @returns the record of the work that runs here */
export const currentEffects = (): Effects | undefined => current.getStore()

/** How a call ended. */
export type End<T> = { value: T } | { error: unknown }

/**
 * Makes a call that changes something at a provider: marked before it goes on the wire.
 * @param isUndone whether its end shows that nothing was done: a refusal, or a connection that never was
 * @param describe what the record says of the call
 * @throws overloaded, before anything is sent, when nobody waits for it any more; what the call throws
 */
export const performCall = async <T>(call: () => Promise<T>, isUndone: (end: End<T>) => boolean,
  describe: (end: End<T>) => ProviderCall): Promise<T> => {
  const chain = [...current.getStore()?.chain() ?? []]
  for (const one of chain) await one.markOnce()
  for (const one of chain) one.requireWanted()
  for (const one of chain) one.calls.begun++
  const settle = (end: End<T>) => {
    for (const one of chain) one.note(describe(end))
    if (isUndone(end)) for (const one of chain) one.calls.undone++
  }
  try {
    const value = await call()
    settle({ value })
    return value
  } catch (error) {
    settle({ error })
    throw error
  }
}

/**
 * Makes a change of the database last, and the mark with it.
 * @param execute runs a statement right before, in the same transaction if there is one
 * @param inTransaction a mark that was not committed either is taken back
 */
export const performCommit = async <T>(effects: Effects, commit: () => Promise<T>, execute: Execute,
  inTransaction: boolean): Promise<T> => {
  const chain = [...effects.chain()]
  for (const one of chain) await one.markOnce(execute)
  for (const one of chain) one.requireWanted()
  for (const one of chain) one.commits.begun++
  try {
    return await commit()
  } catch (error) {
    // A connection that breaks during a commit does not say whether it was made.
    if (isUndone(error)) for (const one of chain) one.commits.undone++
    if (inTransaction) for (const one of chain) one.unmark()
    throw error
  }
}

/**
 * What a request came to, by what it has sent. HTTP status alone decides nothing: a refusal after a call was made may
 * leave half of it done, and a server error before any left nothing.
 * @param status of the answer; undefined = there was none: the caller has called abandon(), or the process failed
 */
export const outcomeOf = (effects: Effects, status: number | undefined): 'succeeded' | 'failed' | 'unknown' => {
  if (status !== undefined && status < 300) return 'succeeded'
  if (effects.called) return 'unknown'
  // A route that refuses in words knows what it has committed; one that fails does not.
  const refused = status !== undefined && status < 500
  return !refused && effects.committed ? 'unknown' : 'failed'
}
