import { imageSize } from 'image-size'
import { BrokenImage } from './broken-image.js'

const mediaTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' }

const signatures = [[0x89, 0x50, 0x4e, 0x47], [0xff, 0xd8, 0xff], [0x47, 0x49, 0x46, 0x38], [0x52, 0x49, 0x46, 0x46]]

export interface ImageFacts { mediaType: string, extension: string, width: number, height: number }

/**
 * @returns what the header of an image says; undefined for what is none of the four formats
 * @throws BrokenImage when its size cannot be read
 */
export const requireReadable = (data: Buffer): ImageFacts | undefined => {
  if (!signatures.some((bytes) => bytes.every((byte, at) => data[at] === byte))) return undefined
  try {
    // A copy of its own: the library reads past the end of a view, into what else is in the pool of Node.js.
    const { type: extension = '', width: wide, height: high, orientation = 1 } = imageSize(new Uint8Array(data))
    const mediaType = mediaTypes[extension]
    // From 5 on, browsers turn it by a quarter.
    const [width, height] = orientation >= 5 ? [high, wide] : [wide, high]
    if (width === 0 || height === 0) throw new BrokenImage('It has no size')
    return mediaType === undefined ? undefined : { mediaType, extension, width, height }
  } catch {
    throw new BrokenImage('Its size is not there')
  }
}

/** @returns the same, and undefined for a broken one too */
export const readImage = (data: Buffer): ImageFacts | undefined => {
  try {
    return requireReadable(data)
  } catch {
    return undefined
  }
}
