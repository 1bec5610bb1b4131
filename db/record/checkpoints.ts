import { sql } from 'kysely'
import type { Db } from '../index.js'
import type { AuditCheckpointTable } from './tables.js'

const columns = ['workspace_id', 'seq', 'hash', 'at', 'previous', 'key_id', 'public_key', 'signature'] as const

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('audit_checkpoint').select(columns).where('workspace_id', '=', workspaceId)

export const insertCheckpoint = async (trx: Db, row: Omit<AuditCheckpointTable, 'at'> & { at: string }):
Promise<void> => {
  await trx.insertInto('audit_checkpoint').values(row).execute()
}

/** @returns checkpoints after a number, up to another, in their order */
export const listCheckpoints = (db: Db, workspaceId: string, after: number, upTo: number, limit: number) =>
  select(db, workspaceId).where('seq', '>', after).where('seq', '<=', upTo).orderBy('seq').limit(limit).execute()

export type CheckpointRow = Awaited<ReturnType<typeof listCheckpoints>>[number]

/** @returns the checkpoint of a number */
export const findCheckpoint = (db: Db, workspaceId: string, seq: number) =>
  select(db, workspaceId).where('seq', '=', seq).executeTakeFirst()

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
