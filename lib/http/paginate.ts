import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Slice } from '../../db/columns.js'
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

/** A row of a list whose statement writes what is sent. */
export interface JsonRow { item: string }

const pageText = <T extends JsonRow>({ items, next_cursor }: { items: T[], next_cursor: string | null }): string => {
  const next = next_cursor === null ? 'null' : `"${next_cursor}"`
  return `{"items":[${items.map(({ item }) => item).join()}],"next_cursor":${next}}`
}

/** The same for rows that are JSON: nothing reads them. @returns the text of the page, for `sendJson` */
export const paginateJson = async <T extends JsonRow>(...given: Parameters<typeof paginate<T>>): Promise<string> =>
  pageText(await paginate(...given))

/** @returns the same as `paginateJson` for a list in the order of its ids */
export const paginateJsonById = async <T extends JsonRow & { id: string }>(
  ...given: Parameters<typeof paginateById<T>>
): Promise<string> => pageText(await paginateById(...given))

/** Sends a text that is JSON already. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text)
