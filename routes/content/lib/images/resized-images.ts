import { BrokenImage } from 'steward-document-reader/media'
import { resizeImage } from '../../../../lib/media/pixels/pixels.js'
import { imageWidths, type ImageWidth } from '../../../../schemas/content/images.js'

/** Bytes that an instance keeps. */
const maxKept = 64 * 1_048_576

/** The sizes that were asked for last: each is made once, whoever asks meanwhile. */
const kept = new Map<string, Promise<Buffer>>()
const sizes = new Map<string, number>()

const keptBytes = (): number => [...sizes.values()].reduce((sum, size) => sum + size, 0)

const forget = (key: string): void => {
  kept.delete(key)
  sizes.delete(key)
}

/** Forgets those that were asked for the longest time ago. */
const shrink = (): void => {
  for (const key of sizes.keys()) {
    if (keptBytes() <= maxKept) return
    forget(key)
  }
}

class MissingBytes extends Error {}

const make = async (key: string, read: () => Promise<Buffer | undefined>, mediaType: string, width: number) => {
  const bytes = await read()
  // Its store has it no more.
  if (!bytes) throw new MissingBytes()
  const made = await resizeImage(bytes, mediaType, width)
  sizes.set(key, made.length)
  shrink()
  return made
}

/** @returns the widths that an image can be had in: none is larger than it */
export const widthsOf = (width: number): ImageWidth[] => imageWidths.filter((one) => one < width)

export interface Original { workspace_id: string, hash: string, media_type: string }

/**
 * @param hash of the bytes of the image, which decides its sizes
 * @returns the image at a width; undefined where its store has it no more
 * @throws image_store_failed, overloaded
 */
export const resized = async ({ workspace_id: workspaceId, hash, media_type: mediaType }: Original, width: ImageWidth,
  read: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> => {
  // What one workspace stores under a hash answers no other.
  const key = `${workspaceId}/${hash}-${width}`
  const known = kept.get(key) ?? make(key, read, mediaType, width)
  kept.set(key, known)
  const size = sizes.get(key)
  if (size !== undefined) {
    // The last to be asked for is the last to go.
    sizes.delete(key)
    sizes.set(key, size)
  }
  try {
    return await known
  } catch (error) {
    forget(key)
    if (error instanceof MissingBytes) return undefined
    // Images that were stored before they were decoded may be broken, and are shown as ever.
    if (error instanceof BrokenImage) return read()
    throw error
  }
}
