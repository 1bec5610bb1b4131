import { sql, type RawBuilder } from 'kysely'

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
