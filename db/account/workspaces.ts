import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { AdministeredWorkspace } from '../../schemas/account/workspaces.js'
import type { OwnSettings } from '../../schemas/account/workspace-settings.js'
import { now } from '../clock.js'
import { next, anyOf, type Slice } from '../columns.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import { lockText } from '../statement.js'
import { workspaceColumns } from './workspace.js'

/** The channel on which instances learn that host names or settings have changed. */
export const hostsChannel = 'steward_hosts'

const columns = [
  ...workspaceColumns, 'settings', sql<boolean>`model_api_key is not null`.as('has_model_api_key')
] as const

export type WorkspaceRow = Omit<AdministeredWorkspace, 'settings'> &
  { settings: OwnSettings, has_model_api_key: boolean }

/** Every workspace of the installation, newest first. */
export const listWorkspaces = (db: Db, { before, limit }: Slice): Promise<WorkspaceRow[]> =>
  db.selectFrom('workspace').select(columns).where('deleted_at', 'is', null)
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export const findWorkspaceById = (db: Db, id: string): Promise<WorkspaceRow | undefined> =>
  db.selectFrom('workspace').select(columns).where('id', '=', id).where('deleted_at', 'is', null)
    .executeTakeFirst()

/** @returns whether there is one with this id, also one of which something is left to delete */
export const hasWorkspace = async (db: Db, id: string): Promise<boolean> =>
  await db.selectFrom('workspace').select('id').where('id', '=', id).executeTakeFirst() !== undefined

export const insertWorkspace = (db: Db, name: string, hosts: string[]): Promise<WorkspaceRow> =>
  db.insertInto('workspace').values({ id: uuid(), name, hosts }).returning(columns).executeTakeFirstOrThrow()

export interface WorkspaceChange {
  name?: string | undefined
  hosts?: string[] | undefined
  settings?: OwnSettings
  /** Encrypted; undefined = as it is. */
  model_api_key?: Buffer | null | undefined
}

/** @returns the changed workspace; undefined when there is none, or none of these revisions is current */
export const updateWorkspaceById = (db: Db, id: string, { name, hosts, settings, ...of }: WorkspaceChange,
  revisions?: number[]): Promise<WorkspaceRow | undefined> =>
  db.updateTable('workspace')
    .set({
      ...(name !== undefined && { name }),
      ...(hosts && { hosts }),
      ...(settings && { settings: JSON.stringify(settings) }),
      ...(of.model_api_key !== undefined && { model_api_key: of.model_api_key }),
      revision: next('revision'),
      updated_at: now
    })
    .where('id', '=', id).where('deleted_at', 'is', null)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** @returns the settings, which stay as they are until this transaction ends; undefined = there is no such workspace */
export const lockSettings = async (trx: Db, id: string): Promise<OwnSettings | undefined> =>
  (await trx.selectFrom('workspace').select('settings').where('id', '=', id).forNoKeyUpdate().executeTakeFirst())
    ?.settings

/** Changes of host names go one after the other: no index over arrays keeps one from being in two. */
export const lockHosts = (trx: Db): Promise<void> => lockText(trx, 'steward.hosts')

/** @param id null = of a workspace that is made. @returns of these host names, one that another workspace has */
export const findTakenHost = async (db: Db, id: string | null, hosts: string[]): Promise<string | undefined> => {
  const owner = await db.selectFrom('workspace').select('hosts').where(sql<boolean>`hosts && ${hosts}::text[]`)
    .$if(id !== null, (query) => query.where('id', '<>', String(id))).limit(1).executeTakeFirst()
  return owner?.hosts.find((host) => hosts.includes(host))
}

/** @returns of a workspace's host names those that no other has: it keeps these. In a transaction that locks them */
export const keepFreeHosts = async (trx: Db, id: string, hosts: readonly string[]): Promise<string[]> => {
  const others = await trx.selectFrom('workspace').select('hosts').where('id', '<>', id)
    .where(sql<boolean>`hosts && ${hosts}::text[]`).execute()
  const taken = new Set(others.flatMap((one) => one.hosts))
  const free = hosts.filter((host) => !taken.has(host))
  await trx.updateTable('workspace').set({ hosts: free }).where('id', '=', id).execute()
  return free
}

/** Notifies every instance, once the transaction has committed. */
export const announceWorkspaces = async (trx: Db): Promise<void> => {
  await trx.selectNoFrom(sql<null>`pg_notify(${hostsChannel}, '')`.as('notified')).execute()
}

export interface OwnRow {
  id: string
  hosts: string[]
  settings: OwnSettings
  model_api_key: Buffer | null
  model_connection: Buffer | null
}

/** Stores how the workspace's model is asked, encrypted; null = as the installation does. */
export const setModelConnection = async (trx: Db, id: string, encrypted: Buffer | null): Promise<void> => {
  await trx.updateTable('workspace').set({ model_connection: encrypted }).where('id', '=', id).execute()
  await announceWorkspaces(trx)
}

export interface OwnRows {
  rows: OwnRow[]
  /** The workspaces that were asked, where a server with others is dead; undefined = all. */
  asked: readonly string[] | undefined
}

/** @returns host names and settings of all workspaces that have any of their own */
export const listOwn = (db: Db): Promise<OwnRows> => sweep(db, async (reach) => ({
  rows: await db.selectFrom('workspace').select(['id', 'hosts', 'settings', 'model_api_key', 'model_connection'])
    .where(reach(sql`(hosts <> '{}' or settings::text <> '{}' or model_api_key is not null
      or model_connection is not null)`, 'id')).execute(),
  asked: reach.ids
}))
