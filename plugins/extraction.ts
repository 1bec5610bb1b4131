import { fork, type StdioOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fp from 'fastify-plugin'
import {
  childScript, decodeText, ExtractionError, firstOf, sniff, textType, type Extraction, type ExtractionAnswer,
  type ExtractionCode, type ExtractionWork
} from 'steward-document-reader/extraction'
import { Shares, usualAtOnce, usualWaiting } from '../lib/processes/shares.js'
import { Overloaded } from '../schemas/errors.js'

export interface ExtractionTask { data: Uint8Array, filename: string, mediaType: string }

const script = fileURLToPath(childScript)
const silent: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']
const tooComplex = { code: 'file_too_complex', message: 'Reading it takes too much time or memory' } as const
const mebibyte = 1_048_576

/** Twice what 500 full pages, or 10,000 paragraphs of Word, take; reading itself begins at 70 MB. */
const limitsOf = (format: ExtractionWork['format'], size: number): ExtractionWork['limits'] => format === 'pdf'
  ? { cpuMs: 3_000 + size / mebibyte * 1_000, bytes: 220 * mebibyte + size * 6 }
  : { cpuMs: 9_000, bytes: 300 * mebibyte }

/** How long reading may take where the machine is busy with other things. */
const maxBusyMs = 60_000
const overloaded = (detail = 'The machine is too busy to read the file') =>
  Overloaded(detail).withHeaders({ 'retry-after': '10' })

/** Text loses what no row can hold. */
const clean = (text: string): string => text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed()

/**
 * A file that wants more memory or work than there is takes its process down, and nothing else: what a PDF decodes to
 * lies in buffers, which no limit of a thread holds.
 */
const inChild = (work: ExtractionWork, timeoutMs: number): Promise<Extraction> => new Promise((resolve, reject) => {
  // What the file makes run has neither our environment nor our output.
  const child = fork(script, [], { execArgv: [], env: {}, serialization: 'advanced', stdio: silent })
  const fail = ({ code, message }: { code: ExtractionCode, message: string } = tooComplex): void =>
    reject(new ExtractionError(code, message))
  const timer = setTimeout(() => {
    reject(overloaded())
    child.kill('SIGKILL')
  }, timeoutMs)
  // The child sends nothing else.
  child.once('message', (answer) => {
    const { extraction, failure } = answer as ExtractionAnswer
    if (extraction) resolve(extraction)
    else fail(failure)
  })
  child.once('error', () => fail())
  // It comes behind the last message, which the end of the process does not.
  child.once('disconnect', () => {
    clearTimeout(timer)
    fail()
  })
  // A child that ended before it has read has disconnected.
  child.send(work, () => undefined)
})

/** Takes the text out of files. */
export class Extractor {
  readonly #shares = new Shares({ atOnce: usualAtOnce, waiting: usualWaiting, maxWaitMs: maxBusyMs, overloaded })

  constructor (private readonly timeoutMs = maxBusyMs) {}

  /** @throws ExtractionError, overloaded */
  async extract ({ data, filename, mediaType }: ExtractionTask): Promise<Extraction> {
    const format = sniff(data, filename, mediaType)
    if (format === 'text') {
      const text = clean(decodeText(data))
      const type = textType(filename, mediaType)
      return { ...firstOf(text), media_type: type, pages: null }
    }
    const extraction = await this.#shares.run(() => inChild({
      data: new Uint8Array(data), format, mediaType, limits: limitsOf(format, data.length)
    }, this.timeoutMs))
    return { ...extraction, text: clean(extraction.text) }
  }
}

declare module 'fastify' {
  interface FastifyInstance { extractor: Extractor }
}

export default fp(async (app) => {
  app.decorate('extractor', new Extractor())
}, { name: 'extraction' })
