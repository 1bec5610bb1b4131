import { Worker } from 'node:worker_threads'
import fp from 'fastify-plugin'
import { ExtractionError, type ExtractionCode } from './extraction/errors.js'
import { maxChars, type Extraction } from './extraction/formats.js'
import { decodeText, sniff, textType, type Format } from './extraction/sniff.js'

export interface ExtractionTask { data: Uint8Array, filename: string, mediaType: string }

interface Told { extraction?: Extraction, failure?: { code: ExtractionCode, message: string } }

const script = new URL('./extraction/worker.js', import.meta.url)
const timeoutMs = 30_000
const maxAtOnce = 2

/** Text loses what no row can hold. */
const clean = (text: string): string => text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed()

/** A file that wants more memory or time than there is takes its thread down, and nothing else. */
const inWorker = (data: Uint8Array, format: Format): Promise<Extraction> => new Promise((resolve, reject) => {
  const worker = new Worker(script, {
    workerData: { data: new Uint8Array(data), format },
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true
  })
  const tooComplex = () => reject(new ExtractionError('file_too_complex', 'Reading it takes too much time or memory'))
  const timer = setTimeout(tooComplex, timeoutMs)
  worker.once('message', ({ extraction, failure }: Told) => {
    if (extraction) resolve(extraction)
    else reject(new ExtractionError(failure?.code ?? 'file_broken', failure?.message ?? 'The file cannot be read'))
  })
  worker.once('error', tooComplex)
  worker.once('exit', tooComplex)
  const end = () => {
    clearTimeout(timer)
    void worker.terminate()
  }
  for (const event of ['message', 'error', 'exit']) worker.once(event, end)
})

/** Takes the text out of files. */
export class Extractor {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @throws ExtractionError */
  async extract ({ data, filename, mediaType }: ExtractionTask): Promise<Extraction> {
    const format = sniff(data, filename, mediaType)
    if (format === 'text') {
      const text = clean(decodeText(data))
      const type = textType(filename, mediaType)
      return { text: text.slice(0, maxChars), media_type: type, pages: null, truncated: text.length > maxChars }
    }
    const extraction = await this.#queued(() => inWorker(data, format))
    return { ...extraction, text: clean(extraction.text) }
  }

  async #queued<T> (work: () => Promise<T>): Promise<T> {
    if (this.#running >= maxAtOnce) await new Promise<void>((resolve) => { this.#waiting.push(resolve) })
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }
}

declare module 'fastify' {
  interface FastifyInstance { extractor: Extractor }
}

export default fp(async (app) => {
  app.decorate('extractor', new Extractor())
}, { name: 'extraction' })
