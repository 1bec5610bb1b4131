import { sql } from 'kysely'
import type { Db } from './index.js'

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
