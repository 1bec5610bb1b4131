import { sql } from 'kysely'
import type { External } from '../../schemas/content/publications.js'
import { clock, now } from '../clock.js'
import { excluded, next } from '../columns.js'
import type { Db } from '../index.js'
import type { PublicationRow } from './publications.js'

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
