import type { FastifyInstance } from 'fastify'
import type { CursorKey } from '../../plugins/cursors.js'
import type { Principal } from '../../plugins/principal.js'

interface PageQuery { cursor?: string, limit: number }

/** @returns how one list of one caller opens the cursor that it was sent and seals the next */
export const cursorsOf = ({ cursors }: Pick<FastifyInstance, 'cursors'>, principal: Principal, list: string,
  { cursor, limit: _, ...filter }: PageQuery) => ({
  from: cursor === undefined ? undefined : cursors.open(principal, list, filter, cursor),
  seal: (key: CursorKey | null) => key && cursors.seal(principal, list, filter, key)
})
