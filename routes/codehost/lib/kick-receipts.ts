import type { FastifyInstance } from 'fastify'

/** The job's name. It carries nothing: the rows say what there is to look at. */
export const receiptsJob = 'codehost.receipts'

/**
 * Makes the job that looks at receipts, after they are stored and answered; of many at once it makes few. One that
 * is lost is made up for by the sweep.
 * @returns what to call when there is something to look at
 */
export const kickReceipts = (deps: Pick<FastifyInstance, 'db' | 'jobs' | 'log'>): () => void => {
  let underWay = false
  let again = false
  const kick = (): void => {
    again = underWay
    if (underWay) return
    underWay = true
    deps.jobs.enqueue(deps.db, receiptsJob, {})
      .catch((error: unknown) => deps.log.warn({ reason: (error as Error).message }, 'job of receipts not enqueued'))
      .finally(() => {
        underWay = false
        if (again) kick()
      })
  }
  return kick
}
