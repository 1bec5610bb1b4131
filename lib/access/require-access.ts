import { ranks } from '../../schemas/account/roles.js'
import { InsufficientRole, type ApiError, type ErrorDefinition } from '../../schemas/errors.js'
import { roleNeeded, type Principal } from '../security/principal.js'
import { roleOn, type Resource } from './role-on.js'

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
