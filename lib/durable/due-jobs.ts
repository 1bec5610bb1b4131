import type { FastifyInstance } from 'fastify'
import type { DueRows } from '../../db/durable/due-rows.js'
import type { WorkKey } from '../../db/durable/leases.js'
import type { WorkspaceRetention } from '../../schemas/account/workspace-settings.js'
import { messageOf } from '../../schemas/unknown.js'
import { onShareOf } from '../processes/share.js'

/** @returns whether the work has ended after so many milliseconds */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => { timer = setTimeout(resolve, ms, false) })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Repeats what takes some rows at a time until it finds none: a workspace that leaves much behind does not keep what
 * others leave until another day.
 */
export const untilNone = async (take: () => Promise<number>): Promise<void> => {
  while (await take() > 0);
}

/**
 * Deletes in each workspace that keeps something for a time of its own what is older than that. One that cannot be
 * asked does not keep the others.
 * @param take deletes some rows. @returns how many
 * @param usual for how many days those keep it that say nothing; without it they are left out
 * @throws the first error, after all were asked
 */
export const sweepWorkspaces = async ({ workspaces }: Pick<FastifyInstance, 'workspaces'>,
  what: keyof WorkspaceRetention, take: (workspaceId: string, days: number) => Promise<number>, usual?: number):
Promise<void> => {
  const errors: unknown[] = []
  for (const { id, days } of await workspaces.listKeeping(what, usual)) {
    await untilNone(() => take(id, days)).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}

export type DueDeps = Pick<FastifyInstance, 'db' | 'jobs' | 'log'>

/** A kind of rows of which each has a job that names it, for the time at which it is due. */
export interface DueKind<Row extends object, Deps extends DueDeps> {
  /** The job's name in the queue. */
  job: string
  /** The name of the job that finds rows whose job was lost. */
  sweepJob: string
  /** What the job calls the row's id. */
  idName: string
  rows: DueRows<Row>
  /** How often rows are looked for whose job was lost, where a minute is too long. */
  sweepMs?: number | (() => number)
  /** How many rows a process works on at once, where four are not enough. */
  concurrency?: number
  /**
   * Takes the next step of a row that was just claimed, and releases it by a write under its epoch.
   * @returns seconds until it is due again; undefined when it has ended, or another job has claimed it since
   */
  run: (deps: Deps, row: Row) => Promise<number | undefined>
  /** @returns seconds until a row is due whose job came early, by the database's clock */
  untilDue?: (deps: Deps, key: WorkKey) => Promise<number | undefined>
}

const sweptAtOnce = 200

/** How long a row waits at most whose job was lost, unless its kind says so. */
export const sweepMs = 60_000

/** Makes a job for rows that were stored before. If that fails or the job is lost, the sweep finds the rows. */
export const enqueueOrWarn = ({ db, jobs, log }: DueDeps, job: string, data: Record<string, unknown>, seconds = 0):
Promise<void> => jobs.enqueue(db, job, data, seconds > 0 ? { startAfter: Math.ceil(seconds) } : {})
  .catch((error: unknown) => log.warn({ job, reason: messageOf(error) }, 'job not enqueued'))

/** Makes the job of a row, for the time at which the row is due. */
export const enqueueDue = (deps: DueDeps, { job, idName }: { job: string, idName: string },
  { workspace_id, id }: WorkKey, seconds = 0): Promise<void> =>
  enqueueOrWarn(deps, job, { workspace_id, [idName]: id }, seconds)

/** @returns as `run`; undefined as well when the row is not due and does not say when it will be */
export const advanceDue = async <Row extends object, Deps extends DueDeps>(deps: Deps, kind: DueKind<Row, Deps>,
  key: WorkKey): Promise<number | undefined> => {
  const row = await kind.rows.claim(deps.db, key)
  return row ? onShareOf(key.workspace_id, undefined, () => kind.run(deps, row)) : kind.untilDue?.(deps, key)
}

/** Does what is due of a row, and makes the job of its next step; to call it twice, early or late does no harm. */
export const workDue = async <Row extends object, Deps extends DueDeps>(deps: Deps, kind: DueKind<Row, Deps>,
  key: WorkKey): Promise<void> => {
  const seconds = await advanceDue(deps, kind, key)
  if (seconds !== undefined) await enqueueDue(deps, kind, key, seconds)
}

/** Defines the two jobs of a kind. */
export const defineDueJobs = <Row extends object, Deps extends DueDeps>(deps: Deps, kind: DueKind<Row, Deps>): void => {
  const keyOf = (data: Record<string, unknown>): WorkKey =>
    ({ workspace_id: String(data.workspace_id), id: String(data[kind.idName]) })
  const { concurrency = 4 } = kind
  deps.jobs.define(kind.job, (data) => workDue(deps, kind, keyOf(data)), { expireSeconds: 120, concurrency })
  deps.jobs.define(kind.sweepJob, async () => {
    for (const key of await kind.rows.listLate(deps.db, sweptAtOnce)) await enqueueDue(deps, kind, key)
  }, { everyMs: kind.sweepMs ?? sweepMs })
}
