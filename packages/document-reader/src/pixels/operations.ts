import Vips from 'wasm-vips'
import { BrokenImage } from '../media/broken-image.js'
import { requireWholePng } from './png-data.js'

/** In words of ours, as an error does not reach the parent whole. */
export type Decoded = { isWhole: true } | { isWhole: false, code: BrokenImage['code'], message: string }

export interface Claim { width: number, height: number }

let opened: ReturnType<typeof open> | undefined

const open = async () => {
  // Without the parts for SVG, JPEG XL and HEIF, which nobody may upload.
  const vips = await Vips({ dynamicLibraries: [] })
  vips.concurrency(1)
  vips.Cache.max(0)
  return vips
}

const vipsOnce = () => {
  opened ??= open()
  return opened
}

/** `sequential`: the pixels are read once, from the top, so that no image is whole in memory. */
const strict = { access: 'sequential', fail_on: 'truncated' } as const

const decode = async (bytes: Uint8Array, { width, height }: Claim): Promise<void> => {
  const vips = await vipsOnce()
  const image = vips.Image.newFromBuffer(bytes, '', strict)
  try {
    // Browsers turn a photo by a quarter where it says so, and so the claim may be.
    const [wide, high] = [Math.max(image.width, image.height), Math.min(image.width, image.height)]
    if (wide !== Math.max(width, height) || high !== Math.min(width, height)) {
      throw new BrokenImage(`It says ${width} × ${height} pixels, and has ${image.width} × ${image.height}`,
        'image_size_differs')
    }
    image.avg()
  } finally {
    image.delete()
  }
}

/** Decodes every pixel of an image, of an animated one the first frame. */
const check = async (bytes: Uint8Array, mediaType: string, claim: Claim): Promise<Decoded> => {
  try {
    if (mediaType === 'image/png') await requireWholePng(Buffer.from(bytes))
    await decode(bytes, claim)
    return { isWhole: true }
  } catch (error) {
    const { code, message } = error instanceof BrokenImage
      ? error
      : new BrokenImage('Its pixels end too early, or are damaged')
    return { isWhole: false, code, message }
  }
}

const formats: Record<string, [ending: string, options: object]> = {
  'image/png': ['.png', {}],
  'image/jpeg': ['.jpg', { Q: 82, optimize_coding: true }],
  'image/webp': ['.webp', { Q: 82 }],
  'image/gif': ['.gif', {}]
}

/** @returns the image, of an animated one its frames, at a width */
const resize = async (bytes: Uint8Array, mediaType: string, width: number): Promise<Uint8Array> => {
  const vips = await vipsOnce()
  const [ending, options] = formats[mediaType] ?? ['.png', {}]
  const mayMove = mediaType === 'image/gif' || mediaType === 'image/webp'
  // The height is free; a photo is turned as browsers would turn it.
  const image = vips.Image.thumbnailBuffer(bytes, width, {
    height: 1_000_000, size: 'down', fail_on: 'truncated', ...(mayMove && { option_string: 'n=-1' })
  })
  try {
    return image.writeToBuffer(ending, { keep: 'icc', ...options })
  } finally {
    image.delete()
  }
}

/** What decodes images: in a process of its own (pixels.ts), on copies. */
export const pixelOperations = { check, resize }
export type PixelOperations = typeof pixelOperations
