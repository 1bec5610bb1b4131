import { isDeepStrictEqual } from 'node:util'
import { diffLines, diffWordsWithSpace, type ChangeObject } from 'diff'
import type { Db } from '../../../db/index.js'
import type { ContentBody, ContentDiff } from '../../../schemas/content/contents.js'
import { demandContent, demandVersion } from './find-content.js'

const fields = ['title', 'slug', 'summary', 'fields', 'seo', 'media', 'waivers', 'citations'] as const
/** Texts that have little in common are told as one that went and one that came. */
const limits = { timeout: 500, maxEditLength: 20_000 }

const compare = (before: string, after: string, granularity: 'line' | 'word'): ContentDiff['body'] => {
  const parts = granularity === 'word'
    ? diffWordsWithSpace(before, after, limits)
    : diffLines(before, after, limits)
  if (!parts) return [{ op: 'delete', text: before }, { op: 'insert', text: after }]
  return parts.map(({ added, removed, value }: ChangeObject<string>) =>
    ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text: value }))
}

const changed = (before: ContentBody, after: ContentBody): ContentDiff['fields'] => fields
  .filter((field) => !isDeepStrictEqual(before[field], after[field]))
  .map((field) => ({ field, before: before[field], after: after[field] }))

/** @throws not_found for a version that is not there */
export const diffContent = async (db: Db, workspaceId: string, id: string,
  { from, to, granularity }: { from: number, to?: number, granularity: 'line' | 'word' }): Promise<ContentDiff> => {
  const row = await demandContent(db, workspaceId, id)
  const last = to ?? row.head_version
  const before = (await demandVersion(db, workspaceId, id, from)).body
  const after = (await demandVersion(db, workspaceId, id, last)).body
  const body = compare(before.body_markdown, after.body_markdown, granularity)
  return { from, to: last, fields: changed(before, after), body }
}
