import type { FastifyInstance } from 'fastify'
import { findPerson } from '../../../db/account/principals.js'
import { isTokenRevoked } from '../../../db/deployments/askers.js'
import type { Asker } from '../../../db/deployments/tables.js'
import { isDatabaseTrouble } from '../../../db/trouble.js'
import { ticketHeader, type Principal } from '../../../plugins/principal.js'
import { ApiError, DatabaseUnavailable, InsufficientRole } from '../../../schemas/errors.js'

export type Deps = Pick<FastifyInstance,
  'db' | 'inject' | 'tickets' | 'hasRoute' | 'streams' | 'jobs' | 'log' | 'config' | 'crossing'>

export interface RouteCall { method?: 'GET' | 'POST', url: string, payload?: object, key?: string }

export interface RouteAnswer { status: number, body: Record<string, unknown> }

/** @returns the error that the route answered, as it is */
export const errorOf = ({ status, body }: RouteAnswer): ApiError => {
  const { type, title, status: _, detail, code, request_id, ...members } = body
  return new ApiError(String(code), String(title), status, String(detail), members)
}

const away = DatabaseUnavailable.code

/** @returns whether the database went away, here or for a route that was called: it says nothing of a build */
export const isAway = (error: unknown): boolean =>
  isDatabaseTrouble(error) || (error instanceof ApiError && error.code === away)

/**
 * Calls a route of another area as a person would, with that person's rights; the person's quota is not touched.
 * @throws database_unavailable, which is no answer of the route
 */
export const callRoute = async (deps: Deps, principal: Principal, call: RouteCall): Promise<RouteAnswer> => {
  const { method = 'GET', url, payload, key } = call
  const ticket = deps.tickets.issue({ ...principal, background: true })
  const response = await deps.inject({
    method,
    url,
    headers: { [ticketHeader]: ticket, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(payload && { payload })
  })
  // Our own answers are objects.
  const answer = { status: response.statusCode, body: response.json() as Record<string, unknown> }
  if (answer.body.code === away) throw errorOf(answer)
  return answer
}

export const askerOf = ({ user_id, name, via, via_id, scopes }: Principal): Asker =>
  ({ user_id, name, via, via_id, scopes })

/** @returns the one who asked, with the rights of now. @throws insufficient_role when there are none left */
export const principalOf = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, asker: Asker):
Promise<Principal> => {
  const person = await findPerson(db, workspaceId, asker.user_id)
  if (person?.status !== 'active') throw InsufficientRole(`${asker.name} is no longer active here`)
  if (asker.via === 'token' && asker.via_id !== null && await isTokenRevoked(db, workspaceId, asker.via_id)) {
    throw InsufficientRole(`The token of ${asker.name} has been revoked`)
  }
  return { ...asker, workspace_id: workspaceId, name: person.name, role: person.role }
}
