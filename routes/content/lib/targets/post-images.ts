import { readImage, type ImageFacts } from 'steward-document-reader/media'
import type { Content } from '../../../../schemas/content/contents.js'
import { ownImage } from '../images/images.js'
import type { Deps } from './deps.js'
import { SiteRefused } from './site.js'

/** What a network takes with a post, and the longest text of an image in characters. */
export const imageLimits = {
  mastodon: { images: 4, bytes: 16_000_000, alt: 1_500 },
  bluesky: { images: 4, bytes: 2_000_000, alt: 10_000 }
} as const
export type ImageNetwork = keyof typeof imageLimits

const maxBytes = 16_000_000

export interface PostImage extends ImageFacts { body: Buffer, alt: string }

const fetchOne = async (deps: Deps, workspaceId: string, { url, alt }: Content['media'][number]):
Promise<PostImage> => {
  const own = await ownImage(deps, workspaceId, url)
  const { status, body } = own ? { status: 200, body: own } : await deps.outbound.fetch({ url, maxBytes })
  if (status !== 200) throw new SiteRefused(status, false, 'image_not_found')
  const image = readImage(body)
  if (!image) throw new SiteRefused(status, false, 'image_unreadable')
  return { ...image, body, alt }
}

/**
 * @returns the images of a record, which go with its first post
 * @throws SiteRefused image_not_found, image_unreadable, image_too_large, too_many_images; OutboundError
 */
export const imagesOfPost = async (deps: Deps, workspaceId: string, network: ImageNetwork, { media }: Content):
Promise<PostImage[]> => {
  const limits = imageLimits[network]
  if (media.length > limits.images) throw new SiteRefused(422, false, 'too_many_images')
  const images: PostImage[] = []
  for (const one of media) images.push(await fetchOne(deps, workspaceId, one))
  if (images.some(({ body }) => body.length > limits.bytes)) throw new SiteRefused(422, false, 'image_too_large')
  return images
}
