import type { FastifyInstance } from 'fastify'
import { callRoute, errorOf, type RouteAnswer, type RouteCall } from '../../../lib/http/call-route.js'
import type { Principal } from '../../../lib/security/principal.js'
import { DatabaseUnavailable } from '../../../schemas/errors.js'

export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'inject' | 'tickets' | 'hasRoute' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' |
  'policies' | 'tools' | 'requireAllowed'>

const unavailable = DatabaseUnavailable.code

/**
 * Calls a route of another area as a person would, with that person's rights; the person's quota is not touched.
 * @throws database_unavailable, which is no answer of the route
 */
export const callArea = async (deps: Deps, principal: Principal, call: RouteCall): Promise<RouteAnswer> => {
  const answer = await callRoute(deps, { ...principal, background: true }, call)
  if (answer.body.code === unavailable) throw errorOf(answer)
  return answer
}
