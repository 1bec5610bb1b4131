import { parentPort, workerData } from 'node:worker_threads'
import { ExtractionError } from './errors.js'
import { fromDocx, fromHtml, fromPdf } from './formats.js'
import { decodeText, type Format } from './sniff.js'

// The plugin starts the worker with these.
const { data, format } = workerData as { data: Uint8Array, format: Format }

const read = () => {
  if (format === 'pdf') return fromPdf(data)
  return format === 'docx' ? fromDocx(data) : fromHtml(decodeText(data))
}

read().then((extraction) => parentPort?.postMessage({ extraction }), (error: unknown) => {
  const { code, message } = error instanceof ExtractionError
    ? error
    : new ExtractionError('file_broken', 'The file cannot be read')
  parentPort?.postMessage({ failure: { code, message } })
})
