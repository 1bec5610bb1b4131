import { createHash } from 'node:crypto'
import { feedChangedAt, listFeed, type FeedRow } from '../../../../db/content/placements.js'
import type { Db } from '../../../../db/index.js'
import { brandOf } from '../brands/read-brand.js'

export interface FeedKey { workspaceId: string, projectId: string }

/** @returns the project's feed target; undefined when it has none that is enabled */
export const feedTarget = async (db: Db, { workspaceId, projectId }: FeedKey) => {
  const { settings } = await brandOf(db, workspaceId, projectId)
  const target = settings.publish_targets.find(({ kind, enabled }) => kind === 'feed' && enabled)
  return target && { target, settings }
}

export const feedTypes = {
  xml: 'application/rss+xml; charset=utf-8', atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json'
} as const
export type FeedFormat = keyof typeof feedTypes

/** Goes up with every change of how feeds are rendered: readers then fetch them again. */
const rendererVersion = 4
const maxItems = 50

type Found = NonNullable<Awaited<ReturnType<typeof feedTarget>>>

/** The inputs of a feed, before it is rendered. */
export interface DescribedFeed extends Found {
  key: FeedKey
  origin: string
  rows: FeedRow[]
  updated: Date
  etag: string
}

/** @returns the versions that a feed shows, and the ETag, which needs no texts */
export const describeFeed = async (db: Db, key: FeedKey, { target, settings }: Found, format: FeedFormat,
  origin: string): Promise<DescribedFeed> => {
  const rows = await listFeed(db, key.workspaceId, target.target_id, maxItems)
  const updated = await feedChangedAt(db, key.workspaceId, target.target_id)
  const { name, description, locales } = settings
  const { name: targetName, config } = target
  const input = JSON.stringify([rendererVersion, format, origin, targetName, config, name, description, locales.default, updated, rows])
  const etag = `"${createHash('sha256').update(input).digest('base64url').slice(0, 22)}"`
  return { key, target, settings, origin, rows, updated, etag }
}
