import type { FastifyInstance } from 'fastify'
import type { CursorKey } from '../../plugins/cursors.js'
import type { Principal } from '../../lib/security/principal.js'

interface PageQuery { cursor?: string, limit: number }

/** @returns how one list of one caller opens the cursor that it was sent and encrypts the next */
export const cursorsOf = ({ cursors }: Pick<FastifyInstance, 'cursors'>, principal: Principal, list: string,
  { cursor, limit: _, ...filter }: PageQuery) => ({
  from: cursor === undefined ? undefined : cursors.decode(principal, list, filter, cursor),
  encode: (key: CursorKey | null) => key && cursors.encode(principal, list, filter, key)
})
