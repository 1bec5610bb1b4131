import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { IdempotencyScope } from '../../db/idempotency.js'
import { InvalidRequest } from '../../schemas/errors.js'
import { principalKey, type Principal } from '../security/principal.js'

export const bodyHash = (body: unknown): Buffer => createHash('sha256').update(JSON.stringify(body ?? null)).digest()

export const keyScope = (principal: Principal, operation: string, key: string): IdempotencyScope =>
  ({ workspace_id: principal.workspace_id, principal: principalKey(principal), operation, key })

/** @returns the request's key, unquoted. @throws invalid_request when it is not 1 to 200 printable characters */
export const readKey = (request: FastifyRequest): string | undefined => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    const found = key.length > 200 ? `has ${key.length} characters` : 'is empty or has a space or a sign beyond ASCII'
    const message = `${found}: it must be 1 to 200 printable ASCII characters without spaces, such as a UUID`
    throw InvalidRequest(`Idempotency-Key ${message}`,
      { errors: [{ pointer: '/headers/idempotency-key', code: 'pattern', message }] })
  }
  return key
}
