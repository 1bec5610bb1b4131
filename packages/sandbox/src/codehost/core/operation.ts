import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Sandbox } from '../sandbox.js'
import { notFound, Refusal } from './errors.js'
import { permissionOf, type Account, type Permission, type Repository, type Token } from './world.js'

/** One request as its operation sees it. */
export interface Call {
  sandbox: Sandbox
  method: string
  path: string
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
  /** The sandbox's address in the request. */
  origin: string
  token: Token | undefined
  user: Account | undefined
}

export interface Answer {
  status: number
  /** An object is sent as JSON, a text as it is; undefined = no body. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Operation {
  name: string
  method: string
  /** `{x}` is one part of the path, `{x*}` the rest of it, `{repo}` a repository by name or by id. */
  pattern: string
  run: (call: Call) => Answer | Promise<Answer>
  /** `user`: a token is needed. `any`: also without. `client`: Basic with the client's id and secret. */
  auth: 'user' | 'any' | 'client' | 'none'
  /** The resource of the rate limit. */
  resource: 'core' | 'search' | 'graphql'
}

type Options = Partial<Pick<Operation, 'auth' | 'resource'>>

export const operation = (name: string, method: string, pattern: string, run: Operation['run'],
  { auth = 'user', resource = 'core' }: Options = {}): Operation => ({ name, method, pattern, run, auth, resource })

export const ok = (body: unknown, headers?: Record<string, string>): Answer =>
  ({ status: 200, body, ...(headers && { headers }) })

/** @throws 422 with what is wrong */
export function readBody<T extends TSchema> ({ body }: Call, schema: T): Static<T> {
  const error = Value.Errors(schema, body).First()
  if (error) throw new Refusal(422, `Invalid request.\n\n${error.path || 'For the body'}: ${error.message}`)
  // Value.Errors found nothing, so the body is of the schema's type.
  return body as Static<T>
}

const rank: Record<Permission, number> = { read: 1, write: 2, admin: 3 }

/** @throws 404 if the caller may not see it, 301 if it was renamed, 403 if the permission is missing */
export function repositoryOf (call: Call, needed: Permission = 'read'): Repository {
  const { world } = call.sandbox
  const repository = call.params.repository_id === undefined
    ? byName(call)
    : world.repositories.get(Number(call.params.repository_id))
  const permission = repository && permissionOf(world, repository, call.user?.id)
  if (!repository || !permission) throw notFound()
  if (rank[permission] < rank[needed]) throw new Refusal(403, 'Must have admin rights to Repository.')
  if (repository.archived && needed === 'write') {
    throw new Refusal(403, 'Repository was archived so is read-only.')
  }
  return repository
}

function byName (call: Call): Repository | undefined {
  const { world } = call.sandbox
  const name = `${call.params.owner}/${call.params.name}`.toLowerCase()
  const all = [...world.repositories.values()]
  const current = all.find((one) =>
    `${world.accounts.get(one.owner_id)?.login}/${one.name}`.toLowerCase() === name)
  if (current) return current
  const moved = all.find((one) => one.formerNames.has(name))
  if (!moved || !permissionOf(world, moved, call.user?.id)) return undefined
  const rest = call.path.split('/').slice(4).join('/')
  const query = call.query.size > 0 ? `?${call.query}` : ''
  const url = `${call.origin}/api/v3/repositories/${moved.id}${rest && `/${rest}`}${query}`
  throw new Refusal(301, 'Moved Permanently', { url }, { location: url })
}

export function userOf ({ user }: Call): Account {
  if (!user) throw new Refusal(401, 'Requires authentication')
  return user
}
