import { Feed } from 'feed'
import { feedChangedAt, listFeed } from '../../../../db/content/placements.js'
import type { Db } from '../../../../db/index.js'
import { NotFound } from '../../../../schemas/errors.js'
import { toHtml } from '../render.js'
import { feedTarget, type FeedFormat, type FeedPlace } from './feed.js'

const maxItems = 50

/** @returns what is live at the feed target. The id of an item never changes. @throws not_found */
export const renderFeed = async (db: Db, place: FeedPlace, format: FeedFormat, origin: string) => {
  const found = await feedTarget(db, place)
  if (!found) throw NotFound()
  const { target, settings } = found
  const rows = await listFeed(db, place.workspaceId, target.target_id, maxItems)
  const site = target.config.site_url ?? origin
  const own = `${origin}/content/feeds/${place.projectId}`
  const updated = await feedChangedAt(db, place.workspaceId, target.target_id)
  const feed = new Feed({
    id: `urn:content-feed:${place.projectId}`,
    title: target.config.title ?? (settings.name || target.name),
    link: site,
    description: settings.description,
    copyright: '',
    updated,
    generator: 'Steward',
    feedLinks: { json: `${own}.json`, atom: `${own}.atom` }
  })
  for (const { content_id: id, published_at, updated_at, body } of rows) {
    feed.addItem({
      id: `urn:content:${id}`,
      guid: `urn:content:${id}`,
      title: body.title,
      link: body.seo.canonical ?? `${site.replace(/\/$/, '')}/${body.slug}`,
      description: body.summary,
      content: toHtml(body.body_markdown),
      published: published_at,
      date: updated_at
    })
  }
  const text = { xml: () => feed.rss2(), atom: () => feed.atom1(), json: () => feed.json1() }[format]()
  return { text, updated }
}
