import { sql, type RawBuilder } from 'kysely'

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
