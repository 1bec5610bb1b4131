import { sql } from 'kysely'
import { now } from '../clock.js'
import type { Db } from '../index.js'
import type { AuditCheckpointTable } from './tables.js'

/** The installation's keys are rows of its first workspace. */
const keySelect = (db: Db, home: string) => db.selectFrom('audit_key')
  .select(['id', 'public_key', 'secret', 'created_at', 'retired_at']).where('workspace_id', '=', home)

export const listKeys = (db: Db, home: string) => keySelect(db, home).orderBy('id').execute()

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number]

export const findCurrentKey = (db: Db, home: string): Promise<KeyRow | undefined> =>
  keySelect(db, home).where('retired_at', 'is', null).executeTakeFirst()

/** Stores a key, unless another process has stored one. */
export const insertKey = async (db: Db, home: string, key: { id: string, public_key: string, secret: Buffer }):
Promise<void> => {
  await db.insertInto('audit_key').values({ workspace_id: home, ...key })
    .onConflict((conflict) => conflict.column('workspace_id').where('retired_at', 'is', null).doNothing()).execute()
}

/** The key signs nothing any more; what it has signed stays proved by its public half. */
export const retireKey = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('audit_key').set({ retired_at: now, secret: null }).where('workspace_id', '=', home)
    .where('id', '=', id).where('retired_at', 'is', null).execute()
}

const columns = ['workspace_id', 'seq', 'hash', 'at', 'previous', 'key_id', 'public_key', 'signature'] as const

const checkpointSelect = (db: Db, workspaceId: string) =>
  db.selectFrom('audit_checkpoint').select(columns).where('workspace_id', '=', workspaceId)

export const insertCheckpoint = async (trx: Db, row: Omit<AuditCheckpointTable, 'at'> & { at: string }):
Promise<void> => {
  await trx.insertInto('audit_checkpoint').values(row).execute()
}

/** @returns checkpoints after a number, up to another, in their order */
export const listCheckpoints = (db: Db, workspaceId: string, after: number, upTo: number, limit: number) =>
  checkpointSelect(db, workspaceId).where('seq', '>', after).where('seq', '<=', upTo).orderBy('seq').limit(limit).execute()

export type CheckpointRow = Awaited<ReturnType<typeof listCheckpoints>>[number]

/** @returns the checkpoint of a number */
export const findCheckpoint = (db: Db, workspaceId: string, seq: number) =>
  checkpointSelect(db, workspaceId).where('seq', '=', seq).executeTakeFirst()

/** @returns the keys with which checkpoints that are kept were signed */
export const listUsedKeys = (db: Db, workspaceId: string) => db.selectFrom('audit_checkpoint')
  .select(['key_id', 'public_key']).distinct().where('workspace_id', '=', workspaceId).orderBy('key_id').execute()

/** @returns the last checkpoint whose entries are all older than so many days; undefined = there is none */
export const findCut = async (db: Db, workspaceId: string, days: number): Promise<number | undefined> =>
  (await db.selectFrom('audit_checkpoint').select(({ fn }) => fn.max('seq').as('seq'))
    .where('workspace_id', '=', workspaceId)
    .where('at', '<', sql<Date>`now() - make_interval(days => ${days})`).executeTakeFirst())?.seq ?? undefined

/** Removes checkpoints before a number, and notes that the chain now begins after it. */
export const cutChain = async (trx: Db, workspaceId: string, seq: number): Promise<void> => {
  await trx.deleteFrom('audit_checkpoint').where('workspace_id', '=', workspaceId).where('seq', '<', seq).execute()
  await trx.updateTable('audit_chain').set({ cut_seq: seq }).where('workspace_id', '=', workspaceId).execute()
}
