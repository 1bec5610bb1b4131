import type { Actor } from '../../../../db/actor.js'
import { lacksRole } from '../../../../lib/access/require-access.js'
import { hasRoleOn, type Resource } from '../../../../lib/access/role-on.js'
import { hasScope, type Principal } from '../../../../lib/security/principal.js'
import type { UpdateApp } from '../../../../schemas/deployments/apps.js'
import { InsufficientScope } from '../../../../schemas/errors.js'
import { actorOf, currentPrincipal } from '../../../../lib/security/actor.js'
import type { Deps } from '../call-route.js'

/** The scopes of the routes that a build calls, to deploy and to read the outcome. */
const requiredScopes = ['deployments:write', 'infrastructure:read', 'infrastructure:write']

const decidingFields = ['source', 'target', 'image', 'auto_deploy'] as const

/** @returns whether the change decides what a push deploys, or where: whoever makes it is who deploys from then on */
export const decidesPushes = (change: UpdateApp): boolean => decidingFields.some((field) => change[field] !== undefined)

/**
 * A push deploys without an approval, as the person who set it up, who must have the right to deploy unasked: on the
 * account of the app, whoever has approved that it is set up.
 * @throws insufficient_role, insufficient_scope
 */
export const requireDeployRights = (principal: Principal, resource: Resource): void => {
  if (!hasRoleOn(principal, 'approver', resource)) throw lacksRole('approver', resource)
  const missing = requiredScopes.find((scope) => !hasScope(principal, scope))
  if (missing === undefined) return
  const detail = `auto_deploy deploys as who sets it up, and ${principal.name} lacks the scope ${missing} here`
  throw InsufficientScope(detail, { scope: missing })
}

/**
 * @param resource what the app is reached through
 * @param actor who set auto_deploy up, with the scopes of then; null = unknown
 * @returns the same, if they may still deploy
 * @throws insufficient_role, insufficient_scope
 */
export const pushActorOf = async (deps: Pick<Deps, 'db'>, workspaceId: string, resource: Resource,
  actor: Actor | null): Promise<Actor> => {
  if (!actor) throw InsufficientScope('It is not known with whose rights pushes are built: set auto_deploy again')
  const principal = await currentPrincipal(deps, workspaceId, actor)
  requireDeployRights(principal, resource)
  return actorOf(principal)
}
