import type { Db } from '../../../../db/index.js'
import { brandOf } from '../read-brand.js'

export interface FeedTarget { workspaceId: string, projectId: string }

/** @returns the project's feed target; undefined when it has none that is enabled */
export const feedTarget = async (db: Db, { workspaceId, projectId }: FeedTarget) => {
  const { settings } = await brandOf(db, workspaceId, projectId)
  const target = settings.publish_targets.find(({ kind, enabled }) => kind === 'feed' && enabled)
  return target && { target, settings }
}

export const feedTypes = {
  xml: 'application/rss+xml; charset=utf-8', atom: 'application/atom+xml; charset=utf-8', json: 'application/feed+json'
} as const
export type FeedFormat = keyof typeof feedTypes
