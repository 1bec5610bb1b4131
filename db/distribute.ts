import { sql } from 'kysely'
import type { Db } from './index.js'
import { migrate } from './migrate.js'
import { inOrder, listTables, type Table } from './schema-tables.js'

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
