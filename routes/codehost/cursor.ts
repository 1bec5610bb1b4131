import type { FastifyInstance } from 'fastify'
import type { CursorKey } from '../../plugins/cursors.js'
import type { Principal } from '../../lib/security/principal.js'

interface PageQuery { cursor?: string, limit: number }

/** @returns the decrypted cursor of the request, and a function that encrypts the next one, for this caller and list */
export const cursorsOf = ({ cursors }: Pick<FastifyInstance, 'cursors'>, principal: Principal, list: string,
  { cursor, limit: _, ...filter }: PageQuery) => ({
  from: cursor === undefined ? undefined : cursors.decode(principal, list, filter, cursor),
  encode: (key: CursorKey | null) => key && cursors.encode(principal, list, filter, key)
})
