import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { ConstructorOptions, JobWithMetadata, PgBoss, SendOptions } from 'pg-boss'
import { ping } from '../db/clock.js'
import type { Db, OpenDatabase } from '../db/index.js'
import { findWaitingJobs, hasUnfinishedJobs } from '../db/unfinished-work.js'
import { codeOf, messageOf } from '../schemas/unknown.js'
import { runText } from '../db/statement.js'
import { endsWithin } from '../lib/durable/due-jobs.js'
import { isUnavailable, jittered, Watch } from '../lib/durable/watch.js'

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
  /** The handler also runs by itself so often in each process, without a job: for what is cheaper than a job is. */
  everyMs?: number | (() => number)
}

/** The queue to which pg-boss moves each job that has failed for good, with its error: also one whose process died. */
const failedJobs = 'shared.failed-jobs'

/** A job that has failed for good. */
export interface FailedJob {
  job: string
  job_id: string
  attempts: number
  /** What the job names: ids, and nothing else of its data. */
  names: Record<string, string>
  reason: string
  code: string | undefined
}

/** What pg-boss keeps of an error itself, when its worker catches one. */
const toOutput = (error: unknown): object => ({ message: messageOf(error), code: codeOf(error) })

const isId = (name: string): boolean => /(?:^|_)id$/.test(name)

const toFailedJob = ({ data, sourceName, sourceId, sourceRetryCount, sourceOutput }:
JobWithMetadata<unknown>): FailedJob => {
  // pg-boss wraps what is no object, and the words of its own, in `value`.
  const { value = sourceOutput } = (sourceOutput ?? {}) as { value?: unknown }
  const named = Object.entries((data ?? {}) as object).filter(([name]) => isId(name)).map(([name, id]) => [name, String(id)])
  return {
    job: sourceName ?? '',
    job_id: sourceId ?? '',
    attempts: (sourceRetryCount ?? 0) + 1,
    names: Object.fromEntries(named) as Record<string, string>,
    reason: messageOf(value),
    code: codeOf(value)
  }
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

/** The pool, whose answers to several statements in one text pg-boss reads itself; and what wakes its queues. */
const poolExecutor = (database: OpenDatabase): Executor => ({
  executeSql: (text: string, values?: unknown[]) => database.pool.query(text, values),
  listen: async (...hearing) => {
    const end = await database.listen(...hearing)
    return { close: async () => end() }
  }
})

/** What jobs under way have at a stop; and what the queue has, which waits for its maintenance with no limit. */
const jobMs = 5_000
const stopMs = 8_000

/** Between two looks whether the database is back. */
const againMs = 500

/** Between two looks whether the jobs of others have ended. */
const drainMs = 10

/** Between two tries to start the queue. */
const retryMs = 2_000

/**
 * A queue is woken by the notification of a new job, by the end of the job before, and by the look for jobs that are
 * due. These are its own polls: where the queue has no notifications, and where it has.
 */
const polls = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 600 }

/**
 * What the queue does beside jobs: cron expressions, whose grain is the minute, are looked at each 45 seconds, and
 * their jobs are made half a minute later at most. Of jobs that wait for other jobs, and of changes of big tables in
 * the background, there are none.
 */
const upkeep = {
  cronMonitorIntervalSeconds: 45, cronWorkerIntervalSeconds: 30, flowIntervalSeconds: 3_600, bamIntervalSeconds: 600
}

/** After a job has failed or was put off: when the look for the time at which it is due finds it stored. */
const soonMs = 1_000

const noJob = '00000000-0000-0000-0000-000000000000'

/**
 * Delivers work; it does not own it. A job says "look at this row", and the row's state decides: a job delivered
 * twice or late does no harm.
 */
class Jobs {
  readonly #definitions = new Map<string, Definition>()
  /** The workers of this process, by queue. */
  readonly #workers = new Map<string, string[]>()
  readonly #watch: Watch
  readonly #sweeps = new Map<string, Watch>()
  #boss: PgBoss | undefined
  #started: Promise<PgBoss> | undefined

  /**
   * @param open makes the queue; it is loaded when it is first needed
   * @param lookMs how long a job waits at most whose notification was missed
   * @param onFailed once over all processes for a job that nothing tries again
   */
  constructor (private readonly db: Db, private readonly open: () => Promise<PgBoss>, private readonly works: boolean,
    private readonly lookMs: number, private readonly onError: (error: unknown) => void,
    private readonly onFailed: (failed: FailedJob) => void) {
    this.#watch = new Watch(() => this.#look(), onError)
  }

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
    if (options.startAfter !== undefined) this.#lookSoon()
  }

  /** Has a handler that runs by itself in this process run within so many milliseconds. */
  sweepWithin (name: string, ms: number): void {
    this.#sweeps.get(name)?.within(ms)
  }

  /** Starts the queue once; a start that failed is tried again by whoever needs it next. */
  start (): Promise<PgBoss> {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }

  /**
   * Runs every due job now, until there is none; for tests. The workers of this process, and of others, take jobs at
   * the same time: it waits for the end of theirs.
   */
  async drain (): Promise<void> {
    const boss = await this.start()
    for (; await hasUnfinishedJobs(this.db); await sleep(drainMs)) {
      for (const job of await boss.fetch<Record<string, unknown>>(failedJobs, { batchSize: 10, includeMetadata: true })) {
        this.onFailed(toFailedJob(job))
        await boss.complete(failedJobs, job.id)
      }
      for (const [name, { handler }] of this.#definitions) {
        for (const job of await boss.fetch<Record<string, unknown>>(name, { batchSize: 10 })) {
          await handler(job.data ?? {}, AbortSignal.timeout(60_000))
            .then(() => boss.complete(name, job.id), (error: unknown) => boss.fail(name, job.id, toOutput(error)))
        }
      }
    }
  }

  async stop (): Promise<void> {
    const looked = Promise.all([this.#watch, ...this.#sweeps.values()].map((watch) => watch.stop()))
    const stopping = (this.#started ?? Promise.resolve(undefined)).catch(() => undefined)
      .then(() => this.#boss?.stop({ graceful: true, timeout: jobMs })).then(() => looked)
    if (!await endsWithin(stopping, stopMs)) throw new Error('The job queue did not stop in time')
  }

  async #start (): Promise<PgBoss> {
    const boss = await this.open()
    this.#boss = boss
    try {
      await boss.start()
      await this.#openFailedJobs(boss)
      for (const [name, definition] of this.#definitions) await this.#openQueue(boss, name, definition)
      // Whoever works jobs does without them what they were for; until then the instances of that release need them.
      if (this.works) {
        await this.#unschedule(boss)
        this.#startWatches()
      }
      return boss
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined)
      throw error
    }
  }

  async #openFailedJobs (boss: PgBoss): Promise<void> {
    await boss.createQueue(failedJobs, { retryLimit: 0, expireInSeconds: 60, notify: true })
    if (!this.works) return
    const id = await boss.work(failedJobs, { ...polls, includeMetadata: true },
      async ([job]) => {
        if (!job) return
        boss.notifyWorker(id)
        this.onFailed(toFailedJob(job))
      })
    this.#workers.set(failedJobs, [id])
  }

  async #openQueue (boss: PgBoss, name: string, definition: Definition): Promise<void> {
    const { retries = 5, expireSeconds = 900, cron, concurrency = 1 } = definition.options
    const timing = { retryLimit: retries, retryBackoff: true, retryDelay: 2, expireInSeconds: expireSeconds }
    await boss.createQueue(name, { ...timing, notify: true, deadLetter: failedJobs })
    // A queue that an earlier release made.
    const { notify, deadLetter } = await boss.getQueue(name) ?? {}
    if (!notify || deadLetter !== failedJobs) await boss.updateQueue(name, { notify: true, deadLetter: failedJobs })
    // Loads the queue now: a later lookup goes through the pool, and may happen inside a transaction.
    await boss.findJobs(name, { id: noJob })
    if (cron) await boss.schedule(name, cron)
    if (!this.works) return
    const workers = await Promise.all(Array.from({ length: concurrency }, () => this.#work(boss, name, definition)))
    this.#workers.set(name, workers)
  }

  /** Jobs that an earlier release ran by cron. */
  async #unschedule (boss: PgBoss): Promise<void> {
    for (const { name } of await boss.getSchedules()) {
      const definition = this.#definitions.get(name)
      if (definition && definition.options.cron === undefined) await boss.unschedule(name)
    }
  }

  #startWatches (): void {
    this.#watch.within(this.lookMs)
    for (const [name, { handler, options: { everyMs } }] of this.#definitions) {
      if (everyMs === undefined) continue
      const pauseMs = () => typeof everyMs === 'number' ? everyMs : everyMs()
      const sweep = new Watch(async () => {
        await handler({}, AbortSignal.timeout(pauseMs()))
        return jittered(pauseMs())
      }, this.onError)
      this.#sweeps.set(name, sweep)
      sweep.within(jittered(pauseMs()))
    }
  }

  /** One worker, which takes the next job as soon as one has ended: it is woken alone, so its id must be known. */
  async #work (boss: PgBoss, name: string, { handler }: Definition): Promise<string> {
    const id = await boss.work<Record<string, unknown>>(name, polls, async ([job]) => {
      if (!job) return
      boss.notifyWorker(id)
      await handler(job.data ?? {}, job.signal).catch(async (error: unknown) => {
        if (isUnavailable(error)) await this.#untilBack(job.signal)
        this.#lookSoon()
        throw error
      })
    })
    return id
  }

  /** A failure that cannot be stored would leave the job as it is until its time is over. */
  async #untilBack (signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await sleep(againMs, undefined, { signal }).catch(() => undefined)) {
      if (await ping(this.db).then(() => true, () => false)) return
    }
  }

  #lookSoon (): void {
    if (this.works) this.#watch.within(soonMs)
  }

  /** Wakes the queues that have a job which is due. @returns milliseconds until there may be another */
  async #look (): Promise<number> {
    const { due, next_ms: nextMs } = await findWaitingJobs(this.db)
    for (const name of due) this.#wake(name)
    return Math.min(nextMs ?? Infinity, jittered(this.lookMs))
  }

  #wake (name: string): void {
    for (const id of this.#workers.get(name) ?? []) this.#boss?.notifyWorker(id)
  }
}

declare module 'fastify' {
  interface FastifyInstance { jobs: Jobs }
}

export default fp(async (app) => {
  const works = app.config.WORKER !== 'false'
  const open = async () => {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
      db: poolExecutor(app.database), schema: 'jobs', supervise: true, schedule: true, useListenNotify: works, ...upkeep
    })
    boss.on('error', (error) => app.log.warn({ reason: error.message }, 'job queue'))
    return boss
  }
  const jobs = new Jobs(app.db, open, works, app.config.limits.idle_look_ms, (error) =>
    app.log.warn({ reason: messageOf(error) }, 'job queue'), (failed) =>
    app.log.error(failed, 'a job has failed, and is not tried again'))
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
