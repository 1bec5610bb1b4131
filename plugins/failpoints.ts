import fp from 'fastify-plugin'

/**
 * Every failpoint between two steps that a crash may separate, by the work it interrupts. Each failpoint listed here is
 * hit somewhere, and the chaos tests kill a process at each: no other list is needed.
 */
export const failpoints = [
  'idempotency.after_claim', 'idempotency.before_store', 'idempotency.after_store',
  'confirm.before_commit', 'confirm.after_commit', 'steps.before_commit', 'steps.after_commit',
  'compaction.before_commit', 'compaction.after_commit',
  'model.text', 'turn.before_commit', 'turn.after_commit',
  'park.before_commit', 'park.after_commit', 'park.resumed',
  'call.before_plan', 'call.before_claim', 'call.after_claim', 'call.before_send', 'call.after_send',
  'results.before_commit', 'results.after_commit',
  'build.step', 'build.before_run', 'build.after_run', 'build.after_send',
  'pse.step', 'pse.worked', 'pse.stored', 'pse.merged',
  'publication.before_send', 'publication.after_send', 'publication.before_commit', 'publication.after_commit',
  'content.step', 'content.worked', 'content.stored', 'content.output',
  'webhook.before_store', 'webhook.after_store', 'webhook.before_settle', 'webhook.after_settle'
] as const
export type Failpoint = typeof failpoints[number]

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks a failpoint between two steps. It does nothing unless FAULT names it. */
    failpoint: (point: Failpoint) => void
  }
}

export default fp(async (app) => {
  const [point, count] = app.config.FAULT?.split(':') ?? []
  if (point !== undefined && !failpoints.some((known) => known === point)) {
    throw new Error(`FAULT names an unknown failpoint: ${point}`)
  }
  let left = Number(count)
  app.decorate('failpoint', (hit: Failpoint) => {
    if (hit !== point || --left > 0) return
    process.kill(process.pid, 'SIGKILL')
  })
}, { name: 'failpoints', dependencies: ['config'] })
