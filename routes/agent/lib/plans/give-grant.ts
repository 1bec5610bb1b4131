import { findApproved } from '../../../../db/agent/confirmations.js'
import { countUses, endGrant, findGrant, insertGrant, type GrantRow } from '../../../../db/agent/grants.js'
import { hasReadSince } from '../../../../db/agent/taint.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { GiveGrant, Grant } from '../../../../schemas/agent/grants.js'
import { ordinaryRequirement } from '../../../../schemas/agent/requirements.js'
import { ConfirmationNotFound, GrantNotFound, GrantRefused } from '../errors.js'
import { isMetBy } from './find-grant.js'
import { toBounds } from './grant-bounds.js'
import type { Deps } from '../run/run-state.js'

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
