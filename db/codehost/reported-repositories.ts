import { sql } from 'kysely'
import { now } from '../clock.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

/** A repository as a webhook reports it. */
export interface ReportedRepository {
  id: string
  full_name: string
  default_branch: string
  private: boolean
  host_updated_at: Date
}

/**
 * The record with the later time wins, in whatever order the two arrive; of two with the same second, always the same
 * one. A record that was read for a person counts with the time of the read.
 */
const later = sql<boolean>`
  (excluded.host_updated_at, excluded.full_name, excluded.default_branch, excluded.private) >
  (coalesce(codehost_repository.host_updated_at, codehost_repository.updated_at), codehost_repository.full_name,
    codehost_repository.default_branch, codehost_repository.private)`

/** Marks a repository as live, and stores its record as the newest webhook reports it. */
export const saveReported = async (trx: Db, workspaceId: string, reported: ReportedRepository): Promise<void> => {
  await trx.insertInto('codehost_repository')
    .values({ ...reported, workspace_id: workspaceId, sync_state: 'live', updated_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet((eb) => ({
      full_name: eb.ref('excluded.full_name'),
      default_branch: eb.ref('excluded.default_branch'),
      private: eb.ref('excluded.private'),
      host_updated_at: eb.ref('excluded.host_updated_at'),
      updated_at: eb.ref('excluded.updated_at')
    })).where(later)).execute()
  await trx.updateTable('codehost_repository')
    .set({ sync_state: 'live', last_event_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', reported.id)
    .where(sql<boolean>`(sync_state <> 'live' or last_event_at is null or last_event_at < now() - interval '1 minute')`)
    .execute()
}

/** The rights to the owner's repositories have changed: every stored right is dropped, and read again when needed. */
export const dropAccessOfOwner = async (db: Db, workspaceId: string, owner: string): Promise<void> => {
  await db.deleteFrom('codehost_repository_access as a').using('codehost_repository as r')
    .where('a.workspace_id', '=', workspaceId)
    .whereRef('r.workspace_id', '=', 'a.workspace_id').whereRef('r.id', '=', 'a.repo_id')
    .where(sql<string>`split_part(lower(r.full_name), '/', 1)`, '=', sql<string>`lower(${owner})`).execute()
}

export interface Hooked { id: string, full_name: string, user_id: string }

/** @returns repositories whose webhooks arrive, each with a person who administers it at the code host */
export const listHooked = (db: Db, host: string): Promise<(Hooked & { workspace_id: string })[]> =>
  sweep(db, (reach) => db.selectFrom('codehost_repository as r')
    .innerJoin('codehost_repository_access as a', (join) => join.onRef('a.workspace_id', '=', 'r.workspace_id')
      .onRef('a.repo_id', '=', 'r.id').on('a.permission', '=', 'admin'))
    .innerJoin('codehost_identity as i', (join) => join.onRef('i.workspace_id', '=', 'a.workspace_id')
      .onRef('i.user_id', '=', 'a.user_id').on('i.host', '=', host).on('i.state', '=', 'active'))
    .distinctOn(['r.workspace_id', 'r.id']).select(['r.workspace_id', 'r.id', 'r.full_name', 'a.user_id'])
    .where(reach(sql`r.last_event_at is not null`, 'r.workspace_id', 'a.workspace_id', 'i.workspace_id'))
    .orderBy('r.workspace_id').orderBy('r.id').orderBy('a.checked_at', 'desc').execute())
