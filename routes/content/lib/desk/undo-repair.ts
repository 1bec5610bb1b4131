import { lockContent } from '../../../../db/content/contents.js'
import { listRepairs, lockRepair, markUndone, type RepairRow } from '../../../../db/content/repairs.js'
import type { Slice } from '../../../../db/filters.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import type { Content } from '../../../../schemas/content/contents.js'
import type { ContentRepair } from '../../../../schemas/content/repairs.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { checkContent } from '../texts/check-content.js'
import { ContentArchived } from '../errors.js'
import { readContent, requireVersion } from '../texts/find-content.js'
import { fieldText, withText } from 'steward-prose-engine/revision'
import { readText } from '../text/read-text.js'
import { namesOf } from './describe-thread.js'
import { RepairOverwritten } from './errors.js'
import { storeVersion } from './store-version.js'

/** @returns the repairs of a record, the newest first */
export const listRepairsOf = async (db: Db, workspaceId: string, id: string, slice: Slice):
Promise<ContentRepair[]> => {
  const rows = await listRepairs(db, workspaceId, id, slice)
  const nameOf = await namesOf(db, workspaceId, rows.flatMap((row) => [row.created_by, row.undone_by]))
  return rows.map(({ start_at: start, end_at: end, created_by: by, undone_by: undoneBy, ...row }) => (
    { ...row, start, end, created_by: nameOf(by), undone_by: undoneBy === null ? null : nameOf(undoneBy) }
  ))
}

/** @returns the newest text with what stood there before the repair. @throws repair_overwritten */
const withoutRepair = async (made: ContentBody, head: ContentBody, repair: RepairRow): Promise<ContentBody> => {
  const { field, before, after, start_at: start, end_at: end } = repair
  const text = fieldText(head, field) ?? ''
  const found = await readText('followExactly', fieldText(made, field) ?? '', text, { start, end })
  if (!found || text.slice(found.start, found.end) !== after) throw RepairOverwritten()
  return withText(head, field, text.slice(0, found.start) + before + text.slice(found.end))
}

const undo = async (trx: Db, { workspace_id: workspaceId, user_id: author }: Principal, id: string, repairId: string,
  revisions?: number[]): Promise<void> => {
  const row = await lockContent(trx, workspaceId, id)
  const repair = await lockRepair(trx, workspaceId, id, repairId)
  if (!row || !repair) throw NotFound()
  if (repair.undone_version !== null) return
  if (revisions && !revisions.includes(row.revision)) throw explainMiss(row)
  if (row.status === 'archived') throw ContentArchived('Restore it before it is edited')
  const { body: made } = await requireVersion(trx, workspaceId, id, repair.version)
  const { body: head } = await requireVersion(trx, workspaceId, id, row.head_version)
  const body = await withoutRepair(made, head, repair)
  const { brand, ...judged } = await checkContent(trx, workspaceId, row, body)
  await storeVersion(trx, workspaceId, row, head, { body, origin: 'edited', author, ...judged })
  await markUndone(trx, workspaceId, repairId, row.head_version + 1, author)
}

/**
 * Takes one repair back, in the text as it is by now; the finding is open again. The same repair again = the same
 * answer.
 * @throws not_found, stale_revision, content_archived, repair_overwritten
 */
export const undoRepair = async (db: Db, principal: Principal, id: string, repairId: string, revisions?: number[]):
Promise<Content> => {
  await db.transaction().execute((trx) => undo(trx, principal, id, repairId, revisions))
  return readContent(db, principal.workspace_id, id)
}
