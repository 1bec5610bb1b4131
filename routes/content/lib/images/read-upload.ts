import { BrokenImage, type ImageFacts, requireReadable, withoutMetadata } from 'steward-document-reader/media'
import { decodeBase64 } from '../../../../lib/http/base64.js'
import { requireDecodable } from '../../../../lib/media/pixels/pixels.js'
import { maxImageBytes, maxImagePixels, maxImageSide } from '../../../../schemas/content/images.js'
import { ImageTooLarge, ImageUnreadable } from '../errors.js'

const pointer = '/data'

const refuse = (code: string, message: string, define = ImageUnreadable) =>
  define(`The file ${message}`, { errors: [{ pointer, code, message }] })

const decode = (data: string): Buffer => {
  const bytes = decodeBase64(data)
  if (!bytes) throw refuse('not_base64', 'is not base64')
  if (bytes.length <= maxImageBytes) return bytes
  throw refuse('image_too_large', `has ${bytes.length} bytes, and may have ${maxImageBytes}`, ImageTooLarge)
}

/** A small file may claim a size that would fill the memory of whoever shows it. */
const requireShowable = ({ width, height }: ImageFacts): void => {
  if (Math.max(width, height) <= maxImageSide && width * height <= maxImagePixels) return
  throw refuse('image_too_wide', `says that it is ${width} × ${height} pixels; each side may have ${maxImageSide}, ` +
    `and all ${maxImagePixels}`, ImageTooLarge)
}

/**
 * @returns an uploaded image as it is stored: what it is by its bytes, without what nobody sees of it
 * @throws image_unreadable, image_too_large, overloaded
 */
export const readUpload = async (data: string): Promise<ImageFacts & { bytes: Buffer }> => {
  try {
    const image = requireReadable(decode(data))
    if (!image) throw refuse('no_image', 'is neither PNG, JPEG, GIF nor WebP')
    requireShowable(image)
    const bytes = withoutMetadata(Buffer.from(data, 'base64'), image.extension)
    await requireDecodable(bytes, image)
    return { ...image, bytes }
  } catch (error) {
    if (error instanceof BrokenImage) throw refuse(error.code, `is an image that cannot be read: ${error.message}`)
    throw error
  }
}
