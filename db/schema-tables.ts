import { sql } from 'kysely'
import { ago, now } from './clock.js'
import type { Db } from './index.js'
import { migrate } from './migrate.js'
import { sweep } from './workers.js'

export interface Table {
  name: string
  /** The column of its workspace; null where it has none. */
  by: string | null
  /** Tables that its rows refer to. */
  refers_to: string[]
}

/** @returns every table of ours, by name */
export const listTables = async (db: Db): Promise<Table[]> => (await sql<Table>`
  select c.relname as name,
    case when c.relname = 'workspace' then 'id' else (select attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped) end as by,
    array(select distinct f.confrelid::regclass::text from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and c.relname not like 'kysely%' and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`.execute(db)).rows

/** @returns the tables, each after those that it refers to: its foreign keys reach only what is there already */
export const inOrder = <T extends Table>(tables: readonly T[]): T[] => {
  const seen = new Set<T>()
  const ordered: T[] = []
  const add = (table: T) => {
    if (seen.has(table)) return
    seen.add(table)
    for (const one of tables) if (table.refers_to.includes(one.name)) add(one)
    ordered.push(table)
  }
  for (const table of tables) add(table)
  return ordered
}

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

const distributeTable = ({ name, by }: Table) => {
  if (by === null) return sql`select create_reference_table(${name})`
  return name === 'workspace'
    ? sql`select create_distributed_table(${name}, ${by})`
    : sql`select create_distributed_table(${name}, ${by}, colocate_with => 'workspace')`
}

const hasCitus = async (db: Db): Promise<boolean> =>
  (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0

/** Tables of the extension, which a plain database does not have. */
const listDistributed = async (db: Db): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/**
 * Brings the schema to the newest migration and divides its tables among the workers of Citus: all rows of a workspace
 * lie on one. Tables that are distributed already stay as they are.
 * @returns what was distributed now
 * @throws Error when the database is a plain one
 */
export const distribute = (db: Db): Promise<string[]> => db.connection().execute(async (own) => {
  if (!await hasCitus(own)) throw new Error('This database has no extension citus: there is nothing to distribute to')
  await migrate(own)
  // Rows that are there are moved, however long that takes.
  await sql`select set_config(name, '0', false) from (values ('statement_timeout'), ('lock_timeout')) as t (name)`
    .execute(own)
  const distributed = await listDistributed(own)
  const left = inOrder(await listTables(own)).filter(({ name }) => !distributed.has(name))
  for (const table of left) await distributeTable(table).execute(own)
  return left.map(({ name }) => name)
})
