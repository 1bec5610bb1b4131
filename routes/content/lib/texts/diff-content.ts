import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/index.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import type { ContentDiff } from '../../../../schemas/content/contents.js'
import { requireContent, requireVersion } from './find-content.js'
import { readText } from '../text/read-text.js'

const fields = ['title', 'slug', 'summary', 'fields', 'seo', 'media', 'waivers', 'citations'] as const
/** @returns what differs beside the body */
export const changedFields = (before: ContentBody, after: ContentBody): ContentDiff['fields'] => fields
  .filter((field) => !isDeepStrictEqual(before[field], after[field]))
  .map((field) => ({ field, before: before[field], after: after[field] }))

/** @throws not_found for a version that is not there */
export const diffContent = async (db: Db, workspaceId: string, id: string,
  { from, to, granularity }: { from: number, to?: number, granularity: 'line' | 'word' }): Promise<ContentDiff> => {
  const row = await requireContent(db, workspaceId, id)
  const last = to ?? row.head_version
  const before = (await requireVersion(db, workspaceId, id, from)).body
  const after = (await requireVersion(db, workspaceId, id, last)).body
  const body = await readText('compareTexts', before.body_markdown, after.body_markdown, granularity)
  return { from, to: last, fields: changedFields(before, after), body }
}
