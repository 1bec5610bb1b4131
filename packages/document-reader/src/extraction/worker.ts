import { parentPort, workerData } from 'node:worker_threads'
import { ExtractionError, type ExtractionCode } from './errors.js'
import type { Extraction } from './extraction.js'
import { fromDocx } from './read-docx.js'
import { fromHtml } from './read-html.js'
import { fromPdf } from './read-pdf.js'
import { decodeHtml, type Format } from './sniff.js'

/** What the plugin sends, and what comes back. */
export interface ExtractionWork {
  data: Uint8Array
  format: Format
  mediaType: string
  /** What reading it may take: ms of the processor's time, and bytes that the process holds at once. */
  limits: { cpuMs: number, bytes: number }
}
export interface ExtractionAnswer { extraction?: Extraction, failure?: { code: ExtractionCode, message: string } }

// The child process starts the thread with these.
const { data, format, mediaType }: ExtractionWork = workerData

// What throws at once rejects as well.
const read = async (): Promise<Extraction> => {
  if (format === 'pdf') return fromPdf(data)
  return format === 'docx' ? fromDocx(data) : fromHtml(decodeHtml(data, mediaType))
}

const answer = (message: ExtractionAnswer): void => { parentPort?.postMessage(message) }

read().then((extraction) => answer({ extraction }), (error: unknown) => {
  const { code, message } = error instanceof ExtractionError
    ? error
    : new ExtractionError('file_broken', 'The file cannot be read')
  answer({ failure: { code, message } })
})
