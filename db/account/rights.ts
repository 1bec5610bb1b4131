import { sql } from 'kysely'
import type { Bound } from '../../schemas/account/bindings.js'
import { ranks, type Role } from '../../schemas/account/roles.js'

/** A role in the whole workspace, and more on parts of it; null = nothing more. */
export interface Rights {
  role: Role
  bindings: readonly Bound[] | null
}

/**
 * The bindings of a person, their own and those of their groups, as a column beside the person's row; null = none.
 * A workspace without bindings pays one look into an empty part of an index.
 */
export const bindingsOf = (workspaceId: string, userColumn: string) => {
  const user = sql.ref(userColumn)
  return sql<readonly Bound[] | null>`(
    select jsonb_agg(distinct jsonb_build_object('role', b.role, 'scope', b.scope, 'of', b.scope_of))
    from account_binding b where b.workspace_id = ${workspaceId} and (b.user_id = ${user} or b.group_id in (
      select m.group_id from account_group_member m where m.workspace_id = ${workspaceId} and m.user_id = ${user})))`
}

const higher = (role: Role, { role: bound }: Bound): Role => ranks[bound] > ranks[role] ? bound : role

/** @returns the row with its rights: a binding on the workspace is a role in it */
export const withRights = <Row extends Rights>(row: Row): Row => {
  const { bindings } = row
  if (bindings === null) return row
  const parts = bindings.filter(({ scope }) => scope !== 'workspace')
  const role = bindings.filter(({ scope }) => scope === 'workspace').reduce(higher, row.role)
  return { ...row, role, bindings: parts.length > 0 ? parts : null }
}
