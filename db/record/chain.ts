import { sql } from 'kysely'
import { clock } from '../clock.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { AuditEntryTable } from './tables.js'

const unnumberedColumns = ['workspace_id', 'id', 'at', 'kind', 'write_id', 'operation', 'target', 'outcome', 'status',
  'user_id', 'via', 'via_id', 'remote_address', 'request_id', 'body'] as const

const chainColumns = ['seq', 'hash', 'cut_seq', 'checkpoint_seq', 'checkpoint_hash'] as const

/** Makes the chain of a workspace that has none. @param hash what stands before its first entry */
export const beginChain = async (db: Db, workspaceId: string, hash: string): Promise<void> => {
  await db.insertInto('audit_chain').values({ workspace_id: workspaceId, hash })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing()).execute()
}

/** @returns where the chain ends, locked until the transaction ends: one process at a time numbers, signs and cuts */
export const lockChain = (trx: Db, workspaceId: string) => trx.selectFrom('audit_chain').select(chainColumns)
  .select(sql<number>`extract(epoch from statement_timestamp() - checkpoint_at)::float8`.as('checkpoint_age_s'))
  .where('workspace_id', '=', workspaceId).forUpdate().executeTakeFirst()

export type Chain = NonNullable<Awaited<ReturnType<typeof lockChain>>>

export const findChain = (db: Db, workspaceId: string) => db.selectFrom('audit_chain').select(chainColumns)
  .where('workspace_id', '=', workspaceId).executeTakeFirst()

/**
 * What was committed and has no number yet, the oldest first; what a transaction still holds gets a later one. The
 * caller holds the chain.
 */
export const listUnnumbered = (trx: Db, workspaceId: string, limit: number) => trx.selectFrom('audit')
  .select(unnumberedColumns).where('workspace_id', '=', workspaceId).orderBy('id').limit(limit).execute()

export type NewEntry = Omit<AuditEntryTable, 'at' | 'body' | 'words'> & { at: string, body: unknown, words: string[] }

/** Moves rows into the chain; the caller has linked them. */
export const appendEntries = async (trx: Db, workspaceId: string, entries: readonly NewEntry[]): Promise<void> => {
  const last = entries.at(-1)
  if (!last) return
  await sql`insert into audit_entry (workspace_id, seq, id, at, kind, write_id, operation, target, outcome, status,
      user_id, via, via_id, remote_address, request_id, body, previous, hash, words)
    select home.workspace_id, e.seq, e.id, e.at, e.kind, e.write_id, e.operation, e.target, e.outcome, e.status,
      e.user_id, e.via, e.via_id, e.remote_address, e.request_id, e.body, e.previous, e.hash,
      array_to_tsvector(array(select json_array_elements_text(e.words)))
    from json_to_recordset(${JSON.stringify(entries)}::json) as e(seq bigint, id uuid, at timestamptz, kind text,
      write_id uuid, operation text, target text, outcome text, status integer, user_id uuid, via text, via_id uuid,
      remote_address text, request_id text, body json, previous text, hash text, words json),
      (select id as workspace_id from workspace where id = ${workspaceId}) as home`.execute(trx)
  await trx.deleteFrom('audit').where('workspace_id', '=', workspaceId)
    .where('id', 'in', entries.map(({ id }) => id)).execute()
  await trx.updateTable('audit_chain').set({ seq: last.seq, hash: last.hash })
    .where('workspace_id', '=', workspaceId).execute()
}

/** @returns workspaces that have something without a number, or entries that no checkpoint covers in time */
export const listToNumber = async (db: Db): Promise<string[]> => {
  const rows = await sweep(db, (reach) => db.selectFrom('audit').select('workspace_id').distinct()
    .where(reach(sql`true`)).execute())
  return rows.map(({ workspace_id: id }) => id)
}

/** @returns workspaces with entries that no checkpoint covers, whose last checkpoint is older than so many seconds */
export const listToSign = async (db: Db, seconds: number): Promise<string[]> => {
  const rows = await sweep(db, (reach) => db.selectFrom('audit_chain').select('workspace_id')
    .where(reach(sql`seq > checkpoint_seq and checkpoint_at < now() - make_interval(secs => ${seconds})`)).execute())
  return rows.map(({ workspace_id: id }) => id)
}

/** Notes the checkpoint that now is the last. */
export const noteCheckpoint = async (trx: Db, workspaceId: string, seq: number, digest: string): Promise<void> => {
  await trx.updateTable('audit_chain').set({ checkpoint_seq: seq, checkpoint_hash: digest, checkpoint_at: clock })
    .where('workspace_id', '=', workspaceId).execute()
}
