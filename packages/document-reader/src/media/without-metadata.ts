import { BrokenImage } from './broken-image.js'

type Part = Buffer

const requireWithin = (data: Buffer, end: number): void => {
  if (end > data.length) throw new BrokenImage('It ends too early')
}

/** Of PNG: what is drawn, and in which colours. Times, texts and Exif are not among them. */
const pngKept = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD',
  'pHYs', 'acTL', 'fcTL', 'fdAT'])

const partsOfPng = (data: Buffer): Part[] => {
  const parts: Part[] = [data.subarray(0, 8)]
  for (let at = 8; ;) {
    requireWithin(data, at + 12)
    const type = data.toString('latin1', at + 4, at + 8)
    const end = at + 12 + data.readUInt32BE(at)
    requireWithin(data, end)
    if (pngKept.has(type)) parts.push(data.subarray(at, end))
    // What stands behind the end, such as another file, is no image.
    if (type === 'IEND') return parts
    at = end
  }
}

/** @returns where the blocks of a GIF that begin here end: each says how long it is, and an empty one is the last */
const afterBlocks = (data: Buffer, start: number): number => {
  let at = start
  for (;;) {
    requireWithin(data, at + 1)
    const size = data.readUInt8(at)
    at += 1 + size
    if (size === 0) return at
  }
}

const tableSize = (flags: number): number => (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)

/** Of GIF: the repetition of an animation is an extension of an application; comments and others go. */
const isKeptExtension = (data: Buffer, at: number): boolean => {
  const label = data.readUInt8(at + 1)
  if (label === 0xff) return /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)/.test(data.toString('latin1', at + 3, at + 14))
  return label !== 0xfe
}

const partsOfGif = (data: Buffer): Part[] => {
  requireWithin(data, 13)
  let at = 13 + tableSize(data.readUInt8(10))
  const parts: Part[] = [data.subarray(0, at)]
  for (;;) {
    requireWithin(data, at + 1)
    const kind = data.readUInt8(at)
    if (kind === 0x3b) return [...parts, data.subarray(at, at + 1)]
    if (kind === 0x21) {
      requireWithin(data, at + 3)
      const end = afterBlocks(data, at + 2)
      if (isKeptExtension(data, at)) parts.push(data.subarray(at, end))
      at = end
    } else if (kind === 0x2c) {
      requireWithin(data, at + 11)
      const end = afterBlocks(data, at + 11 + tableSize(data.readUInt8(at + 9)))
      parts.push(data.subarray(at, end))
      at = end
    } else throw new BrokenImage('It has an unknown block')
  }
}

const webpKept = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** The bits of VP8X that say that there are Exif and XMP. */
const metadataBits = 0x0c

const chunkOfWebp = (data: Buffer, at: number, end: number): Part => {
  const chunk = Buffer.from(data.subarray(at, end))
  if (chunk.toString('latin1', 0, 4) === 'VP8X' && chunk.length > 8) chunk[8] = chunk.readUInt8(8) & ~metadataBits
  return chunk
}

const partsOfWebp = (data: Buffer): Part[] => {
  requireWithin(data, 12)
  const whole = Math.min(data.length, 8 + data.readUInt32LE(4))
  const chunks: Part[] = []
  for (let at = 12; at + 8 <= whole;) {
    const size = data.readUInt32LE(at + 4)
    const end = at + 8 + size + size % 2
    requireWithin(data, at + 8 + size)
    if (webpKept.has(data.toString('latin1', at, at + 4))) chunks.push(chunkOfWebp(data, at, end))
    at = end
  }
  const head = Buffer.from(data.subarray(0, 12))
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4)
  return [head, ...chunks]
}

/** @returns the orientation of Exif, 1 to 8; undefined where it says none */
const orientationOf = (exif: Buffer): number | undefined => {
  if (exif.length < 18 || exif.toString('latin1', 4, 10) !== 'Exif\0\0') return undefined
  const tiff = exif.subarray(10)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return undefined
  for (let entry = 0, at = start + 2; entry < short(start) && at + 12 <= tiff.length; entry++, at += 12) {
    if (short(at) === 0x112) return short(at + 8)
  }
  return undefined
}

/** Exif that says nothing but how a browser must turn the image. */
const turned = (orientation: number): Part => Buffer.from([
  0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM'), 0, 42, 0, 0, 0, 8,
  0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0
])

/** @returns the segment as it is kept: colours stay, cameras, places and thumbnails go */
const keptSegment = (marker: number, segment: Buffer): Part[] => {
  if (marker === 0xe1) {
    const orientation = orientationOf(segment) ?? 1
    return orientation > 1 && orientation <= 8 ? [turned(orientation)] : []
  }
  if (marker === 0xe2) return segment.toString('latin1', 4, 15) === 'ICC_PROFILE' ? [segment] : []
  const isKept = (marker < 0xe0 || marker === 0xe0 || marker === 0xee || marker > 0xef) && marker !== 0xfe
  return isKept ? [segment] : []
}

/** @returns where the data of a scan end: at the first marker that is no stuffed byte and no restart */
const afterScan = (data: Buffer, start: number): number => {
  for (let at = data.indexOf(0xff, start); at >= 0 && at + 1 < data.length; at = data.indexOf(0xff, at + 1)) {
    const next = data.readUInt8(at + 1)
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return data.length
}

const endOfImage = Buffer.from([0xff, 0xd9])

const partsOfJpeg = (data: Buffer): Part[] => {
  const parts: Part[] = [data.subarray(0, 2)]
  for (let at = 2; ;) {
    requireWithin(data, at + 2)
    if (data.readUInt8(at) !== 0xff) throw new BrokenImage('It has no marker where one must be')
    const marker = data.readUInt8(at + 1)
    if (marker === 0xd9) return [...parts, endOfImage]
    if (marker === 0xff) {
      at += 1
      continue
    }
    requireWithin(data, at + 4)
    const end = at + 2 + data.readUInt16BE(at + 2)
    requireWithin(data, end)
    const after = marker === 0xda ? afterScan(data, end) : end
    parts.push(...(marker === 0xda ? [data.subarray(at, after)] : keptSegment(marker, data.subarray(at, end))))
    at = after
  }
}

const readers: Record<string, (data: Buffer) => Part[]> = {
  png: partsOfPng, gif: partsOfGif, webp: partsOfWebp, jpg: partsOfJpeg
}

/**
 * @returns the image without what nobody sees: where and with what it was taken, thumbnails, comments, and whatever
 *   stands behind its end
 * @throws BrokenImage where its parts do not follow each other to its end
 */
export const withoutMetadata = (data: Buffer, extension: string): Buffer => {
  const read = readers[extension]
  if (!read) throw new BrokenImage('It is of another format')
  return Buffer.concat(read(data))
}
