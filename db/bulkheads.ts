import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Primary } from './primary.js'

/** What a statement, a wait for a lock, and a transaction in which nothing happens may take. */
const timeOuts = { statement_timeout: '15s', lock_timeout: '10s', idle_in_transaction_session_timeout: '30s' }

/** For a connection that reaches the server itself. */
export const startupOptions = Object.entries(timeOuts).map(([name, value]) => `-c ${name}=${value}`).join(' ')

/**
 * Behind a pooler, which takes no options and whose sessions are not ours, the time-outs are the role's own in this
 * database: every session that begins later has them.
 */
export const keepTimeOuts = async (direct: Primary): Promise<void> => {
  const client = new pg.Client({ connectionString: await direct.find(), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const [name, value] of Object.entries(timeOuts)) {
      const { rows: [now] } = await client.query<{ value: string }>('select current_setting($1) as value', [name])
      if (now?.value === value) continue
      await client.query(`do $$ begin
        execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}');
      end $$`)
    }
  } finally {
    await client.end()
  }
}

/** A statement that takes longer has its worker asked whether it answers at all. */
const slowMs = 1_000

/** As long as a statement waits for a connection of the pool. */
const waitMs = 5_000

/** SQLSTATE 08006, connection_failure: as the coordinator says it of a worker that refuses connections. */
export class WorkerUnavailable extends Error {
  readonly code = '08006'
  constructor (worker: string) {
    super(`The worker ${worker} of the database does not answer`)
  }
}

interface Waiting { begin: () => void, refuse: (error: Error) => void }

/** The connections that statements of one kind hold, at most a share; the rest wait without one. */
export class Bulkhead {
  readonly #waiting: Waiting[] = []
  #held = 0
  #isSilent = false
  #isAsking = false

  /** @param isSilent asks whether the worker does not answer; undefined where no single one is asked */
  constructor (readonly name: string, private readonly share: number,
    private readonly isSilent?: (worker: string) => Promise<boolean>) {}

  /**
   * @returns what ends it, once the statement may have a connection
   * @throws WorkerUnavailable where the worker is known to be silent, or its share stays taken
   */
  async enter (): Promise<() => void> {
    if (this.#isSilent) throw new WorkerUnavailable(this.name)
    if (this.#held >= this.share) await this.#wait()
    else this.#held++
    const timer = setTimeout(() => this.#ask(), slowMs).unref()
    return () => {
      clearTimeout(timer)
      this.#leave()
    }
  }

  #wait (): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        begin: () => { clearTimeout(timer); resolve() },
        refuse: (error) => { clearTimeout(timer); reject(error) }
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1)
        reject(new WorkerUnavailable(this.name))
      }, waitMs)
      this.#waiting.push(one)
    })
  }

  /** What leaves hands its place on. */
  #leave (): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#held--
  }

  /** Asks for as long as the worker is silent: then whoever comes is refused at once, and nobody waits. */
  #ask (): void {
    if (this.#isAsking || !this.isSilent) return
    this.#isAsking = true
    void this.isSilent(this.name).catch(() => this.#isSilent).then((isSilent) => {
      this.#isAsking = false
      this.#isSilent = isSilent
      if (!isSilent) return
      for (const one of this.#waiting.splice(0)) one.refuse(new WorkerUnavailable(this.name))
      setTimeout(() => this.#ask(), slowMs).unref()
    })
  }
}

const sweeping = new AsyncLocalStorage<true>()

/** Runs what looks over all workspaces: its statements wait for every worker. */
export const runSweep = <Result>(look: () => Promise<Result>): Promise<Result> => sweeping.run(true, look)

/**
 * Which connections of the pool the workspaces of each worker may hold: half of them at most, so that one that is silent
 * harms its own workspaces alone. Sweeps, which ask all workers, have a quarter.
 */
export class Bulkheads {
  readonly #workers = new Map<string, Bulkhead>()
  readonly #byWorkspace = new Map<string, Bulkhead>()
  readonly #sweeps: Bulkhead
  #isSilent: ((worker: string) => Promise<boolean>) | undefined

  /** @param connections of the pool */
  constructor (private readonly connections: number) {
    this.#sweeps = new Bulkhead('of a sweep', this.#shareOf(4))
  }

  /** Whether the database is divided; a plain one has no workers, and nothing is limited. */
  get isDivided (): boolean { return this.#isSilent !== undefined }

  divide (isSilent: (worker: string) => Promise<boolean>): void { this.#isSilent = isSilent }

  /** Notes where workspaces are; what is not named stays as it was noted. */
  place (places: readonly { id: string, worker: string }[]): void {
    for (const { id, worker } of places) {
      const bulkhead = this.#workers.get(worker) ?? new Bulkhead(worker, this.#shareOf(2), this.#isSilent)
      this.#workers.set(worker, bulkhead)
      this.#byWorkspace.set(id, bulkhead)
    }
  }

  /** @returns that of the workspace which the statement names; undefined = it asks the coordinator alone */
  find (parameters: readonly unknown[]): Bulkhead | undefined {
    if (sweeping.getStore()) return this.#sweeps
    for (const value of parameters) {
      const found = typeof value === 'string' ? this.#byWorkspace.get(value) : undefined
      if (found) return found
    }
    return undefined
  }

  #shareOf (part: number): number { return Math.max(1, Math.floor(this.connections / part)) }
}
