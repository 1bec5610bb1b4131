import { isDeepStrictEqual } from 'node:util'
import { findBrief } from '../../../../db/content/briefs.js'
import { insertContent, isDuplicateSlug, lockContent } from '../../../../db/content/contents.js'
import { insertRepairs } from '../../../../db/content/suggestions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { type ContentBody } from 'steward-prose-engine/schemas'
import {
  readOnlyFields, type Content, type CreateContent, type Origin, type ReplaceContent
} from '../../../../schemas/content/contents.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { checkContent, type Slot, readContent, requireVersion, freeSlug } from './find-content.js'
import { storeVersion } from '../desk/undo-repair.js'
import {
  ContentArchived, LocaleNotEnabled, SlugTaken, requireOpenProject, invalid, requireNoReadOnly
} from '../errors.js'
import { brandOf } from '../brands/read-brand.js'
import type { Repaired } from 'steward-prose-engine/revision'

export const mapDuplicateSlug = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isDuplicateSlug(error) ? SlugTaken() : error
  }
}

const requireNetwork = ({ channel, network }: Pick<Slot, 'channel' | 'network'>) => {
  if (channel === 'social' && network === null) throw invalid('/network', 'required', 'is needed by channel social')
  if (channel !== 'social' && network !== null) throw invalid('/network', 'unused', 'is only for channel social')
}

/** @throws not_found, project_archived, locale_not_enabled, invalid_request */
export const resolveSlot = async (db: Db, workspaceId: string, input: Pick<CreateContent,
'project_id' | 'brief_id' | 'channel' | 'network' | 'locale'>): Promise<Slot> => {
  const { project_id, brief_id = null, channel, network = null } = input
  requireNetwork({ channel, network })
  await requireOpenProject(db, workspaceId, project_id)
  const { settings } = await brandOf(db, workspaceId, project_id)
  const locale = input.locale ?? settings.locales.default
  if (!settings.locales.enabled.includes(locale)) throw LocaleNotEnabled(`${locale} is not enabled`)
  const brief = brief_id === null ? undefined : await findBrief(db, workspaceId, brief_id)
  if (brief_id !== null && brief?.project_id !== project_id) {
    throw invalid('/brief_id', 'unknown', 'is no brief of the project')
  }
  return { project_id, brief_id, channel, network, locale }
}

/** @returns the body, with its fields in the order in which bodies are stored */
export const bodyOf = (input: ReplaceContent, slug: string, citations: ContentBody['citations']): ContentBody => ({
  title: input.title,
  slug,
  summary: input.summary,
  body_markdown: input.body_markdown,
  fields: input.fields,
  seo: input.seo,
  media: input.media,
  waivers: input.waivers,
  citations
})

/** Writes a record by hand, a draft. @throws as resolveSlot, and slug_taken */
export const createContent = async (db: Db, principal: Principal, input: CreateContent): Promise<Content> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const slot = await resolveSlot(db, workspaceId, input)
  const { project_id, translation_of: source = null } = input
  const original = source === null ? null : await readContent(db, workspaceId, source)
  if (original && original.project_id !== project_id) throw NotFound()
  const body = bodyOf(input, input.slug ?? await freeSlug(db, workspaceId, slot, input.title), [])
  const { brand, ...judged } = await checkContent(db, workspaceId, slot, body)
  const record = {
    ...slot,
    translation_of: source,
    translated_version: original?.head_version ?? null,
    engine: 'human' as const,
    created_by: userId
  }
  const first = { body, ...judged, origin: 'edited' as const, author: userId }
  const id = await mapDuplicateSlug(db.transaction().execute((trx) => insertContent(trx, workspaceId, record, first)))
  return readContent(db, workspaceId, id)
}

export interface Edited extends Slot { id: string, revision: number }

/** `repairs` are the changes of an edit by rules. */
export interface Edit { body: ContentBody, origin: Origin, author: string, repairs?: readonly Repaired[] }

/** Adds a version, unless the text is unchanged. @throws stale_revision after a concurrent edit */
export const edit = async (db: Db, workspaceId: string, row: Edited, { body, origin, author, repairs = [] }: Edit):
Promise<void> => {
  const { brand, ...judged } = await checkContent(db, workspaceId, row, body)
  await mapDuplicateSlug(db.transaction().execute(async (trx) => {
    const now = await lockContent(trx, workspaceId, row.id)
    if (now?.revision !== row.revision) throw explainMiss(now)
    if (now.status === 'archived') throw ContentArchived('Restore it before it is edited')
    const head = await requireVersion(trx, workspaceId, row.id, now.head_version)
    if (isDeepStrictEqual(head.body, JSON.parse(JSON.stringify(body)))) return
    await storeVersion(trx, workspaceId, now, head.body, { body, origin, author, ...judged })
    const of = { content_id: row.id, version: now.head_version + 1, created_by: author }
    await insertRepairs(trx, workspaceId, of, repairs)
  }))
}

/** @throws not_found, stale_revision, read_only_field, content_archived, slug_taken */
export const replaceContent = async (db: Db, principal: Principal, id: string, input: ReplaceContent,
  revisions?: number[]): Promise<Content> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  const before = await readContent(db, workspaceId, id)
  if (revisions && !revisions.includes(before.revision)) throw explainMiss(before)
  requireNoReadOnly(input, before, readOnlyFields)
  const body = bodyOf(input, input.slug ?? before.slug, before.citations)
  await edit(db, workspaceId, before, { body, origin: 'edited', author })
  return readContent(db, workspaceId, id)
}

/** Makes an earlier version the newest one, as a draft; nothing is published. */
export const restoreVersion = async (db: Db, principal: Principal, id: string, version: number, revisions?: number[]):
Promise<Content> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  const before = await readContent(db, workspaceId, id)
  if (revisions && !revisions.includes(before.revision)) throw explainMiss(before)
  const { body } = await requireVersion(db, workspaceId, id, version)
  await edit(db, workspaceId, before, { body, origin: 'restored', author })
  return readContent(db, workspaceId, id)
}
