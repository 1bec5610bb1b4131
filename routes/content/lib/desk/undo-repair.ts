import type { ContentBody } from 'steward-prose-engine/schemas'
import { fieldText, withText, type Anchor, type Followed } from 'steward-prose-engine/revision'
import type { Slice } from '../../../../db/columns.js'
import { lockContent, addVersion, type ContentRow, type NewVersion } from '../../../../db/content/contents.js'
import { listRepairs, lockRepair, markUndone, type RepairRow } from '../../../../db/content/suggestions.js'
import { listAllThreads, moveAnchor, type ThreadRow } from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentRepair } from '../../../../schemas/content/comparisons.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ContentArchived } from '../errors.js'
import { readText } from '../text/read-text.js'
import { checkContent, readContent, requireVersion } from '../texts/find-content.js'
import { namesOf, RepairOverwritten, anchorOf } from './comment.js'

const followedOf = (row: ThreadRow): Followed => ({
  id: row.id,
  quote: { exact: row.exact, prefix: row.prefix, suffix: row.suffix },
  made: { field: row.field, start: row.start_at, end: row.end_at },
  last: anchorOf(row)
})

const isSame = (one: Anchor | null, other: Anchor | null): boolean =>
  one?.field === other?.field && one?.start === other?.start && one?.end === other?.end

/** Moves the comments of a record to where their passages are in the version after `before`. */
const followThreads = async (trx: Db, workspaceId: string, contentId: string, before: ContentBody,
  after: ContentBody): Promise<void> => {
  const rows = await listAllThreads(trx, workspaceId, contentId)
  if (rows.length === 0) return
  const found = await readText('followPassages', before, after, rows.map(followedOf))
  for (const [index, { id, anchor }] of found.entries()) {
    const row = rows[index]
    if (row && !isSame(anchorOf(row), anchor)) await moveAnchor(trx, workspaceId, id, anchor)
  }
}

/**
 * Adds the next version, a draft, with its comments; in a transaction, under the record's lock.
 * @param before the text of the newest version
 * @throws text_too_complex, overloaded, and as addVersion
 */
export const storeVersion = async (trx: Db, workspaceId: string, row: ContentRow, before: ContentBody,
  made: NewVersion): Promise<void> => {
  await addVersion(trx, workspaceId, row, made)
  await followThreads(trx, workspaceId, row.id, before, made.body)
}

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
