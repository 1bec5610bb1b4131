import type { FastifyInstance } from 'fastify'
import type { Slice } from '../../db/filters.js'
import type { CursorKey } from '../../plugins/cursors.js'
import type { Principal } from '../security/principal.js'

export interface PageRequest {
  principal: Principal
  /** A cursor opens for this list and filter only. */
  list: string
  filter?: unknown
  query: { limit: number, cursor?: string }
}

/**
 * One page of a list that is ordered by a key.
 * @param read returns rows after the key that the page before ended with; it is asked for one more than a page has
 * @throws invalid_cursor
 */
export const paginate = async <T>(
  { cursors }: Pick<FastifyInstance, 'cursors'>,
  { principal, list, filter = null, query: { limit, cursor } }: PageRequest,
  read: (after: CursorKey | undefined, limit: number) => Promise<T[]>,
  keyOf: (row: T) => CursorKey
) => {
  const after = cursor === undefined ? undefined : cursors.decode(principal, list, filter, cursor)
  const rows = await read(after, limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit),
    next_cursor: last === undefined ? null : cursors.encode(principal, list, filter, keyOf(last))
  }
}

/** The same for a list whose order is that of its ids, newest first: a UUIDv7 begins with its time. */
export const paginateById = <T extends { id: string }>(
  app: Pick<FastifyInstance, 'cursors'>, page: PageRequest, read: (slice: Slice) => Promise<T[]>
) => paginate(app, page, (after, limit) => read({ before: after && String(after[0]), limit }), ({ id }) => [id])
