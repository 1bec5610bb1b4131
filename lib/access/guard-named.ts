import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/index.js'
import type { ErrorDefinition } from '../../schemas/errors.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { hasRole, roleNeeded } from '../security/principal.js'
import { safeMethods } from '../security/requests.js'
import { lacksRole, requireAccess, type Resource } from './require-access.js'

/** How a parameter or a field of a body names a resource. */
export interface Naming {
  /** @returns what bindings can cover of it; undefined when there is none, which the route then answers */
  find: (db: Db, workspaceId: string, id: string) => Promise<Resource | undefined>
  /** What the routes answer when there is none. */
  missing: ErrorDefinition
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the requests of the area name resources. */
    namings?: Readonly<Record<string, Naming>>
    /** Why the handler itself checks the role on what the request is about: by `requireAccess`. */
    checksAccess?: string
  }
}

const namesIn = ({ params, body }: FastifyRequest, names: readonly string[]) =>
  [params, body].map(fieldsOf).flatMap((fields) => names.flatMap((name) => {
    const id = fields[name]
    return typeof id === 'string' ? [{ name, id }] : []
  }))

/** @returns the resources that a request names, by what its area says of them */
export const findNamed = async (db: Db, request: FastifyRequest): Promise<Resource[]> => {
  const { namings = {} } = request.routeOptions.config
  const named = namesIn(request, Object.keys(namings))
  const found = await Promise.all(named.map(({ name, id }) => namings[name]?.find(db, request.principal.workspace_id, id)))
  return found.filter((one) => one !== undefined)
}

/**
 * Checks, for all routes of an area, the role on whatever a request names. Only of people whose role in the workspace
 * does not do: other requests look nothing up. A write that names nothing is one of the workspace; a list
 * that names nothing shows what the person sees.
 * @param namings by the names of path parameters and of fields of bodies
 */
export const guardNamed = (app: FastifyInstance, namings: Readonly<Record<string, Naming>>): void => {
  const names = Object.keys(namings)
  app.addHook('onRoute', (route) => { route.config = { ...route.config, namings } })
  app.addHook('preHandler', async (request) => {
    const { principal, method, routeOptions: { config } } = request
    const needed = roleNeeded(principal, principal.needs ?? 'viewer')
    if (hasRole(principal, needed)) return
    const named = namesIn(request, names)
    if (named.length === 0 && !safeMethods.has(method) && !config.checksAccess) throw lacksRole(needed, {})
    for (const { name, id } of named) {
      const naming = namings[name]
      const resource = await naming?.find(app.db, principal.workspace_id, id)
      if (naming && resource) requireAccess(principal, resource, naming.missing)
    }
  })
}
