import { sql, type RawBuilder } from 'kysely'

/**
 * Which workspaces a sweep looks at: all, or some where a server that has the others is dead.
 * @param condition of the sweep
 * @param column that names the workspace
 * @returns the condition with that
 */
export interface Reach {
  (condition: RawBuilder<unknown>, column?: string): RawBuilder<boolean>
  /** The workspaces; undefined = all. */
  ids?: readonly string[]
}

// What a condition is of PostgreSQL, whatever it was called before.
export const everywhere: Reach = (condition) => condition as RawBuilder<boolean>

export const whereKnown = (ids: readonly string[]): Reach => Object.assign(
  (condition: RawBuilder<unknown>, column = 'workspace_id') =>
    sql<boolean>`((${condition}) and ${sql.ref(column)} = any(${ids}::uuid[]))`, { ids })
