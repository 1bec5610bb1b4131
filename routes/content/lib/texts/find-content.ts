import { isDeepStrictEqual } from 'node:util'
import { createHash } from 'node:crypto'
import type { ContentBody, BrandReport, BriefBody, Channel, Network } from 'steward-prose-engine/schemas'
import type { KnownStatement } from 'steward-prose-engine/claims'
import slugify from '@sindresorhus/slugify'
import { listStyleRules } from '../../../../db/content/brands.js'
import { findBrief } from '../../../../db/content/briefs.js'
import {
  findContent, type ContentRow, isSlugTaken, isTextElsewhere, listAlike
} from '../../../../db/content/contents.js'
import { findLastOutput } from '../../../../db/content/generation-outputs.js'
import { listPublications } from '../../../../db/content/publications.js'
import { listStatements } from '../../../../db/content/statements.js'
import { listSuggestions } from '../../../../db/content/suggestions.js'
import { findVersion, listVersions, type VersionRow } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import type { Content, ContentSummary, ContentDiff } from '../../../../schemas/content/contents.js'
import { NotFound } from '../../../../schemas/errors.js'
import { brandOf, type KnownBrand } from '../brands/read-brand.js'
import { describePublication } from '../publish/describe-publication.js'
import { readText } from '../text/read-text.js'

const isChanged = ({ published_version: live, head_version: head }: ContentRow) => live !== null && live !== head

const summarize = (row: ContentRow): ContentSummary => ({ ...row, has_unpublished_changes: isChanged(row) })

type LastOutput = Awaited<ReturnType<typeof findLastOutput>>

export interface Beside { generation: LastOutput, suggestions: Content['suggestions'] }

/** @returns the record with one of its versions, its last generation and its suggestions */
const describeContent = (row: ContentRow, version: VersionRow, { generation, suggestions }: Beside):
Content => ({
  ...summarize(row),
  version: version.version,
  ...version.body,
  checks: version.checks,
  generation: generation ?? null,
  suggestions
})

/** @throws not_found for a record that is deleted, not there, or not the workspace's */
export const requireContent = async (db: Db, workspaceId: string, id: string): Promise<ContentRow> => {
  const row = await findContent(db, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws not_found */
export const requireVersion = async (db: Db, workspaceId: string, id: string, version: number): Promise<VersionRow> => {
  const found = await findVersion(db, workspaceId, id, version)
  if (!found) throw NotFound(`The record has no version ${version}`)
  return found
}

/** @param version default: the newest. @throws not_found */
export const readContent = async (db: Db, workspaceId: string, id: string, version?: number): Promise<Content> => {
  const row = await requireContent(db, workspaceId, id)
  const shown = await requireVersion(db, workspaceId, id, version ?? row.head_version)
  const generation = await findLastOutput(db, workspaceId, id)
  return describeContent(row, shown, { generation, suggestions: await listSuggestions(db, workspaceId, id) })
}

const maxVersions = 30

/** @returns the included parts of a record: its versions, its publications */
export const readBeside = async (db: Db, workspaceId: string, id: string, include: readonly string[]):
Promise<Pick<Content, 'versions' | 'publications'>> => ({
  ...(include.includes('versions') && { versions: await listVersions(db, workspaceId, id, undefined, maxVersions) }),
  ...(include.includes('publications') &&
    { publications: (await listPublications(db, workspaceId, id)).map(describePublication) })
})

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

export interface Slot {
  id?: string
  project_id: string
  brief_id: string | null
  channel: Channel
  network: Network | null
  locale: string
}

/** @returns a hash of the text that readers see: without waivers, citations and slug */
export const hashOf = ({ waivers, citations, slug, ...text }: ContentBody): string =>
  createHash('sha256').update(JSON.stringify(text)).digest('base64url')

/** @returns what of a record was judged, and what a person has accepted */
export const listStated = async (db: Db, workspaceId: string, id: string): Promise<KnownStatement[]> =>
  (await listStatements(db, workspaceId, id)).map(({ accepted_by: by, ...one }) => ({ ...one, isAccepted: by !== null }))

/** What a version stores of its check, and the brand that it was checked by. */
export interface Checked { checks: BrandReport, content_hash: string, sketch: number[], brand: KnownBrand }

export const briefBody = async (db: Db, workspaceId: string, id: string | null): Promise<BriefBody | null> =>
  id === null ? null : (await findBrief(db, workspaceId, id))?.body ?? null

/** @returns the day in UTC, as sources are dated */
const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Checks a text as it would stand in its slot.
 * @param unsaved the brief, where it is not stored yet
 * @throws text_too_complex, overloaded
 */
export const checkContent = async (db: Db, workspaceId: string, slot: Slot, body: ContentBody,
  unsaved?: BriefBody): Promise<Checked> => {
  const { id, project_id: project, brief_id: briefId, channel, network, locale } = slot
  const brand = await brandOf(db, workspaceId, project)
  const brief = unsaved ?? await briefBody(db, workspaceId, briefId)
  const content_hash = hashOf(body)
  const styles = await listStyleRules(db, workspaceId, project)
  const sketch = await readText('sketch', body, project)
  const alike = sketch.length === 0 ? [] : await listAlike(db, workspaceId, project, sketch, id)
  const others = {
    isCopy: await isTextElsewhere(db, workspaceId, project, content_hash, id),
    isSlugTaken: await isSlugTaken(db, workspaceId, slot, body.slug)
  }
  const stated = id === undefined ? [] : await listStated(db, workspaceId, id)
  const judged = { body, stated, channel, network, locale, brand: brand.settings, styles, brief, today: today(), ...others }
  return { checks: await readText('report', judged, alike, brand.version), content_hash, sketch, brand }
}

const maxLength = 96
const room = 4

/** @returns the facts that the newest version of a record rests on */
export const citationsOf = async (db: Db, workspaceId: string, id: string | undefined): Promise<ContentBody['citations']> => {
  if (id === undefined) return []
  const { head_version: head } = await requireContent(db, workspaceId, id)
  return (await requireVersion(db, workspaceId, id, head)).body.citations
}

/** @returns a slug of the title's words: latin letters, digits and hyphens */
export const slugOf = (title: string): string => {
  const slug = slugify(title, { decamelize: false }).slice(0, maxLength - room).replace(/(?<!-)-+$/, '')
  return slug === '' ? 'untitled' : slug
}

/** @returns the title's slug, with a number appended where it is taken */
export const freeSlug = async (db: Db, workspaceId: string, slot: Slot, title: string): Promise<string> => {
  const slug = slugOf(title)
  for (let number = 1; number < 100; number++) {
    const input = number === 1 ? slug : `${slug}-${number}`
    if (!await isSlugTaken(db, workspaceId, slot, input)) return input
  }
  return slug
}
