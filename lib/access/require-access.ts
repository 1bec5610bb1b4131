import { findAccount } from '../../db/cloud/accounts.js'
import type { Db } from '../../db/index.js'
import type { Role } from '../../db/types.js'
import type { Bound } from '../../schemas/account/bindings.js'
import { ranks } from '../../schemas/account/users.js'
import { InsufficientRole, type ApiError, type ErrorDefinition } from '../../schemas/errors.js'
import { roleNeeded, type Principal } from '../security/principal.js'
import type { Risk, Target } from '../tools/options.js'

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
const roleOn = ({ role, bindings }: Holder, resource: Resource): Role =>
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

/** @returns what of a plan's target bindings can cover */
export const resourceOf = ({ kind, id, within = {} }: Pick<Target, 'kind' | 'id' | 'within'>): Resource => ({
  project_id: kind === 'project' ? id : within.project,
  cloud_account_id: kind === 'cloud_account' ? id : within.cloud_account,
  environment: within.environment
})

/** @returns whether the person may ask for a write on the target: whoever approves it decides whether it is done */
export const mayPropose = (holder: Holder, target: Target): boolean =>
  hasRoleOn(holder, 'operator', resourceOf(target))

/**
 * Who decides a question needs the role approver on its target; operator for what is of low risk.
 * @param question target null: it is about nothing but the conversation, so the role in the workspace counts
 */
export const mayApprove = (holder: Holder, { target, risk }: { target: Target | null, risk: Risk }): boolean =>
  hasRoleOn(holder, risk === 'low' ? 'operator' : 'approver', target === null ? {} : resourceOf(target))

/** Bindings are on the ids of projects themselves: which there are, the routes say. */
export const findProjectResource = async (_db: Db, _workspaceId: string, id: string): Promise<Resource> =>
  ({ project_id: id })

/** @returns what bindings can cover of a cloud account: itself, and its environment as it is now */
export const findAccountResource = async (db: Db, workspaceId: string, id: string): Promise<Resource | undefined> => {
  const account = await findAccount(db, workspaceId, id)
  return account && resourceOfAccount(account)
}

export const resourceOfAccount = ({ id, environment }: { id: string, environment: string | null }): Resource =>
  ({ cloud_account_id: id, environment })

const describe = ({ project_id: project, cloud_account_id: account }: Resource): string => {
  if (account) return `cloud account ${account}`
  return project ? `project ${project}` : 'the workspace'
}

const membersOf = ({ project_id: project, cloud_account_id: account, environment }: Resource) => ({
  ...(project && { project_id: project }),
  ...(account && { cloud_account_id: account }),
  ...(environment && { environment })
})

/** @returns the refusal of a person who sees the resource, and lacks the role on it */
export const lacksRole = (role: string, resource: Resource): ApiError =>
  InsufficientRole(`This needs the role ${role} on ${describe(resource)}`, { role, scope: membersOf(resource) })

/**
 * The role that the principal's request takes, on the resource that it touches.
 * @param missing what the route answers for a resource that is not there: to who may not see it, it is not
 * @throws missing, insufficient_role with the role and the scope
 */
export const requireAccess = (principal: Principal, resource: Resource, missing: ErrorDefinition): void => {
  const held = ranks[roleOn(principal, resource)]
  if (held < ranks.viewer) throw missing()
  const needed = roleNeeded(principal, principal.needs ?? 'viewer')
  if (held < ranks[needed]) throw lacksRole(needed, resource)
}
