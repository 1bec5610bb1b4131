import { listLiveGrants } from '../../../../db/agent/grants.js'
import { hasReadSince } from '../../../../db/agent/taint.js'
import { findGroupIds } from '../../../../lib/account/groups.js'
import { findPerson } from '../../../../lib/account/people.js'
import { hasRole } from '../../../../lib/security/principal.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import type { Target } from '../../../../schemas/agent/events.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { isCovered } from './grant-bounds.js'
import type { Asking } from './judge-plan.js'
import type { Deps } from '../run/run-state.js'

type Found = Awaited<ReturnType<typeof listLiveGrants>>[number]

interface Wanted { tool: Tool, plan: MadePlan, requirement: Requirement }

const isSameTarget = (a: Target, b: Target): boolean =>
  a.kind === b.kind && a.id === b.id && isSameJson(a.within ?? {}, b.within ?? {})

/** Whether one approval of this person is what is required; what is signed is signed each time. */
export const isMetBy = async (deps: Pick<Deps, 'db'>, workspaceId: string, userId: string, requestedBy: string,
  { approvals, groups, signed, exclude_requester: excludes }: Requirement): Promise<boolean> => {
  if (approvals > 1 || signed || (excludes && userId === requestedBy)) return false
  if (groups.length === 0) return true
  const own = new Set(await findGroupIds(deps.db, workspaceId, userId))
  return groups.some((id) => own.has(id))
}

const mayStillApprove = async ({ db }: Deps, workspaceId: string, userId: string, { access }: Tool) => {
  const person = await findPerson(db, workspaceId, userId)
  return person?.status === 'active' && (!access || hasRole(person, access.role))
}

const holds = async (deps: Deps, { actor, session_id: sessionId }: Asking, { tool, requirement }: Wanted,
  { user_id: userId, since }: Found): Promise<boolean> => {
  const { workspace_id: workspaceId } = actor
  return await isMetBy(deps, workspaceId, userId, actor.user_id, requirement) &&
    await mayStillApprove(deps, workspaceId, userId, tool) &&
    !await hasReadSince(deps.db, workspaceId, sessionId, since, deps.tools.foreign())
}

/**
 * @returns the grant under which a write may run again: of the same tool, on the same target, in the same conversation,
 * within the bounds of what its card displayed, by a person whose approval would still be enough. One of high risk has
 * none, and foreign text ends it
 */
export const findGrantFor = async (deps: Deps, asking: Asking, wanted: Wanted): Promise<Found | undefined> => {
  const { tool, plan } = wanted
  if (plan.risk === 'high') return undefined
  const live = await listLiveGrants(deps.db, asking.actor.workspace_id, asking.session_id, tool.name)
  for (const grant of live) {
    if (!isSameTarget(grant.target, plan.target) || !isCovered(grant.bounds, plan)) continue
    if (await holds(deps, asking, wanted, grant)) return grant
  }
  return undefined
}
