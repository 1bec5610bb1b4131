import { sql, type RawBuilder } from 'kysely'

/**
 * Which workspaces a sweep looks at: all, or some where a server that has the others is dead.
 * @param condition of the sweep
 * @param columns that name the workspace, one of each table: what one says of another does not keep a Citus from asking
 *   every server; so a query within has a condition of its own
 * @returns the condition with that
 */
export interface Reach {
  (condition: RawBuilder<unknown>, ...columns: string[]): RawBuilder<boolean>
  /** The workspaces; undefined = all. */
  ids?: readonly string[]
}

// What a condition is of PostgreSQL, whatever it was called before.
export const everywhere: Reach = (condition) => condition as RawBuilder<boolean>

/** @returns what looks at these workspaces alone */
export const reachOf = (ids: readonly string[]): Reach => Object.assign(
  (condition: RawBuilder<unknown>, ...columns: string[]) => {
    const named = columns.length === 0 ? ['workspace_id'] : columns
    const all = named.map((column) => sql`${sql.ref(column)} = any(${ids}::uuid[])`)
    return sql<boolean>`((${condition}) and ${sql.join(all, sql` and `)})`
  }, { ids })
