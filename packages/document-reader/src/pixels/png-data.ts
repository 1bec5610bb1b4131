import { createInflate } from 'node:zlib'
import { BrokenImage } from '../media/broken-image.js'

/** Samples of a pixel, by the colour type of the header. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Where the seven passes of an interlaced image begin, and how far apart their pixels are: x, y, dx, dy. */
const passes = [
  [0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]
] as const

interface Head { width: number, height: number, bits: number, isInterlaced: boolean }

const headOf = (data: Buffer): Head => ({
  width: data.readUInt32BE(16),
  height: data.readUInt32BE(20),
  bits: data.readUInt8(24) * (samples[data.readUInt8(25)] ?? 0),
  isInterlaced: data.readUInt8(28) === 1
})

/** Each row has a byte that names its filter. */
const bytesOf = (width: number, height: number, bits: number): number =>
  width === 0 || height === 0 ? 0 : (Math.ceil(width * bits / 8) + 1) * height

const sizeOf = ({ width, height, bits, isInterlaced }: Head): number => !isInterlaced
  ? bytesOf(width, height, bits)
  : passes.reduce((sum, [x, y, dx, dy]) =>
    sum + bytesOf(Math.ceil(Math.max(0, width - x) / dx), Math.ceil(Math.max(0, height - y) / dy), bits), 0)

function * dataOf (data: Buffer): Generator<Buffer> {
  for (let at = 8; at + 12 <= data.length;) {
    const end = at + 8 + data.readUInt32BE(at)
    if (data.toString('latin1', at + 4, at + 8) === 'IDAT') yield data.subarray(at + 8, end)
    at = end + 4
  }
}

/**
 * A PNG may carry more pixels than it claims, which decoders pass over and other programs unpack.
 * @throws BrokenImage where its data are not exactly as many as its header says
 */
export const requireWholePng = async (data: Buffer): Promise<void> => {
  const expected = sizeOf(headOf(data))
  const inflate = createInflate()
  inflate.end(Buffer.concat([...dataOf(data)]))
  let bytes = 0
  try {
    for await (const part of inflate) {
      // What zlib gives are bytes.
      bytes += (part as Buffer).length
      if (bytes > expected) break
    }
  } catch {
    throw new BrokenImage('Its data end too early, or are damaged')
  }
  if (bytes > expected) throw new BrokenImage('It has more pixels than it says', 'image_size_differs')
  if (bytes < expected) throw new BrokenImage('It has fewer pixels than it says', 'image_size_differs')
}
