import { crc32, deflateSync } from 'node:zlib'

/** One pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** 2 × 3 pixels. */
export const gif = 'R0lGODlhAgADAIAAAAAAAP///yH5BAAAAAAALAAAAAACAAMAAAIChF8AOw=='
/** 8 × 6 pixels, as an encoder writes it. */
export const jpeg = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABh',
  'Y3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAAB',
  'UAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAA',
  'AAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9Y',
  'WVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM',
  'ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBC',
  'YFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSk',
  'pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/',
  'xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhED',
  'EQA/AKAAxR//2Q=='
].join('')

/** 8 × 6 pixels. */
export const webp = [
  'UklGRhgCAABXRUJQVlA4WAoAAAAgAAAABwAABQAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABh',
  'Y3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAAB',
  'UAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAA',
  'AAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9Y',
  'WVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM',
  'ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggKgAAANABAJ0BKggABgAEAGgloAJ0ugH4AAOw',
  'AP7dRH/yC9WmfRL/8D8unCeAAA=='
].join('')

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The rows of a grey image: each begins with the byte that names its filter. */
const rowsOf = (width: number, height: number, grey: Buffer): Buffer => Buffer.concat(
  Array.from({ length: height }, (_, row) => [Buffer.alloc(1), grey.subarray(row * width, (row + 1) * width)]).flat())

/** A PNG of grey pixels; `rows` = what it holds where that is not what it claims. */
export const makePng = (width: number, height: number, more: Buffer[] = [], grey?: Buffer,
  rows = grey ? rowsOf(width, height, grey) : Buffer.alloc((width + 1) * height)): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const data = chunk('IDAT', deflateSync(rows, { level: grey ? 0 : 9 }))
  return Buffer.concat([signature, chunk('IHDR', head), ...more, data, chunk('IEND', Buffer.alloc(0))])
}

export const textChunk = (text: string): Buffer => chunk('tEXt', Buffer.from(text))

/** Exif of a camera: the orientation, and where it stood (47° 22′ north). */
const exif = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(110)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  entry(10, 0x0112, 3, 1, orientation)
  entry(22, 0x8825, 4, 1, 38)
  tiff.writeUInt16LE(2, 38)
  entry(40, 1, 2, 2, 'N'.charCodeAt(0))
  entry(52, 2, 5, 3, 68)
  for (const [at, value] of [47, 1, 22, 1, 30, 1].entries()) tiff.writeUInt32LE(value, 68 + at * 4)
  tiff.write('GPS-47.3769', 94, 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** The JPEG as a phone would store it: turned, with its place, a comment, and a page behind its end. */
export const photo = (orientation = 6): Buffer => {
  const plain = Buffer.from(jpeg, 'base64')
  return Buffer.concat([
    plain.subarray(0, 2), segment(0xe1, exif(orientation)), segment(0xed, Buffer.from('Photoshop 3.0\0by-line')),
    segment(0xfe, Buffer.from('<script>alert(1)</script>')), plain.subarray(2),
    Buffer.from('<html><script>alert(2)</script>')
  ])
}
