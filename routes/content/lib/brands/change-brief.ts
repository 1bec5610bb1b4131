import { findBrief, insertBrief, moveBrief, updateBrief, type BriefRow } from '../../../../db/content/briefs.js'
import type { Db } from '../../../../db/index.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import type { BriefBody } from 'steward-prose-engine/schemas'
import type { Brief, BriefStatus, CreateBrief, ReplaceBrief } from '../../../../schemas/content/briefs.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { BriefState, requireOpenProject, invalid, requireNoReadOnly } from '../errors.js'

export const describeBrief = ({ body, ...row }: BriefRow): Brief => ({ ...row, ...body })

/** Points name facts by id; posts need a network. @throws invalid_request with a pointer */
export const requireValidBrief = (body: BriefBody, at = ''): void => {
  const ids = body.facts.map(({ id }) => id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice >= 0) throw invalid(`${at}/facts/${twice}/id`, 'unique', 'is there twice')
  body.points.forEach(({ fact_ids: named }, index) => named.forEach((id, position) => {
    const pointer = `${at}/points/${index}/fact_ids/${position}`
    if (!ids.includes(id)) throw invalid(pointer, 'unknown', 'is no fact of the brief')
  }))
  body.channels.forEach(({ channel, network }, index) => {
    const pointer = `${at}/channels/${index}/network`
    if (channel === 'social' && network === undefined) throw invalid(pointer, 'required', 'is needed by channel social')
    if (channel !== 'social' && network !== undefined) throw invalid(pointer, 'unused', 'is only for channel social')
  })
}

/** @throws not_found */
export const readBrief = async (db: Db, workspaceId: string, id: string): Promise<Brief> => {
  const row = await findBrief(db, workspaceId, id)
  if (!row) throw NotFound()
  return describeBrief(row)
}

export const createBrief = async (db: Db, principal: Principal, { project_id: project, ...body }: CreateBrief):
Promise<Brief> => {
  requireValidBrief(body)
  await requireOpenProject(db, principal.workspace_id, project)
  return describeBrief(await insertBrief(db, principal.workspace_id, principal.user_id, project, body))
}

const readOnly = ['id', 'project_id', 'status', 'revision', 'created_by', 'created_at', 'updated_at'] as const

/** @throws read_only_field */
export const requireNoBriefReadOnly = (input: Partial<ReplaceBrief>, before: Brief): void =>
  requireNoReadOnly(input, { ...before }, readOnly)

/** @returns the writable fields of a brief as it was read */
export const writableBrief = <T extends Partial<ReplaceBrief>>(input: T): Omit<T, typeof readOnly[number]> => {
  const { id, project_id, status, revision, created_by, created_at, updated_at, ...body } = input
  return body
}

/** @throws not_found, stale_revision, read_only_field, brief_state for an archived one, invalid_request */
export const replaceBrief = async (db: Db, workspaceId: string, id: string, input: ReplaceBrief,
  revisions?: number[]): Promise<Brief> => {
  const before = await readBrief(db, workspaceId, id)
  if (revisions && !revisions.includes(before.revision)) throw explainMiss(before)
  requireNoBriefReadOnly(input, before)
  const body = writableBrief(input)
  requireValidBrief(body)
  if (before.status === 'archived') throw BriefState('An archived brief is not edited; bring it back first')
  const row = await updateBrief(db, workspaceId, id, body, revisions)
  if (!row) throw explainMiss(await readBrief(db, workspaceId, id))
  return describeBrief(row)
}

const into: Record<BriefStatus, BriefStatus[]> = {
  draft: ['ready', 'archived'],
  ready: ['draft', 'archived'],
  in_use: ['draft', 'ready', 'done'],
  done: ['in_use', 'ready'],
  archived: ['draft', 'ready', 'in_use', 'done']
}

/** @throws brief_state */
export const requireBriefMove = (from: BriefStatus, to: BriefStatus): void => {
  if (from !== to && !into[to].includes(from)) throw BriefState(`It is ${from}, and cannot become ${to}`)
}

/**
 * A brief that is in the state already stays as it is. Members archive and restore their own briefs, admins any.
 * @throws not_found, not_owner, brief_state, stale_revision
 */
export const transitionBrief = async (db: Db, principal: Principal, id: string, to: BriefStatus,
  revisions?: number[]): Promise<Brief> => {
  const { workspace_id: workspaceId } = principal
  const before = await readBrief(db, workspaceId, id)
  if (before.status === to && !revisions) return before
  if (to === 'archived' || before.status === 'archived') requireOwner(principal, before)
  const row = await moveBrief(db, workspaceId, id, into[to], to, revisions)
  if (row) return describeBrief(row)
  const now = await readBrief(db, workspaceId, id)
  if (revisions && !revisions.includes(now.revision)) throw explainMiss(now)
  requireBriefMove(now.status, to)
  return now
}
