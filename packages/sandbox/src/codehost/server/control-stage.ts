import type { FastifyRequest } from 'fastify'
import { accountNamed, fullNameOf, type Repository } from '../core/world.js'
import type { Stage } from '../hooks/payloads.js'
import type { Sandbox } from '../sandbox.js'

/** The item that the control path names does not exist. */
export class Unknown extends Error {
  readonly statusCode = 404
}

/** @param login the actor; by default the organization's admin */
export function stage (sandbox: Sandbox, { headers, protocol }: FastifyRequest, login = 'octavia'): Stage {
  const actor = accountNamed(sandbox.world, login)
  if (!actor) throw new Unknown(`No user ${login}`)
  return { sandbox, origin: `${protocol}://${headers.host}`, actor }
}

export function named ({ world }: Sandbox, name: string): Repository {
  const found = [...world.repositories.values()].find((one) => fullNameOf(world, one) === name)
  if (!found) throw new Unknown(`No repository ${name}`)
  return found
}
