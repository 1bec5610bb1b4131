import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { RenderingProblem } from '../../../../schemas/content/renderings.js'
import { graphemes } from 'steward-prose-engine/text'
import { knownImages, strangeImages } from '../images/images.js'
import { imageLimits } from '../targets/post-images.js'

const part = 'images'

/** @returns the images that a target gets beside the text */
export const imagesFor = ({ kind }: StoredTarget, { media }: Content): Content['media'] => {
  if (kind === 'wordpress') return media.slice(0, 1)
  return kind === 'mastodon' || kind === 'bluesky' || kind === 'linkedin' ? media : []
}

/** @param sizes bytes of our images by their ids */
const onNetwork = ({ kind }: StoredTarget, { media }: Content, sizeOf: (url: string) => number): RenderingProblem[] => {
  if (kind !== 'mastodon' && kind !== 'bluesky') return []
  const limits = imageLimits[kind]
  const ofEach = media.flatMap(({ url: address, alt }): RenderingProblem[] => [
    ...(alt.trim() === '' ? [{ code: 'missing_alt' as const, part, address }] : []),
    ...(graphemes(alt) > limits.alt ? [{ code: 'alt_too_long' as const, part, address }] : []),
    ...(sizeOf(address) > limits.bytes ? [{ code: 'image_too_large' as const, part, address }] : [])
  ])
  const many = media.length > limits.images ? [{ code: 'too_many_images' as const, part, address: '' }] : []
  return [...many, ...ofEach]
}

/**
 * @param origin where our images are
 * @returns what of a record's images would not work at a target; of foreign ones nothing is fetched before it publishes
 */
export const findImageProblems = async (db: Db, workspaceId: string, target: StoredTarget, content: Content,
  origin: string): Promise<RenderingProblem[]> => {
  const known = await knownImages(db, workspaceId, content)
  const sizeOf = (url: string) => known.find(({ id }) => url.includes(id))?.size ?? 0
  const dead = strangeImages(content, known, origin)
    .map((address): RenderingProblem => ({ code: 'dead_link', part, address }))
  return [...dead, ...onNetwork(target, content, sizeOf)]
}
