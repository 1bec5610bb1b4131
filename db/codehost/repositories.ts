import { sql, type Generated } from 'kysely'
import { now } from '../clock.js'
import { anyOf } from '../columns.js'
import type { Db } from '../index.js'
import type { NullableTime, Time } from '../types.js'
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

type Permission = 'read' | 'write' | 'admin'
export type SyncState = 'live' | 'backfilling' | 'stale' | 'disconnected'

export interface CodehostRepositoryTable {
  workspace_id: string
  id: string
  full_name: string
  default_branch: string
  private: boolean
  sync_state: Generated<SyncState>
  last_synced_at: NullableTime
  activity_complete_from: NullableTime
  /** When the code host last changed the record, by its own clock: an older record does not overwrite it. */
  host_updated_at: NullableTime
  /** When a webhook of the repository last arrived. */
  last_event_at: NullableTime
  created_at: Time
  updated_at: Time
}

export interface CodehostRepositoryAccessTable {
  workspace_id: string
  user_id: string
  repo_id: string
  permission: Permission
  checked_at: Time
}

declare module '../types.js' {
  interface Database {
    codehost_repository: CodehostRepositoryTable
    codehost_repository_access: CodehostRepositoryAccessTable
  }
}

export interface SeenRepository {
  id: string
  full_name: string
  default_branch: string
  private: boolean
  permission: Permission
}

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
