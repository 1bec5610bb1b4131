import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { paginate } from '../../../lib/http/paginate.js'
import { findConfirmation, listConfirmations } from '../../../db/agent/confirmations.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Confirmation, ConfirmationQuery } from '../../../schemas/agent/confirmations.js'

import { ConfirmationNotFound } from './errors.js'
import { clipRows } from './show-changes.js'

type Deps = Pick<FastifyInstance, 'db' | 'cursors'>
type Row = Awaited<ReturnType<typeof listConfirmations>>[number]

/** @returns the row as it is shown; what code stored in its json columns has the schema's form */
export const toConfirmation = ({ close_reason, ...row }: Row): Confirmation => row as Confirmation

/** @throws confirmation_not_found */
export const readConfirmation = async (db: Db, principal: Principal, id: string): Promise<Confirmation> => {
  const row = await findConfirmation(db, principal.workspace_id, principal.user_id, id)
  if (!row) throw ConfirmationNotFound()
  return toConfirmation(row)
}

export const pageOfConfirmations = async (
  deps: Deps,
  principal: Principal,
  query: Static<typeof ConfirmationQuery>
) => {
  const { status, session_id } = query
  const filter = `${status} ${session_id ?? ''}`
  const page = await paginate(deps, { principal, list: 'confirmations', filter, query }, (key, limit) =>
    listConfirmations(deps.db, principal.workspace_id, principal.user_id, {
      pending: status === 'pending',
      limit,
      ...(session_id !== undefined ? { session_id } : {}),
      ...(key ? { before: String(key[0]) } : {})
    }), ({ id }) => [id])
  const items = page.items.map(toConfirmation).map((item) => ({ ...item, preview: clipRows(item.preview) }))
  return { ...page, items }
}
