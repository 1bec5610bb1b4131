import fp from 'fastify-plugin'

/**
 * Every place between two steps that a crash may separate, by what is under way there. A point that is named here is
 * crossed somewhere, and the chaos tests kill a process at each: nothing else has to list them.
 */
export const faultPoints = [
  'idempotency.after_claim', 'idempotency.before_store', 'idempotency.after_store',
  'confirm.before_commit', 'confirm.after_commit',
  'model.text', 'turn.before_commit', 'turn.after_commit',
  'call.before_plan', 'call.before_claim', 'call.after_claim', 'call.before_send', 'call.after_send',
  'results.before_commit', 'results.after_commit',
  'build.step', 'build.after_send',
  'pse.step', 'pse.worked', 'pse.stored', 'pse.merged',
  'publication.before_send', 'publication.after_send', 'publication.before_commit', 'publication.after_commit',
  'content.step', 'content.worked', 'content.stored', 'content.output',
  'webhook.before_store', 'webhook.after_store', 'webhook.before_settle', 'webhook.after_settle'
] as const
export type FaultPoint = typeof faultPoints[number]

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks a point between two steps that a crash may separate. Does nothing unless a test names the point. */
    crossing: (point: FaultPoint) => void
  }
}

export default fp(async (app) => {
  const [point, count] = app.config.FAULT?.split(':') ?? []
  if (point !== undefined && !faultPoints.some((known) => known === point)) {
    throw new Error(`FAULT names no point: there is no ${point}`)
  }
  let left = Number(count)
  app.decorate('crossing', (crossed: FaultPoint) => {
    if (crossed !== point || --left > 0) return
    process.kill(process.pid, 'SIGKILL')
  })
}, { name: 'faults', dependencies: ['config'] })
