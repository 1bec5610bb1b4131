import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { listConfirmations } from '../../../db/agent/confirmations.js'
import type { Principal } from '../../../plugins/principal.js'
import type { Confirmation, ConfirmationQuery } from '../../../schemas/agent/confirmations.js'

type Deps = Pick<FastifyInstance, 'db' | 'cursors'>
type Row = Awaited<ReturnType<typeof listConfirmations>>[number]

/** @returns the row as it is shown; what code stored in its json columns has the schema's form */
export const toConfirmation = ({ close_reason, ...row }: Row): Confirmation => row as Confirmation

export const pageOfConfirmations = async (
  deps: Deps,
  principal: Principal,
  query: Static<typeof ConfirmationQuery>
) => {
  const { limit, cursor, status } = query
  const key = cursor === undefined ? undefined : deps.cursors.open(principal, 'confirmations', status, cursor)
  const rows = await listConfirmations(deps.db, principal.workspace_id, principal.user_id, {
    pending: status === 'pending',
    limit: limit + 1,
    ...(key ? { before: String(key[0]) } : {})
  })
  const items = rows.slice(0, limit).map(toConfirmation)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, next_cursor: last ? deps.cursors.seal(principal, 'confirmations', status, [last.id]) : null }
}
