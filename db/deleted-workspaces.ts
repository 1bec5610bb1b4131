import { sql } from 'kysely'
import { ago, now } from './clock.js'
import type { Db } from './index.js'
import { inOrder, listTables, type Table } from './schema-tables.js'
import { sweep } from './workers.js'

/** What lets people in: it goes with the mark, so that no instance lets anyone in any more. */
const credentials = ['account_token', 'account_session', 'account_link'] as const

/**
 * Marks a workspace as deleted and ends what lets people in; it gives up its host names. In a transaction.
 * @returns whether there was one to delete
 */
export const markDeleted = async (trx: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx.updateTable('workspace').set({ deleted_at: now, hosts: [] })
    .where('id', '=', id).where('deleted_at', 'is', null).where('is_first', '=', false).executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  for (const table of credentials) await trx.deleteFrom(table).where('workspace_id', '=', id).execute()
  return true
}

const batch = 2_000

const keyOf = async (db: Db, table: string): Promise<string[]> => (await sql<{ name: string }>`
  select a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
  where i.indrelid = ${table}::regclass and i.indisprimary
  order by array_position(i.indkey::int2[], a.attnum)`.execute(db)).rows.map(({ name }) => name)

/** In the order of the key, as everyone does who deletes there: nobody waits in a circle. */
const emptyTable = async (db: Db, { name, by }: Table, id: string): Promise<void> => {
  const key = sql.join((await keyOf(db, name)).map((column) => sql.ref(column)))
  const own = sql`${sql.ref(String(by))} = ${id}`
  const statement = sql`delete from ${sql.table(name)} where ${own} and (${key}) in (
    select ${key} from ${sql.table(name)} where ${own} order by ${key} limit ${sql.lit(batch)})`
  for (let left = true; left;) left = Number((await statement.execute(db)).numAffectedRows) === batch
}

/**
 * Deletes all rows of a workspace that is marked, those first that refer to others, some at a time: what is left after
 * a crash is deleted later. The mark stays, since work that is under way may still write.
 */
export const emptyWorkspace = async (db: Db, id: string): Promise<void> => {
  const tables = inOrder(await listTables(db)).filter(({ name, by }) => by !== null && name !== 'workspace')
  for (const table of tables.toReversed()) await emptyTable(db, table, id)
}

/** Longer than a request or a step of work that began before may take. */
const settled = '5 minutes'

/** @returns workspaces that were marked so long ago that nothing writes to them any more */
export const listSettled = async (db: Db): Promise<string[]> =>
  (await sweep(db, (reach) => db.selectFrom('workspace').select('id')
    .where(reach(sql`deleted_at < ${ago(settled)}`, 'id')).execute())).map(({ id }) => id)

/** Takes away the mark, after which nothing is left. */
export const forgetWorkspace = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('workspace').where('id', '=', id).where('deleted_at', '<', ago(settled)).execute()
}
