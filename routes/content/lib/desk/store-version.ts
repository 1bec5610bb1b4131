import { addVersion, type ContentRow, type NewVersion } from '../../../../db/content/contents.js'
import { listAllThreads, moveAnchor, type ThreadRow } from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import { readText } from '../text/read-text.js'
import type { Anchor, Followed } from 'steward-prose-engine/revision'
import { anchorOf } from './describe-thread.js'

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
