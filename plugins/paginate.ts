import type { FastifyInstance } from 'fastify'
import type { Slice } from '../db/account/filters.js'
import type { Principal } from './principal.js'

interface Asked { limit: number, cursor?: string }

/** One page of a list whose order is that of its ids: a UUIDv7 tells when it was made. */
export const paginate = async <T extends { id: string }>(
  { cursors }: Pick<FastifyInstance, 'cursors'>, principal: Principal, list: string, filter: unknown,
  { limit, cursor }: Asked, read: (slice: Slice) => Promise<T[]>
) => {
  const before = cursor === undefined ? undefined : String(cursors.open(principal, list, filter, cursor)[0])
  const rows = await read({ before, limit: limit + 1 })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, next_cursor: more ? cursors.seal(principal, list, filter, [last.id]) : null }
}
