import { sql } from 'kysely'
import { now } from '../clock.js'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'
import type { Permission } from './repository-tables.js'

export interface SeenRepository {
  id: string
  full_name: string
  default_branch: string
  private: boolean
  permission: Permission
}

/** How long a right that the code host confirmed stays valid. */
export const accessMinutes = 10

/**
 * Stores the repositories that the code host showed a person, and the person's rights. Rows that are unchanged and
 * less than a minute old are not written again. Takes a transaction.
 */
export const saveSeen = async (trx: Db, workspaceId: string, userId: string, seen: SeenRepository[]): Promise<void> => {
  if (seen.length === 0) return
  // Always in the same order, so that two transactions that write the same repositories do not deadlock.
  const sorted = seen.toSorted((a, b) => a.id < b.id ? -1 : 1)
  await trx.insertInto('codehost_repository')
    .values(sorted.map(({ permission: _, ...row }) => ({ workspace_id: workspaceId, ...row, updated_at: now })))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet((eb) => ({
      full_name: eb.ref('excluded.full_name'),
      default_branch: eb.ref('excluded.default_branch'),
      private: eb.ref('excluded.private'),
      updated_at: eb.ref('excluded.updated_at')
    })).where(sql<boolean>`(codehost_repository.full_name, codehost_repository.default_branch,
      codehost_repository.private) is distinct from (excluded.full_name, excluded.default_branch, excluded.private)`))
    .execute()
  await trx.insertInto('codehost_repository_access')
    .values(sorted.map(({ id, permission }) =>
      ({ workspace_id: workspaceId, user_id: userId, repo_id: id, permission, checked_at: now })))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'repo_id']).doUpdateSet((eb) => ({
      permission: eb.ref('excluded.permission'), checked_at: eb.ref('excluded.checked_at')
    })).where(sql<boolean>`codehost_repository_access.permission <> excluded.permission or
      excluded.checked_at - codehost_repository_access.checked_at > interval '1 minute'`))
    .execute()
}

/**
 * @returns the rows of repositories, for any person, with the right of the person as it was last read;
 * permission is null where it was never read, recent is whether that was less than a minute ago
 */
export const findKnown = (db: Db, workspaceId: string, userId: string, ids: string[]) =>
  db.selectFrom('codehost_repository as r')
    .leftJoin('codehost_repository_access as a', (join) => join
      .onRef('a.workspace_id', '=', 'r.workspace_id').onRef('a.repo_id', '=', 'r.id').on('a.user_id', '=', userId))
    .select(['r.id', 'r.full_name', 'r.default_branch', 'r.private', 'r.sync_state', 'r.last_synced_at',
      'r.last_event_at', 'r.activity_complete_from', 'a.permission',
      sql<boolean>`coalesce(a.checked_at > now() - interval '1 minute', false)`.as('recent')])
    .where('r.workspace_id', '=', workspaceId).where('r.id', '=', anyOf(ids)).execute()

export type KnownRepository = Awaited<ReturnType<typeof findKnown>>[number]

/** Deletes a person's right to a repository: the code host does not show it to them any more. */
export const dropAccess = async (db: Db, workspaceId: string, userId: string, id: string): Promise<void> => {
  await db.deleteFrom('codehost_repository_access').where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).where('repo_id', '=', id).execute()
}

/** The rights to the repository have changed: every stored right is dropped, and read again when needed. */
export const dropEveryAccess = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('codehost_repository_access').where('workspace_id', '=', workspaceId)
    .where('repo_id', '=', id).execute()
}

/**
 * Records that the history of a repository was read, and that everything since `completeFrom` is stored.
 * @param gap whether something is missing between this history and what was stored before
 */
export const markSynced = async (db: Db, workspaceId: string, id: string, completeFrom: Date, gap: boolean):
Promise<void> => {
  await db.updateTable('codehost_repository')
    .set({
      last_synced_at: now,
      activity_complete_from: gap ? completeFrom : sql`least(activity_complete_from, ${completeFrom}::timestamptz)`
    })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
