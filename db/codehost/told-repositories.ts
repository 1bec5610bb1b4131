import { sql } from 'kysely'
import type { Db } from '../index.js'

/** A repository as a webhook tells of it. */
export interface ToldRepository {
  id: string
  full_name: string
  default_branch: string
  private: boolean
  host_updated_at: Date
}

/**
 * What a later record says stays, whichever comes first; of two of one second always the same one. What a person was
 * shown was so when they were shown it.
 */
const later = sql<boolean>`
  (excluded.host_updated_at, excluded.full_name, excluded.default_branch, excluded.private) >
  (coalesce(codehost_repository.host_updated_at, codehost_repository.updated_at), codehost_repository.full_name,
    codehost_repository.default_branch, codehost_repository.private)`

/** Webhooks of the repository arrive; what the newest of them says of it is written down. */
export const saveTold = async (trx: Db, workspaceId: string, told: ToldRepository): Promise<void> => {
  await trx.insertInto('codehost_repository').values({ ...told, workspace_id: workspaceId, sync_state: 'live' })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet((eb) => ({
      full_name: eb.ref('excluded.full_name'),
      default_branch: eb.ref('excluded.default_branch'),
      private: eb.ref('excluded.private'),
      host_updated_at: eb.ref('excluded.host_updated_at'),
      updated_at: sql<Date>`now()`
    })).where(later)).execute()
  await trx.updateTable('codehost_repository')
    .set({ sync_state: 'live', last_event_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId).where('id', '=', told.id)
    .where(sql<boolean>`(sync_state <> 'live' or last_event_at is null or last_event_at < now() - interval '1 minute')`)
    .execute()
}

/** Who may see repositories of the owner has changed: everybody's right is looked up again. */
export const dropAccessOfOwner = async (db: Db, workspaceId: string, owner: string): Promise<void> => {
  await sql`delete from codehost_repository_access a using codehost_repository r
    where a.workspace_id = ${workspaceId} and r.workspace_id = a.workspace_id and r.id = a.repo_id
      and split_part(lower(r.full_name), '/', 1) = lower(${owner})`.execute(db)
}

export interface Hooked { id: string, full_name: string, user_id: string }

/** @returns repositories whose webhooks arrive, each with somebody who may administer it there */
export const listHooked = async (db: Db, host: string): Promise<(Hooked & { workspace_id: string })[]> => {
  const { rows } = await sql<Hooked & { workspace_id: string }>`
    select distinct on (r.workspace_id, r.id) r.workspace_id, r.id, r.full_name, a.user_id
    from codehost_repository r
    join codehost_repository_access a on a.workspace_id = r.workspace_id and a.repo_id = r.id
      and a.permission = 'admin'
    join codehost_identity i on i.workspace_id = a.workspace_id and i.user_id = a.user_id and i.host = ${host}
      and i.state = 'active'
    where r.last_event_at is not null
    order by r.workspace_id, r.id, a.checked_at desc`.execute(db)
  return rows
}
