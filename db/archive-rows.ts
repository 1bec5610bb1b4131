import { sql } from 'kysely'
import { codeOf } from '../schemas/unknown.js'
import type { ArchivedColumn, ArchivedTable } from './archived-tables.js'
import type { Db } from './index.js'

/** A row: the text of each value, as the database writes it, byte for byte; null for null. */
export type ArchivedRow = (string | null)[]

/** How values are written as text: the same in every session. */
const spellings = { timezone: 'UTC', datestyle: 'ISO, YMD', intervalstyle: 'postgres', bytea_output: 'hex' }

const setSpellings = async (trx: Db): Promise<void> => {
  await sql`select set_config(name, value, true) from json_each_text(${JSON.stringify(spellings)}::json)
    as t (name, value)`.execute(trx)
}

/** Reads in one snapshot: nothing that is written meanwhile is seen in half. */
export const readSnapshot = <T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(async (trx) => {
    await setSpellings(trx)
    return read(trx)
  })

/** Text is compared by its bytes: databases have different collations. */
const orderOf = ({ columns }: ArchivedTable) => sql.join(columns.filter(({ key }) => key !== null)
  .toSorted((a, b) => Number(a.key) - Number(b.key))
  .map(({ name, isText }) => isText ? sql`${sql.ref(name)} collate "C"` : sql.ref(name)))

const cursor = sql.id('steward_archive')
const batchChars = 1_000_000
const maxBatch = 1_000

const sizeOf = (rows: readonly ArchivedRow[]): number =>
  rows.reduce((sum, row) => sum + row.reduce((length, value) => length + (value?.length ?? 0), 0), 0)

/** @returns the workspace's rows of a table in the order of their key, some at a time. In a snapshot */
export async function * readRows (trx: Db, table: ArchivedTable, workspaceId: string): AsyncGenerator<ArchivedRow[]> {
  const values = sql.join(table.columns.map(({ name }) => sql`${sql.ref(name)}::text`))
  await sql`declare ${cursor} no scroll cursor for select json_build_array(${values}) as row
    from ${sql.table(table.name)} where ${sql.ref(table.by)} = ${workspaceId} order by ${orderOf(table)}`.execute(trx)
  for (let limit = 10; ;) {
    const { rows } = await sql<{ row: ArchivedRow }>`fetch ${sql.lit(limit)} from ${cursor}`.execute(trx)
    if (rows.length === 0) break
    const batch = rows.map(({ row }) => row)
    yield batch
    limit = Math.ceil(Math.min(maxBatch, rows.length * batchChars / (sizeOf(batch) + 1)))
  }
  await sql`close ${cursor}`.execute(trx)
}

/** Inserts rows with these columns: the database reads each value as it wrote it. */
export const insertRows = async (trx: Db, table: string, columns: readonly ArchivedColumn[],
  rows: readonly ArchivedRow[]): Promise<void> => {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = sql.join(columns.map(({ type }, at) => sql`(r.value->>${sql.lit(at)})::${sql.raw(type)}`))
  await sql`insert into ${sql.table(table)} (${names})
    select ${values} from json_array_elements(${JSON.stringify(rows)}::json) as r (value)`.execute(trx)
}

/** Writes in one transaction, in which values are read as `readSnapshot` writes them. */
export const writeArchive = <T>(db: Db, write: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await setSpellings(trx)
    return write(trx)
  })

/** @returns whether an error says that the database takes no such rows: a value of another type, a broken rule */
export const isRefusedRow = (error: unknown): boolean => /^2[23]/.test(codeOf(error) ?? '')
