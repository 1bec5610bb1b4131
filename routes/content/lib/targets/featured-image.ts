import { createHash } from 'node:crypto'
import { readImage } from 'steward-document-reader/media'
import type { Content } from '../../../../schemas/content/contents.js'
import { ownImage } from '../images/images.js'
import type { Deps } from './deps.js'
import { requireAnswer, type CallSite } from './site-client.js'
import { SiteRefused } from './site.js'

interface Media { id: number, slug: string }

const media = '/wp-json/wp/v2/media'
const maxBytes = 10 * 1_048_576

/** @throws SiteRefused image_unreadable, image_not_found; OutboundError */
const fetchImage = async (deps: Deps, workspaceId: string, url: string) => {
  const own = await ownImage(deps, workspaceId, url)
  const { status, body } = own ? { status: 200, body: own } : await deps.outbound.fetch({ url, maxBytes })
  if (status !== 200) throw new SiteRefused(status, false, 'image_not_found')
  const image = readImage(body)
  if (!image) throw new SiteRefused(status, false, 'image_unreadable')
  return { ...image, body }
}

/**
 * Puts the first image of a record into the site's library, once: its name there is the hash of its bytes.
 * @returns the field of the post; nothing where the record has no image
 * @throws SiteRefused, OutboundError
 */
export const featuredImage = async (deps: Deps, workspaceId: string, call: CallSite,
  { media: [first] }: Content): Promise<{ featured_media?: number }> => {
  if (!first) return {}
  const { mediaType, extension, body } = await fetchImage(deps, workspaceId, first.url)
  const slug = `steward-${createHash('sha256').update(body).digest('hex').slice(0, 24)}`
  const [known] = requireAnswer(await call('GET', `${media}?${new URLSearchParams({ slug })}`)) as Media[]
  if (known) return { featured_media: known.id }
  const query = new URLSearchParams({ slug, alt_text: first.alt, title: first.alt })
  const answer = await call('POST', `${media}?${query}`, body, {
    'content-type': mediaType, 'content-disposition': `attachment; filename="${slug}.${extension}"`
  })
  return { featured_media: (requireAnswer(answer) as Media).id }
}
