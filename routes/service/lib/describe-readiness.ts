import type { FastifyInstance } from 'fastify'
import type { Readiness } from '../../../schemas/service.js'

type Deps = Pick<FastifyInstance, 'database' | 'databaseWorkers' | 'sandbox'>

/** What a load balancer hears of an instance whose database answers: one that serves some workspaces stays in. */
export const describeReadiness = async ({ database: { embedded }, databaseWorkers, sandbox }: Deps):
Promise<Readiness> => {
  const sandboxed = sandbox.providers
  if (!databaseWorkers) return { status: 'ready', database: { embedded }, sandboxed }
  const unreachable = await databaseWorkers.listUnreachable()
  const status = unreachable.length > 0 ? 'degraded' : 'ready'
  return { status, database: { embedded, unreachable_workers: unreachable }, sandboxed }
}
