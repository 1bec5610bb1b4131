import { Feed } from 'feed'
import type { FeedRow } from '../../../../db/content/placements.js'
import { findVersion } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import { toXmlText } from '../../../../lib/http/storable.js'
import { ApiError } from '../../../../schemas/errors.js'
import { TextTooComplex } from '../errors.js'
import { addressOf, escapeHtml, htmlOf, KeptTexts } from '../texts/html-of.js'
import type { DescribedFeed, FeedFormat } from './feed.js'

const keptChars = 8_000_000
/** Both caches never go stale: a version's HTML on a site never changes, and a feed's key has its ETag. */
const items = new KeptTexts(keptChars)
const feeds = new KeptTexts(keptChars)

/** @returns the text as HTML, or its summary when it is too complex to render */
const itemOf = (workspaceId: string, { content_id: id, channel, version }: FeedRow, body: ContentBody, site: string):
Promise<string> =>
  items.get(`${workspaceId} ${id} ${version} ${site}`, () =>
    htmlOf({ ...body, id, channel }, site).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === TextTooComplex.code) return `<p>${escapeHtml(body.summary)}</p>`
      throw error
    }))

const make = async (db: Db, described: DescribedFeed, format: FeedFormat): Promise<string> => {
  const { key, target, settings, rows, updated, origin } = described
  const site = target.config.site_url ?? origin
  const own = `${origin}/content/feeds/${key.projectId}`
  // Readers of RSS and Atom take titles and summaries for HTML, those of JSON Feed for text.
  const shown = format === 'json' ? toXmlText : (text: string) => escapeHtml(toXmlText(text))
  const name = toXmlText(target.config.title ?? (settings.name || target.name))
  const feed = new Feed({
    id: `urn:content-feed:${key.projectId}`,
    title: name,
    link: site,
    description: toXmlText(settings.description),
    author: { name, link: site },
    copyright: '',
    updated,
    generator: 'Steward',
    language: settings.locales.default,
    feedLinks: { rss: `${own}.xml`, json: `${own}.json`, atom: `${own}.atom` }
  })
  for (const row of rows) {
    const found = await findVersion(db, key.workspaceId, row.content_id, row.version)
    if (!found) continue
    const { title, summary } = found.body
    feed.addItem({
      id: `urn:content:${row.content_id}`,
      guid: `urn:content:${row.content_id}`,
      title: shown(title),
      link: addressOf(found.body, site) ?? site,
      description: shown(summary),
      content: toXmlText(await itemOf(key.workspaceId, row, found.body, site)),
      published: row.published_at,
      date: row.updated_at
    })
  }
  return { xml: () => feed.rss2(), atom: () => feed.atom1(), json: () => feed.json1() }[format]()
}

/** @returns the feed of the live content. The id of an item never changes. @throws overloaded */
export const renderFeed = (db: Db, described: DescribedFeed, format: FeedFormat): Promise<string> =>
  feeds.get(`${described.key.workspaceId} ${described.key.projectId} ${described.etag}`, () =>
    make(db, described, format))
