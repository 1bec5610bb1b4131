import type { Db } from '../index.js'
import type { CodehostOrganisationTable } from './tables.js'

export type PinnedOrganisation = Pick<CodehostOrganisationTable, 'workspace_id' | 'host' | 'login' | 'organisation_id'>

/**
 * Pins the id under which an organisation is first seen.
 * @returns the pinned id, and whether this call pinned it
 */
export const pinOrganisation = async (db: Db, { login, ...found }: PinnedOrganisation) => {
  const row = { ...found, login: login.toLowerCase() }
  const made = await db.insertInto('codehost_organisation').values(row)
    .onConflict((conflict) => conflict.doNothing()).returning('organisation_id').executeTakeFirst()
  if (made) return { organisation_id: made.organisation_id, isNew: true }
  const { organisation_id } = await db.selectFrom('codehost_organisation').select('organisation_id')
    .where('workspace_id', '=', row.workspace_id).where('host', '=', row.host).where('login', '=', row.login)
    .executeTakeFirstOrThrow()
  return { organisation_id, isNew: false }
}
