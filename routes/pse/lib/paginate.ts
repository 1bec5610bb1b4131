import type { FastifyInstance } from 'fastify'
import type { CursorKey } from '../../../plugins/cursors.js'
import type { Principal } from '../../../plugins/principal.js'

export interface Asked {
  principal: Principal
  list: string
  filter: unknown
  page: { limit: number, cursor?: string }
}

/** One page of a list by keys: of the rows after the key that the page before ended with. */
export const paginate = async <R, T>({ cursors }: Pick<FastifyInstance, 'cursors'>,
  { principal, list, filter, page: { limit, cursor } }: Asked,
  read: (after: string | undefined, limit: number) => Promise<R[]>, describe: (row: R) => T,
  keyOf: (row: R) => CursorKey[number]) => {
  const key = cursor === undefined ? [] : cursors.open(principal, list, filter, cursor)
  const rows = await read(key[0] === undefined ? undefined : String(key[0]), limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(describe),
    next_cursor: last === undefined ? null : cursors.seal(principal, list, filter, [keyOf(last)])
  }
}
