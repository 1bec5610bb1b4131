import type { PGlite } from '@electric-sql/pglite'
import type { Catalog } from './catalog.js'

/** What holds up every write of a table until it has read all of it, in the statements of migrations. */
const blocking: [what: string, pattern: RegExp][] = [
  ['makes an index', /create (?:unique )?index (?!concurrently)(?:if not exists )?\S+ on (\w+)/],
  ['adds a constraint', /alter table (\w+) (?:.*, )?add (?:constraint \S+ )?(?:unique|check|primary|foreign|exclude)(?!.*not valid)/],
  ['looks for null', /alter table (\w+) .*set not null/],
  ['writes every row anew', /alter table (\w+) .*alter column \S+ (?:set data )?type/]
]

/**
 * @param tables that were there before
 * @returns what the statement does to one of them while nothing else can write there
 */
export const locksOf = (statement: string, tables: ReadonlySet<string>): string[] => {
  const text = statement.toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ')
  return blocking.flatMap(([what, pattern]) => {
    const table = pattern.exec(text)?.[1]
    return table !== undefined && tables.has(table) ? [`${what} of ${table}`] : []
  })
}

const lockedQuery = `select distinct relation::regclass::text as name from pg_locks
  where mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') order by name`

/**
 * Two of them, in one transaction, may stand in a circle with a request that has written one and is about to write the
 * other: the server ends one of both.
 * @param was before the transaction
 * @returns the tables whose writes wait for the transaction that is open
 */
export const listLocked = async (lite: PGlite, was: Catalog): Promise<string[]> => {
  const { rows } = await lite.query<{ name: string }>(lockedQuery)
  const tables = new Set([...was.columns.keys()].map((column) => column.replace(/\..*/, '')))
  return rows.map(({ name }) => name).filter((name) => tables.has(name))
}
