import type { FastifyInstance } from 'fastify'
import { ping } from '../../../db/clock.js'
import type { Readiness } from '../../../schemas/service.js'

type Deps = Pick<FastifyInstance, 'db' | 'database' | 'databaseWorkers' | 'sandbox'>

/**
 * What a load balancer hears of an instance whose database answers: one that serves some workspaces stays in.
 * @throws as `ping`
 */
export const describeReadiness = async ({ db, database: { embedded }, databaseWorkers, sandbox }: Deps):
Promise<Readiness> => {
  const sandboxed = sandbox.providers
  if (!databaseWorkers) {
    await ping(db)
    return { status: 'ready', database: { embedded }, sandboxed }
  }
  const unreachable = await databaseWorkers.listUnreachable()
  const status = unreachable.length > 0 ? 'degraded' : 'ready'
  return { status, database: { embedded, unreachable_workers: unreachable }, sandboxed }
}
