import fp from 'fastify-plugin'
import type pg from 'pg'
import type { ConstructorOptions, PgBoss, Queue, SendOptions } from 'pg-boss'
import type { Db } from '../db/index.js'
import { messageOf } from '../schemas/thrown.js'
import { runText } from '../db/statement.js'
import { endsWithin } from '../lib/durable/ends-within.js'

export type JobHandler = (data: Record<string, unknown>, signal: AbortSignal) => Promise<void>

export interface JobOptions {
  /** Attempts after the first, with growing pauses; after them the job is kept as failed. */
  retries?: number
  /** Seconds one attempt may take. */
  expireSeconds?: number
  /** How many run at once in this process. */
  concurrency?: number
  /** A cron expression: the job also runs by itself, once over all instances. */
  cron?: string
}

interface Definition {
  options: JobOptions
  handler: JobHandler
}

type Executor = NonNullable<ConstructorOptions['db']>

/** A transaction of ours as pg-boss sees a database. */
const executorOf = (db: Db): Executor => ({
  executeSql: async (text: string, values: unknown[] = []) => ({ rows: await runText(db, text, values) })
})

/** The pool, whose answers to several statements in one text pg-boss reads itself. */
const poolExecutor = (pool: pg.Pool): Executor => ({
  executeSql: (text: string, values?: unknown[]) => pool.query(text, values)
})

/** What jobs under way have at a stop; and what the queue has, which waits for its maintenance with no limit. */
const jobMs = 5_000
const stopMs = 8_000

/** Between two tries to start the queue. */
const retryMs = 2_000

const noJob = '00000000-0000-0000-0000-000000000000'

/**
 * Delivers work; it does not own it. A job says "look at this row", and the row's state decides: a job delivered
 * twice or late does no harm.
 */
class Jobs {
  readonly #definitions = new Map<string, Definition>()
  #boss: PgBoss | undefined
  #started: Promise<PgBoss> | undefined

  /** @param open makes the queue; it is loaded when it is first needed */
  constructor (private readonly open: () => Promise<PgBoss>, private readonly works: boolean) {}

  define (name: string, handler: JobHandler, options: JobOptions = {}): void {
    this.#definitions.set(name, { options, handler })
  }

  /**
   * Adds a job in the caller's transaction: it exists if the row it speaks of does. Where the database is embedded,
   * `start` must have ended before that transaction began: there is one connection, and the transaction holds it.
   */
  async enqueue (db: Db, name: string, data: Record<string, unknown>, options: SendOptions = {}): Promise<void> {
    const boss = await this.start()
    await boss.send(name, data, { ...options, db: executorOf(db) })
  }

  /** Starts the queue once; a start that failed is tried again by whoever needs it next. */
  start (): Promise<PgBoss> {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }

  /** Runs every due job now, until there is none; for tests and shutdown. */
  async drain (): Promise<void> {
    const boss = await this.start()
    for (let found = true; found;) {
      found = false
      for (const [name, { handler }] of this.#definitions) {
        for (const job of await boss.fetch<Record<string, unknown>>(name, { batchSize: 10 })) {
          found = true
          await handler(job.data ?? {}, AbortSignal.timeout(60_000))
            .then(() => boss.complete(name, job.id), () => boss.fail(name, job.id))
        }
      }
    }
  }

  async stop (): Promise<void> {
    const stopping = (this.#started ?? Promise.resolve(undefined)).catch(() => undefined)
      .then(() => this.#boss?.stop({ graceful: true, timeout: jobMs }))
    if (!await endsWithin(stopping, stopMs)) throw new Error('The job queue did not stop in time')
  }

  async #start (): Promise<PgBoss> {
    const boss = await this.open()
    this.#boss = boss
    try {
      await boss.start()
      for (const [name, definition] of this.#definitions) await this.#openQueue(boss, name, definition)
      return boss
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined)
      throw error
    }
  }

  async #openQueue (boss: PgBoss, name: string, { options, handler }: Definition): Promise<void> {
    const queue: Omit<Queue, 'name'> = {
      retryLimit: options.retries ?? 5,
      retryBackoff: true,
      retryDelay: 2,
      expireInSeconds: options.expireSeconds ?? 900
    }
    await boss.createQueue(name, queue)
    // Loads the queue now: a later lookup goes through the pool, and may happen inside a transaction.
    await boss.findJobs(name, { id: noJob })
    if (options.cron) await boss.schedule(name, options.cron)
    if (!this.works) return
    const settings = { pollingIntervalSeconds: 2, localConcurrency: options.concurrency ?? 1 }
    await boss.work<Record<string, unknown>>(name, settings, async ([job]) => {
      if (job) await handler(job.data ?? {}, job.signal)
    })
  }
}

declare module 'fastify' {
  interface FastifyInstance { jobs: Jobs }
}

export default fp(async (app) => {
  const open = async () => {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({ db: poolExecutor(app.database.pool), schema: 'jobs', supervise: true, schedule: true })
    boss.on('error', (error) => app.log.warn({ reason: error.message }, 'job queue'))
    return boss
  }
  const jobs = new Jobs(open, app.config.WORKER !== 'false')
  app.decorate('jobs', jobs)
  // The queue is not needed to answer; it starts beside the first requests.
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  const start = () => {
    jobs.start().catch((error: unknown) => {
      if (isClosing) return
      app.log.error({ reason: messageOf(error) }, 'job queue did not start; trying again')
      timer = setTimeout(start, retryMs).unref()
    })
  }
  app.addHook('onListen', async () => start())
  app.addHook('preClose', async () => {
    isClosing = true
    clearTimeout(timer)
    await jobs.stop().catch((error: unknown) => app.log.warn({ reason: messageOf(error) }, 'job queue'))
  })
}, { name: 'jobs', dependencies: ['db', 'config'] })
