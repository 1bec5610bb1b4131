import type { Bound } from '../../schemas/account/bindings.js'
import { ranks } from '../../schemas/account/roles.js'
import type { Role } from '../../db/types.js'
import type { Principal } from '../security/principal.js'

/** What bindings can cover: something of a project, or something reached through a cloud account. */
export interface Resource {
  project_id?: string | null | undefined
  cloud_account_id?: string | null | undefined
  /** Of the cloud account, as it is now. */
  environment?: string | null | undefined
}

export type Holder = Pick<Principal, 'role' | 'bindings'>

const covers = ({ scope, of }: Bound, { project_id, cloud_account_id, environment }: Resource): boolean => {
  if (scope === 'project') return of === project_id
  if (scope === 'cloud_account') return of === cloud_account_id
  return scope === 'environment' && of === environment
}

const highest = (role: Role, bindings: readonly Bound[]): Role =>
  bindings.reduce<Role>((held, { role: bound }) => ranks[bound] > ranks[held] ? bound : held, role)

/** @returns the highest of the role in the workspace and of the bindings that cover the resource */
export const roleOn = ({ role, bindings }: Holder, resource: Resource): Role =>
  bindings === null ? role : highest(role, bindings.filter((bound) => covers(bound, resource)))

export const hasRoleOn = (holder: Holder, role: Role, resource: Resource): boolean =>
  ranks[roleOn(holder, resource)] >= ranks[role]

/** @returns the highest role that the person has on anything */
export const highestRole = ({ role, bindings }: Holder): Role => bindings === null ? role : highest(role, bindings)

/** The parts of a workspace that a person sees, by their ids and names. */
export interface Visible { projects: string[], cloud_accounts: string[], environments: string[] }

/** @returns what lists show the person; null = all of the workspace */
export const visible = ({ role, bindings }: Holder): Visible | null => {
  if (ranks[role] >= ranks.viewer) return null
  const of = (wanted: Bound['scope']) => (bindings ?? []).flatMap(({ scope, of }) => scope === wanted ? [of] : [])
  return { projects: of('project'), cloud_accounts: of('cloud_account'), environments: of('environment') }
}

/** @returns the ids of the projects of which lists show something; undefined = of all, and of none */
export const visibleProjects = (holder: Holder): string[] | undefined => visible(holder)?.projects

/** @returns those of the accounts that the person sees */
export const visibleAccounts = <A extends { id: string, environment: string | null }>(holder: Holder,
  accounts: A[]): A[] => ranks[holder.role] >= ranks.viewer
    ? accounts
    : accounts.filter(({ id, environment }) => hasRoleOn(holder, 'viewer', { cloud_account_id: id, environment }))
