import { hash, createHash } from 'node:crypto'
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

const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)

/**
 * @returns a weak tag of the text: whoever compresses an answer on its way may keep the tag, and nothing asks for less
 *   than a whole answer or compares a list before it writes
 */
export const weakTagOf = (text: string): string => `W/"${digestOf(text)}"`

/** @param tag of the revision, which a write compares; what is computed may change without it */
export const tagWithContent = (tag: string, text: string): string => `${tag.slice(0, -1)}.${digestOf(text)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** @returns whether the reader has this already, by If-None-Match, which compares weakly (RFC 9110, 13.1.2) */
export const isHeld = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((held) => opaque(held) === opaque(tag))
