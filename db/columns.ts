import { sql, type RawBuilder } from 'kysely'

/** What a page of a list asks for: rows made before the one with this id, newest first. */
export interface Slice { before?: string | undefined, limit: number }

/** Of a list that not everybody sees whole. */
export interface OfProjects {
  /** Only what belongs to one of these. */
  projects?: string[] | undefined
}

/** To the right of `=`: one of these. The statement is the same for any number of them, as one with `in` is not. */
export const anyOf = <Value>(values: readonly Value[]): RawBuilder<Value> => sql`any(${[...values]})`

/** @returns whether the column's text has this in it, whatever the case */
export const contains = (column: string, text: string | undefined): RawBuilder<boolean> =>
  sql`position(lower(${text}) in lower(${sql.ref(column)})) > 0`

/** JSON as text, which is sent as it is. */
export type JsonText = RawBuilder<string>

/** A column of any type but a time; a json column as it was written. */
export const json = (column: string): JsonText => sql`coalesce(to_json(${sql.ref(column)})::text, 'null')`

/** An id or one of our own words, which need no escape, in a column that is never null. */
export const word = (column: string): JsonText => sql`'"' || ${sql.ref(column)} || '"'`

/** A number in a column that is never null. */
export const number = (column: string): JsonText => sql`${sql.ref(column)}`

const form = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/** A time as `Date` writes it: in UTC, to the millisecond, which is cut and not rounded. */
export const time = (column: string): JsonText =>
  sql`coalesce('"' || to_char(${sql.ref(column)} at time zone 'utc', ${form}) || '"', 'null')`

/** What `Date` counts: whole milliseconds, cut and not rounded. */
export const milliseconds = (column: string): RawBuilder<number> =>
  sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

/** An object, by the text of its values; the order is that of its schema, in which the API sends its fields. */
export const object = (fields: Record<string, JsonText>): JsonText => {
  const parts = Object.entries(fields).map(([name, value], at) =>
    sql`${sql.lit(`${at === 0 ? '{' : ','}"${name}":`)} || ${value}`)
  return sql`(${sql.join(parts, sql` || `)} || '}')`
}

/** How many rows; as a number, where the driver makes a number of int8 as well. */
export const count = sql<number>`count(*)::integer`

/** The sum of a column of whole numbers, 0 of no rows; what `sum` makes is a numeric, which `pg` reads as text. */
export const sumOf = (column: string): RawBuilder<number> => sql`coalesce(sum(${sql.ref(column)}), 0)::bigint`

/** In `on conflict`: what the row that was not inserted has there. A clock is not read in it. */
export const excluded = <Value>(column: string): RawBuilder<Value> => sql<Value>`${sql.ref(`excluded.${column}`)}`

/** The next number of a column that counts. */
export const next = (column: string): RawBuilder<number> => sql`${sql.ref(column)} + 1`

/** What a column has, and this more; nothing is known of the sum where either is not known. */
export const plus = (column: string, more: number | null | undefined): RawBuilder<number> =>
  sql`${sql.ref(column)} + ${more ?? null}::bigint`
