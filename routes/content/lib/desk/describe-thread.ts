import { listComments, type CommentRow, type ThreadRow } from '../../../../db/content/threads.js'
import type { Db } from '../../../../db/index.js'
import { listNames } from '../../../../lib/account/people.js'
import type { PersonName } from '../../../../schemas/account/person-name.js'
import type { ContentThread } from '../../../../schemas/content/comments.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import { type Anchor, fieldText } from 'steward-prose-engine/revision'

export type NameOf = (id: string) => PersonName

/** @returns the names of people; those who have left the workspace are without one */
export const namesOf = async (db: Db, workspaceId: string, ids: readonly (string | null)[]): Promise<NameOf> => {
  const known = [...new Set(ids)].filter((id) => id !== null)
  const names = known.length === 0 ? new Map<string, string>() : await listNames(db, workspaceId, known)
  return (id) => ({ id, name: names.get(id) ?? 'Somebody who has left' })
}

/** @returns where the passage is in the newest version; null = it is gone */
export const anchorOf = ({ anchor_field: field, anchor_start: start, anchor_end: end }: ThreadRow): Anchor | null =>
  field === null || start === null || end === null ? null : { field, start, end }

export interface Head { version: number, body: ContentBody }

const describe = (row: ThreadRow, comments: readonly CommentRow[], head: Head, nameOf: NameOf): ContentThread => {
  const anchor = anchorOf(row)
  const exact = anchor && (fieldText(head.body, anchor.field) ?? '').slice(anchor.start, anchor.end)
  return {
    id: row.id,
    content_id: row.content_id,
    status: row.resolved_at === null ? 'open' : 'resolved',
    version: row.version,
    field: row.field,
    quote: { type: 'TextQuoteSelector', exact: row.exact, prefix: row.prefix, suffix: row.suffix },
    position: { type: 'TextPositionSelector', start: row.start_at, end: row.end_at },
    passage: exact === null ? 'gone' : exact === row.exact ? 'same' : 'changed',
    anchor: anchor && { version: head.version, ...anchor, exact: exact ?? '' },
    comments: comments.map(({ thread_id: _, author, ...comment }) => ({ ...comment, author: nameOf(author) })),
    resolved_by: row.resolved_by === null ? null : nameOf(row.resolved_by),
    resolved_at: row.resolved_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at
  }
}

/** @returns the threads with their comments and the names of who wrote them */
export const describeThreads = async (db: Db, workspaceId: string, rows: readonly ThreadRow[], head: Head):
Promise<ContentThread[]> => {
  const comments = rows.length === 0 ? [] : await listComments(db, workspaceId, rows.map(({ id }) => id))
  const people = [...comments.map(({ author }) => author), ...rows.map(({ resolved_by: by }) => by)]
  const nameOf = await namesOf(db, workspaceId, people)
  return rows.map((row) => describe(row, comments.filter(({ thread_id: id }) => id === row.id), head, nameOf))
}
