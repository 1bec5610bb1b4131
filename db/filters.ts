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
