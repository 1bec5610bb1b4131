import { sql, type Updateable } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { BrandReport, Channel, ContentBody, Network } from 'steward-prose-engine/schemas'
import type { ContentEngine, ListContents, Origin } from '../../schemas/content/contents.js'
import { ago, daysAgo, now } from '../clock.js'
import { next, contains, type OfProjects, type Slice, json, number, object, time, word } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'
import { shaped } from '../shaped.js'
import { sweep } from '../workers.js'
import type { ContentTable } from './tables.js'

const columns = ['id', 'project_id', 'brief_id', 'group_id', 'variant', 'translation_of', 'translated_version',
  'channel', 'network', 'locale', 'title', 'slug', 'engine', 'head_version', 'revision', 'review_state', 'reviewer',
  'approved_version',
  'published_version', 'scheduled_version', 'score', 'verdict', 'status', 'created_by', 'created_at',
  'updated_at'] as const

/** Whether what readers see of a translation's source is another text than that of the version it corresponds to. */
const sourceChanged = (workspaceId: string) => sql<boolean>`coalesce((
  select h.content_hash is distinct from v.content_hash
  from content s
  join content_version h on h.workspace_id = ${workspaceId} and h.content_id = s.id and h.version = s.head_version
  left join content_version v on v.workspace_id = ${workspaceId} and v.content_id = s.id
    and v.version = content.translated_version
  where s.workspace_id = ${workspaceId} and s.id = content.translation_of and s.deleted_at is null), false)`

const rows = (db: Db, workspaceId: string) =>
  db.selectFrom('content').select(columns).select(sourceChanged(workspaceId).as('source_changed'))
    .where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null)

export const findContent = (db: Db, workspaceId: string, id: string) =>
  rows(db, workspaceId).where('id', '=', id).executeTakeFirst()

export type ContentRow = NonNullable<Awaited<ReturnType<typeof findContent>>>

/** Locks the row until the transaction ends. @returns it */
export const lockContent = (db: Db, workspaceId: string, id: string): Promise<ContentRow | undefined> =>
  rows(db, workspaceId).where('id', '=', id).forUpdate().executeTakeFirst()

export type ContentFilter = Omit<ListContents, 'limit' | 'cursor'> & OfProjects

/** As `ContentSummary` describes it. */
const summary = (workspaceId: string) => object({
  id: word('id'),
  project_id: word('project_id'),
  brief_id: json('brief_id'),
  group_id: word('group_id'),
  variant: number('variant'),
  translation_of: json('translation_of'),
  translated_version: json('translated_version'),
  channel: word('channel'),
  network: json('network'),
  locale: json('locale'),
  status: word('status'),
  review_state: word('review_state'),
  head_version: number('head_version'),
  reviewer: json('reviewer'),
  approved_version: json('approved_version'),
  published_version: json('published_version'),
  scheduled_version: json('scheduled_version'),
  has_unpublished_changes: sql`to_json(coalesce(published_version <> head_version, false))::text`,
  engine: word('engine'),
  score: number('score'),
  verdict: word('verdict'),
  source_changed: sql`to_json(${sourceChanged(workspaceId)})::text`,
  title: json('title'),
  slug: json('slug'),
  revision: number('revision'),
  created_by: word('created_by'),
  created_at: time('created_at'),
  updated_at: time('updated_at')
})

interface ContentSlice extends ContentFilter { workspaceId: string, before?: string | undefined, limit: number }

const readPage = shaped((db, given: ContentSlice) => {
  const { workspaceId, before, limit, q, status, projects, source_changed, ...exact } = given
  const isShown = status === undefined ? sql<boolean>`archived_at is null` : sql<boolean>`status = ${status}`
  let query = db.selectFrom('content').select(['id', summary(workspaceId).as('item')])
    .where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null).where(isShown)
  for (const name of ['project_id', 'brief_id', 'channel', 'locale', 'reviewer'] as const) {
    const value = exact[name]
    if (value !== undefined) query = query.where(name, '=', value)
  }
  if (projects !== undefined) query = query.where(sql<boolean>`project_id = any(${projects}::uuid[])`)
  if (source_changed !== undefined) {
    query = query.where('translation_of', 'is not', null).where(sourceChanged(workspaceId), '=', source_changed)
  }
  if (q !== undefined) query = query.where(contains('title', q))
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit)
})

/** @returns one page as JSON, newest first */
export const listContents = (db: Db, workspaceId: string, filter: ContentFilter, slice: Slice) =>
  readPage(db, { ...filter, ...slice, workspaceId })

export interface NewContent {
  project_id: string
  brief_id: string | null
  group_id?: string
  variant?: number
  translation_of: string | null
  translated_version: number | null
  channel: Channel
  network: Network | null
  locale: string
  engine: ContentEngine
  created_by: string
}

export interface NewVersion {
  body: ContentBody
  content_hash: string
  sketch: number[]
  origin: Origin
  checks: BrandReport
  author: string
}

const insertVersion = async (db: Db, workspaceId: string, contentId: string, version: number, made: NewVersion) => {
  const { body, checks, ...rest } = made
  await db.insertInto('content_version').values({
    ...rest,
    workspace_id: workspaceId,
    content_id: contentId,
    version,
    body: JSON.stringify(body),
    checks: JSON.stringify(checks),
    brand_version: checks.brand_version
  }).execute()
}

const shown = ({ body: { title, slug }, checks: { score, verdict } }: NewVersion) => ({ title, slug, score, verdict })

/** @returns whether an error means that another record has the slug in the same slot */
export const isDuplicateSlug = duplicateOf('content_slug')

/** Writes a record with its first version; in a transaction. @throws as isDuplicateSlug */
export const insertContent = async (db: Db, workspaceId: string, content: NewContent, first: NewVersion):
Promise<string> => {
  const id = uuid()
  await db.insertInto('content')
    .values({ group_id: id, ...content, ...shown(first), workspace_id: workspaceId, id }).execute()
  await insertVersion(db, workspaceId, id, 1, first)
  return id
}

type Change = Omit<Updateable<ContentTable>, 'workspace_id' | 'id'>

export const updateContent = async (db: Db, workspaceId: string, id: string, change: Change): Promise<void> => {
  await db.updateTable('content').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export const setArchived = async (db: Db, workspaceId: string, id: string, archived: boolean): Promise<void> => {
  await db.updateTable('content')
    .set({ archived_at: archived ? now : null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Adds the next version, a draft; in a transaction, under the record's lock. @throws as insertContent */
export const addVersion = async (db: Db, workspaceId: string, content: ContentRow, made: NewVersion): Promise<void> => {
  const version = content.head_version + 1
  await insertVersion(db, workspaceId, content.id, version, made)
  await updateContent(db, workspaceId, content.id, { head_version: version, review_state: 'draft', ...shown(made) })
}

/** @returns whether another record has the slug in this slot */
export const isSlugTaken = async (db: Db, workspaceId: string, slot: Pick<ContentRow,
'project_id' | 'channel' | 'network' | 'locale'> & { id?: string }, slug: string): Promise<boolean> =>
  await db.selectFrom('content').select('id').where('workspace_id', '=', workspaceId)
    .where('project_id', '=', slot.project_id).where('channel', '=', slot.channel)
    .where('network', slot.network === null ? 'is' : '=', slot.network).where('locale', '=', slot.locale)
    .where('slug', '=', slug).where('deleted_at', 'is', null)
    .$if(slot.id !== undefined, (query) => query.where('id', '<>', String(slot.id)))
    .limit(1).executeTakeFirst() !== undefined

/** @returns whether another record of the project has a version with this text */
export const isTextElsewhere = async (db: Db, workspaceId: string, projectId: string, hash: string, id?: string):
Promise<boolean> =>
  await db.selectFrom('content_version as v')
    .innerJoin('content as c', (join) =>
      join.onRef('c.workspace_id', '=', 'v.workspace_id').onRef('c.id', '=', 'v.content_id'))
    .select('c.id').where('v.workspace_id', '=', workspaceId).where('v.content_hash', '=', hash)
    .where('c.project_id', '=', projectId).where('c.deleted_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('c.id', '<>', String(id)))
    .limit(1).executeTakeFirst() !== undefined

/** @returns live versions of other records of the project whose sketch shares a number with this one, newest first */
export const listAlike = (db: Db, workspaceId: string, projectId: string, sketch: number[], id?: string) =>
  db.selectFrom('content_version as v')
    .innerJoin('content as c', (join) => join.onRef('c.workspace_id', '=', 'v.workspace_id')
      .onRef('c.id', '=', 'v.content_id').onRef('c.published_version', '=', 'v.version'))
    .select(['c.id', 'c.title', 'v.body']).where('v.workspace_id', '=', workspaceId)
    .where(sql<boolean>`v.sketch && ${sketch}::integer[]`)
    .where('c.project_id', '=', projectId).where('c.deleted_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('c.id', '<>', String(id)))
    .orderBy('c.id', 'desc').limit(10).execute()

/** Deletes a record softly; it can be restored for 30 days. */
export const setDeleted = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('content').set({ deleted_at: now, revision: next('revision') })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Purges records that were deleted more than 30 days ago, with their versions. @returns how many */
export const purgeDeleted = async (db: Db, limit: number): Promise<number> => {
  const { numDeletedRows } = await sweep(db, (reach) => db.deleteFrom('content')
    .where(({ refTuple, selectFrom }) => reach(sql`${refTuple('workspace_id', 'id')} in ${
      selectFrom('content').select(['workspace_id', 'id'])
        .where(reach(sql`deleted_at < ${ago('30 days')}`)).limit(limit)}`)).executeTakeFirst())
  return Number(numDeletedRows)
}

/** The same of one workspace, of those that were deleted more than so many days ago. @returns how many */
export const purgeDeletedOf = async (db: Db, workspaceId: string, days: number, limit: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('content').where('workspace_id', '=', workspaceId)
    .where('id', 'in', (eb) => eb.selectFrom('content').select('id').where('workspace_id', '=', workspaceId)
      .where('deleted_at', '<', daysAgo(days)).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** @returns a deleted record that can still be restored */
export const findDeleted = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content').select(['id', 'created_by']).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('deleted_at', '>', ago('30 days')).executeTakeFirst()

/** @returns whether there was a record to restore. @throws as isDuplicateSlug */
export const undelete = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('content')
    .set({ deleted_at: null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('deleted_at', '>', ago('30 days')).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns what a record belongs to, deleted or not */
export const findContentResource = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content').select('project_id').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()
