import type { PGlite } from '@electric-sql/pglite'

interface Column { type: string, required: boolean, filled: boolean }
interface Constraint { table: string, kind: string, columns: string[], text: string }

/** What the statements of a release rest on. */
export interface Catalog {
  /** By table and column. */
  columns: Map<string, Column>
  /** By table and name; a unique index is one, too. */
  constraints: Map<string, Constraint>
}

const columnsQuery = `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required, a.atthasdef or a.attidentity <> '' or a.attgenerated <> '' as filled
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0
    and not a.attisdropped`

const constraintsQuery = `select c.conrelid::regclass::text as table, c.conname as name, c.contype::text as kind,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey))
      as columns,
    pg_get_constraintdef(c.oid) as text
  from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype in ('u', 'p', 'c', 'f', 'x')
  union all
  select i.indrelid::regclass::text, i.indexrelid::regclass::text, 'u',
    array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)),
    pg_get_indexdef(i.indexrelid)
  from pg_index i join pg_class c on c.oid = i.indrelid
  where i.indisunique and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid)`

export const readCatalog = async (lite: PGlite): Promise<Catalog> => {
  const columns = await lite.query<Column & { name: string }>(columnsQuery)
  const constraints = await lite.query<Constraint & { name: string }>(constraintsQuery)
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    constraints: new Map(constraints.rows.map(({ name, ...one }) => [`${one.table} ${name}`, one]))
  }
}

const tableOf = (name: string): string => name.slice(0, name.indexOf('.'))

const tablesOf = ({ columns }: Catalog): Set<string> => new Set([...columns.keys()].map(tableOf))

const columnComplaints = (before: Catalog, after: Catalog): string[] => {
  const known = tablesOf(before)
  const gone = [...before.columns.keys()].filter((name) => !after.columns.has(name)).map((name) => `${name} is gone`)
  const changed = [...after.columns].filter(([name]) => known.has(tableOf(name))).flatMap(([name, now]) => {
    const was = before.columns.get(name)
    return [
      ...(was && was.type !== now.type ? [`${name} was ${was.type} and is ${now.type}`] : []),
      ...(now.required && !was?.required && (was || !now.filled) ? [`${name} may not be null any more`] : []),
      ...(was?.filled && !now.filled ? [`${name} has no default any more`] : [])
    ]
  })
  return [...gone, ...changed]
}

/** What was unique is so with a column more. */
const isImplied = ({ table, kind, columns }: Constraint, before: Catalog): boolean => kind === 'u' &&
  [...before.constraints.values()].some((was) => was.table === table && 'up'.includes(was.kind) &&
    !was.text.includes(' WHERE ') && was.columns.every((column) => columns.includes(column)))

const constraintComplaints = (before: Catalog, after: Catalog): string[] => {
  const known = tablesOf(before)
  return [...after.constraints].filter(([name, one]) =>
    known.has(one.table) && before.constraints.get(name)?.text !== one.text && !isImplied(one, before))
    .map(([name, { text }]) => `${name} is new: ${text}`)
}

/** @returns what makes a write fail that did not fail before, and what is not there any more */
export const compareCatalogs = (before: Catalog, after: Catalog): string[] =>
  [...columnComplaints(before, after), ...constraintComplaints(before, after)]
