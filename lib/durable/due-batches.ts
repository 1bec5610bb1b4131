import type { DueBatches } from '../../db/durable/due-rows.js'
import type { Db } from '../../db/index.js'
import { enqueueOrWarn, sweepMs, type DueDeps } from './due-jobs.js'

/** A kind of rows that are many and soon done: its job names none, and takes what is due, some at once. */
export interface BatchKind<Row extends object, Deps extends DueDeps> {
  job: string
  /** The name of the job that takes rows whose job was lost, and those that are due again. */
  sweepJob: string
  rows: DueBatches<Row>
  claimedAtOnce: number
  /** Ends rows that are due once more after their last attempt: it was lost with its process. */
  giveUp: (db: Db) => Promise<void>
  /** Takes the whole step of each row. What does not end is due again after the pause that its claim has set. */
  run: (deps: Deps, rows: Row[], signal: AbortSignal) => Promise<void>
}

/** Does whatever is due. */
export const workDueBatches = async <Row extends object, Deps extends DueDeps>(deps: Deps, kind: BatchKind<Row, Deps>,
  signal: AbortSignal): Promise<void> => {
  for (;;) {
    await kind.giveUp(deps.db)
    const rows = await kind.rows.claim(deps.db, kind.claimedAtOnce)
    if (rows.length === 0 || signal.aborted) return
    await kind.run(deps, rows, signal)
  }
}

/** Defines the two jobs of a kind. */
export const defineDueBatches = <Row extends object, Deps extends DueDeps>(deps: Deps,
  kind: BatchKind<Row, Deps>): void => {
  const work = (_data: object, signal: AbortSignal) => workDueBatches(deps, kind, signal)
  deps.jobs.define(kind.job, work, { expireSeconds: 300 })
  deps.jobs.define(kind.sweepJob, work, { everyMs: sweepMs })
}

/** @returns what makes the job of a kind after rows were stored; for many calls at once it makes few jobs */
export const enqueuerOf = (deps: DueDeps, { job }: { job: string }): () => void => {
  let isBusy = false
  let again = false
  const enqueueOnce = (): void => {
    again = isBusy
    if (isBusy) return
    isBusy = true
    void enqueueOrWarn(deps, job, {}).finally(() => {
      isBusy = false
      if (again) enqueueOnce()
    })
  }
  return enqueueOnce
}
