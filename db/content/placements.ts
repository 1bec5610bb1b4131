import { sql } from 'kysely'
import type { External } from '../../schemas/content/publications.js'
import { clock, now } from '../clock.js'
import { excluded, next, sumOf, anyOf, type OfProjects, type Slice } from '../columns.js'
import type { Db } from '../index.js'
import type { PublicationRow } from './publications.js'
import type { ContentImageTable } from './tables.js'

export type NewImage = Pick<ContentImageTable, 'workspace_id' | 'id' | 'project_id' | 'hash' | 'media_type' | 'width' |
  'height' | 'size' | 'data' | 'object_key' | 'created_by'>

const shown = ['id', 'project_id', 'media_type', 'width', 'height', 'size', 'created_at'] as const

const isPublic = (workspaceId: string) => sql<boolean>`exists (select from content_image_use p
  where p.workspace_id = ${workspaceId} and p.image_id = content_image.id)`

const images = (db: Db, workspaceId: string) => db.selectFrom('content_image').where('workspace_id', '=', workspaceId)

const described = (db: Db, workspaceId: string) =>
  images(db, workspaceId).select(shown).select(isPublic(workspaceId).as('is_public'))

/** @returns the image of the project with these bytes, and whether it is the new one */
export const insertImage = async (db: Db, image: NewImage) => {
  const { workspace_id: workspaceId, project_id: projectId, hash } = image
  const made = await db.insertInto('content_image').values(image)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'project_id', 'hash']).doNothing())
    .returning('id').executeTakeFirst()
  const row = await described(db, workspaceId).where('project_id', '=', projectId).where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return { row, isNew: made !== undefined }
}

export type ImageRow = Awaited<ReturnType<typeof insertImage>>['row']

/** @returns images of a project or of those that the person sees, newest first */
export const listImages = (db: Db, workspaceId: string, { project_id: projectId, projects }:
OfProjects & { project_id?: string | undefined }, { before, limit }: Slice): Promise<ImageRow[]> => {
  let query = described(db, workspaceId)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  if (projects !== undefined) query = query.where(sql<boolean>`project_id = any(${projects}::uuid[])`)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** @returns an image with its bytes or where they are, and whether strangers may see it */
export const findImage = (db: Db, workspaceId: string, id: string) => images(db, workspaceId)
  .select(['workspace_id', 'id', 'project_id', 'media_type', 'width', 'height', 'size', 'data', 'object_key', 'hash'])
  .select(isPublic(workspaceId).as('is_public')).where('id', '=', id).executeTakeFirst()

export type StoredImage = NonNullable<Awaited<ReturnType<typeof findImage>>>

/** @returns what an image belongs to */
export const findImageResource = (db: Db, workspaceId: string, id: string) =>
  images(db, workspaceId).select('project_id').where('id', '=', id).executeTakeFirst()

/** @returns those of the ids that are images of the project, with what a target must know of them */
export const listKnownImages = (db: Db, workspaceId: string, projectId: string, ids: readonly string[]) =>
  images(db, workspaceId).select(['id', 'size', 'media_type', 'width', 'height']).where('project_id', '=', projectId)
    .where('id', '=', anyOf(ids)).execute()

/** @returns bytes of all images of a workspace that are in the database */
export const sumImages = async (db: Db, workspaceId: string): Promise<number> =>
  (await images(db, workspaceId).select(sumOf('size').as('size')).where('object_key', 'is', null)
    .executeTakeFirstOrThrow()).size

/** @returns the versions of records that name an image, deleted ones too, which may be restored; newest first */
export const listImageUses = (db: Db, workspaceId: string, id: string, limit: number) =>
  db.selectFrom('content_version as v')
    .innerJoin('content as c', (join) => join.onRef('c.workspace_id', '=', 'v.workspace_id')
      .onRef('c.id', '=', 'v.content_id'))
    .select(['v.content_id', 'c.title', 'v.version', sql<boolean>`c.deleted_at is not null`.as('deleted')])
    .where('v.workspace_id', '=', workspaceId)
    .where(sql<boolean>`position(${`/content/images/${id}`} in v.body::text) > 0`)
    .orderBy('v.content_id', 'desc').orderBy('v.version', 'desc').limit(limit).execute()

/** Holds an image until the transaction ends. @returns undefined where there is none */
export const lockImage = (db: Db, workspaceId: string, id: string) =>
  images(db, workspaceId).select(['id', 'object_key']).where('id', '=', id).forUpdate().executeTakeFirst()

export const deleteImage = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('content_image').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** A version that is sent to a target. */
export interface ImageUse { content_id: string, target_id: string, version: number }

/** From now on anybody may see those of the ids that are of the project. */
export const useImages = async (db: Db, workspaceId: string, projectId: string, ids: readonly string[],
  { content_id: contentId, target_id: targetId, version }: ImageUse): Promise<void> => {
  await db.insertInto('content_image_use').columns(['workspace_id', 'image_id', 'content_id', 'target_id', 'version'])
    .expression(images(db, workspaceId)
      .select(['workspace_id', 'id', sql`${contentId}::uuid`.as('content_id'), sql`${targetId}::uuid`.as('target_id'),
        sql`${version}::integer`.as('version')])
      .where('project_id', '=', projectId).where('id', '=', anyOf(ids)))
    .onConflict((conflict) => conflict.doNothing()).execute()
  await db.updateTable('content_image').set({ public_since: clock })
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId).where('id', '=', anyOf(ids))
    .where('public_since', 'is', null).execute()
}

/** Takes away the uses of a record at a target, but for that of the version that is live there. */
export const releaseImages = async (db: Db, workspaceId: string, { content_id: contentId, target_id: targetId }:
Omit<ImageUse, 'version'>): Promise<void> => {
  await db.deleteFrom('content_image_use').where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId).where('target_id', '=', targetId)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('content_placement as p').select('p.version')
      .where('p.workspace_id', '=', workspaceId)
      .whereRef('p.content_id', '=', 'content_image_use.content_id')
      .whereRef('p.target_id', '=', 'content_image_use.target_id')
      .whereRef('p.version', '=', 'content_image_use.version').where('p.live', '=', true)))).execute()
}

export const listPlacements = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_placement').select(['target_id', 'kind', 'version', 'publication_id', 'external', 'live'])
    .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId).execute()

export type PlacementRow = Awaited<ReturnType<typeof listPlacements>>[number]

/** Stores what a publication made live or took back; earlier publications may then be repeated. */
export const savePlacement = async (db: Db, row: PublicationRow, external: External | null): Promise<void> => {
  const { workspace_id, content_id, target_id, kind, version, id: publication_id } = row
  const live = row.action !== 'unpublish'
  const state = { version, publication_id, live, external: external && JSON.stringify(external) }
  await db.insertInto('content_placement')
    .values({ workspace_id, content_id, target_id, kind, ...state, updated_at: clock })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'content_id', 'target_id'])
      .doUpdateSet({ ...state, updated_at: excluded('updated_at') })).execute()
  await db.updateTable('content_publication').set({ retired_at: clock })
    .where('workspace_id', '=', workspace_id).where('content_id', '=', content_id).where('target_id', '=', target_id)
    .where('id', '<>', publication_id).where('state', 'in', ['succeeded', 'failed']).where('retired_at', 'is', null)
    .execute()
}

/** Computes what is published and scheduled of a record from its placements and publications. */
export const recompute = async (db: Db, workspaceId: string, contentId: string): Promise<void> => {
  const live = sql<number | null>`(select p.version from content_placement p where p.workspace_id = ${workspaceId}
    and p.content_id = ${contentId} and p.live order by p.updated_at desc limit 1)`
  const pending = sql<number | null>`(select q.version from content_publication q where q.workspace_id = ${workspaceId}
    and q.content_id = ${contentId} and q.action <> 'unpublish' and q.state in ('scheduled', 'queued', 'running',
    'retrying', 'unknown', 'awaiting_merge') order by q.next_attempt_at limit 1)`
  await db.updateTable('content')
    .set({ published_version: live, scheduled_version: pending, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', contentId).execute()
}

/** @returns the versions that a feed shows, newest first, without their texts */
export const listFeed = (db: Db, workspaceId: string, targetId: string, limit: number) =>
  db.selectFrom('content_placement as p')
    .innerJoin('content as c', (join) => join.onRef('c.workspace_id', '=', 'p.workspace_id')
      .onRef('c.id', '=', 'p.content_id'))
    .select(['p.content_id', 'c.channel', 'p.version', 'p.published_at', 'p.updated_at'])
    .where('p.workspace_id', '=', workspaceId).where('p.target_id', '=', targetId).where('p.live', '=', true)
    .orderBy('p.published_at', 'desc').limit(limit).execute()

export type FeedRow = Awaited<ReturnType<typeof listFeed>>[number]

/** @returns when an item of the feed was last added, changed or removed */
export const feedChangedAt = async (db: Db, workspaceId: string, targetId: string): Promise<Date> =>
  (await db.selectFrom('content_placement').select(sql<Date | null>`max(updated_at)`.as('at'))
    .where('workspace_id', '=', workspaceId).where('target_id', '=', targetId).executeTakeFirst())?.at ?? new Date(0)

/** @returns whether content is live at the target */
export const isTargetUsed = async (db: Db, workspaceId: string, targetId: string): Promise<boolean> =>
  await db.selectFrom('content_placement').select('content_id').where('workspace_id', '=', workspaceId)
    .where('target_id', '=', targetId).where('live', '=', true).limit(1).executeTakeFirst() !== undefined
