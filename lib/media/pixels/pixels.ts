import { Overloaded } from '../../../schemas/errors.js'
import { TaskProcesses } from '../../processes/task-processes.js'
import { BrokenImage, type ImageFacts } from 'steward-document-reader/media'
import type { PixelOperations } from 'steward-document-reader/pixels'

/** Ten times what 50 million pixels take. */
const cpuMs = 30_000

const pixels = new TaskProcesses<PixelOperations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 256,
  cpuMs: () => cpuMs,
  tooComplex: () => new BrokenImage('It takes too long to decode'),
  overloaded: (detail = 'The machine is too busy to read the image') =>
    Overloaded(detail).withHeaders({ 'retry-after': '10' })
})

/** @throws BrokenImage where it does not decode to what its header says; overloaded */
export const requireDecodable = async (bytes: Buffer, { mediaType, width, height }: Omit<ImageFacts, 'extension'>):
Promise<void> => {
  const found = await pixels.run('check', bytes, mediaType, { width, height })
  if (!found.isWhole) throw new BrokenImage(found.message, found.code)
}

/** @returns the image at a width. @throws BrokenImage, overloaded */
export const resizeImage = async (bytes: Buffer, mediaType: string, width: number): Promise<Buffer> =>
  Buffer.from(await pixels.run('resize', bytes, mediaType, width))
