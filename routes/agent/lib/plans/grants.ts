import { findApproved } from '../../../../db/agent/confirmations.js'
import {
  countUses, endGrant, findGrant, insertGrant, type GrantRow, listLiveGrants
} from '../../../../db/agent/grants.js'
import { hasReadSince } from '../../../../db/agent/taint.js'
import { findGroupIds } from '../../../../lib/account/groups.js'
import { findPerson } from '../../../../lib/account/people.js'
import { type Principal, hasRole } from '../../../../lib/security/principal.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import { riskiest } from '../../../../lib/tools/risk.js'
import { isUnchanged } from '../../../../lib/tools/show-changes.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import type { PreviewRow, Target } from '../../../../schemas/agent/events.js'
import type { GiveGrant, Grant, ArgumentBound, GrantBounds } from '../../../../schemas/agent/grants.js'
import { ordinaryRequirement, type Requirement } from '../../../../schemas/agent/requirements.js'
import { ConfirmationNotFound, GrantNotFound, GrantRefused } from '../errors.js'
import type { Deps } from '../run/run-state.js'

/** Whose write it is, and in which conversation. */
export interface Asking {
  actor: Principal
  session_id: string
  run_id: string
  /** A trigger's run proposed it: not stored yet where it is asked. */
  triggered?: boolean
}

/** What a card displayed. */
type Displayed = Pick<MadePlan, 'arguments' | 'preview' | 'risk'>

const toBound = (name: string, value: unknown): ArgumentBound =>
  typeof value === 'number' ? { name, minimum: value, maximum: value } : { name, equals: value }

/** @returns the bounds of what a card displayed: these arguments, and these changes */
const toBounds = ({ arguments: args, preview, risk }: Displayed): GrantBounds => ({
  arguments: Object.entries(args).filter(([, value]) => value !== undefined)
    .map(([name, value]) => toBound(name, value)),
  changes: preview.map(({ shown: _, ...row }) => row),
  risk
})

const isWithin = ({ minimum, maximum, equals }: ArgumentBound, value: unknown): boolean =>
  minimum !== undefined && maximum !== undefined
    ? typeof value === 'number' && value >= minimum && value <= maximum
    : isSameJson(equals, value)

const fitArguments = (bounds: readonly ArgumentBound[], args: Arguments): boolean => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined)
  return given.length === bounds.length && given.every(([name, value]) =>
    bounds.some((bound) => bound.name === name && isWithin(bound, value)))
}

/** What is not displayed whole is not displayed: two values may differ in what was cut. */
const isDisplayed = (displayed: readonly PreviewRow[], row: PreviewRow): boolean =>
  row.truncated !== true && displayed.some(({ label, before, after, diff, truncated }) => truncated !== true &&
    isSameJson([label, before, after, diff ?? null], [row.label, row.before, row.after, row.diff ?? null]))

/** @returns whether a plan does no more than the grant's card displayed: the same arguments, no other change */
const isCovered = (bounds: GrantBounds | null, { arguments: args, preview, risk }: Displayed): boolean =>
  bounds !== null && riskiest([bounds.risk, risk]) === bounds.risk && fitArguments(bounds.arguments, args) &&
  preview.every((row) => isUnchanged(row) || isDisplayed(bounds.changes, row))

type Found = Awaited<ReturnType<typeof listLiveGrants>>[number]

interface Wanted { tool: Tool, plan: MadePlan, requirement: Requirement }

const isSameTarget = (a: Target, b: Target): boolean =>
  a.kind === b.kind && a.id === b.id && isSameJson(a.within ?? {}, b.within ?? {})

/** Whether one approval of this person is what is required; what is signed is signed each time. */
const isMetBy = async (deps: Pick<Deps, 'db'>, workspaceId: string, userId: string, requestedBy: string,
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

type Reader = Pick<Deps, 'db' | 'tools'>

/** @returns grants as they stand: what the conversations have read since may have ended them */
export const showGrants = async ({ db, tools }: Reader, workspaceId: string, rows: readonly GrantRow[]):
Promise<Grant[]> => {
  const uses = await countUses(db, workspaceId, rows)
  return Promise.all(rows.map(async ({ user_id: _, since, ...grant }) => {
    const tainted = await hasReadSince(db, workspaceId, grant.session_id, since, tools.foreign())
    return { ...grant, live: grant.live && !tainted, tainted, uses: uses.get(grant.id) ?? 0 }
  }))
}

type Approved = NonNullable<Awaited<ReturnType<typeof findApproved>>>

/** @returns why no grant can be given; undefined when one can */
const whyRefused = async (deps: Reader, workspaceId: string, userId: string, approved: Approved):
Promise<string | undefined> => {
  const { risk, kind, requested_by: requestedBy, is_recent: isRecent, session_id: sessionId } = approved
  const requirement = approved.requirement ?? ordinaryRequirement
  if (risk === 'high') return 'A write of high risk is approved each time'
  if (kind !== 'chat') return 'No conversation asked for it, so it is not asked for again in one'
  if (!isRecent) return 'It was approved more than ten minutes ago'
  if (!await isMetBy(deps, workspaceId, userId, requestedBy, requirement)) return 'One approval is not enough for it'
  const isTainted = await hasReadSince(deps.db, workspaceId, sessionId, approved.decided_at, deps.tools.foreign())
  return isTainted ? 'The conversation has read text from outside since' : undefined
}

/**
 * Lets the conversation repeat what an approved question displayed for some minutes: the same arguments on the same
 * target, and no other change. What a policy asks or forbids is judged at each use.
 * @throws confirmation_not_found for what the person has not approved, grant_refused
 */
export const giveGrant = async (deps: Deps, { workspace_id: workspaceId, user_id: userId }: Principal,
  { confirmation_id: id, minutes }: GiveGrant): Promise<Grant> => {
  const approved = await findApproved(deps.db, workspaceId, userId, id)
  if (!approved?.target || !approved.decided_at) throw ConfirmationNotFound()
  const reason = await whyRefused(deps, workspaceId, userId, approved)
  if (reason !== undefined) throw GrantRefused(reason)
  const { session_id, name: tool, target, summary, decided_at: since } = approved
  const bounds = toBounds(approved)
  const grantId = await deps.db.transaction().execute((trx) => insertGrant(trx, workspaceId,
    { user_id: userId, session_id, confirmation_id: id, tool, target, summary, bounds, since, minutes }))
  deps.policies.forget(workspaceId)
  return readGrant(deps, workspaceId, userId, grantId)
}

/** @throws grant_not_found */
export const readGrant = async (deps: Reader, workspaceId: string, userId: string, id: string): Promise<Grant> => {
  const row = await findGrant(deps.db, workspaceId, userId, id)
  const [grant] = row ? await showGrants(deps, workspaceId, [row]) : []
  if (!grant) throw GrantNotFound()
  return grant
}

/** Ends a grant; one that has ended stays as it is. @throws grant_not_found */
export const revokeGrant = async (deps: Reader, { workspace_id: workspaceId, user_id: userId }: Principal, id: string):
Promise<Grant> => {
  await endGrant(deps.db, workspaceId, userId, id)
  return readGrant(deps, workspaceId, userId, id)
}
