import { ExtractionError } from './errors.js'
import { firstOf, maxChars, type Extraction } from './extraction.js'
import { layOutPdf } from './lay-out-pdf.js'
import type { PageItem } from './pdf-lines.js'

const maxPages = 500

const isPasswordError = (error: unknown) => error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

/** Page numbers that are named; of more only the count is. */
const maxNamed = 10

/** @returns the pages that were not read, and those without text among others that have some */
const missingPages = (pages: readonly PageItem[][], all: number): string | undefined => {
  const blank = pages.flatMap((items, at) => items.some(({ str = '' }) => str.trim() !== '') ? [] : [at + 1])
  const named = blank.slice(0, maxNamed).join(', ') +
    (blank.length > maxNamed ? ` and ${blank.length - maxNamed} more` : '')
  const parts = [
    ...(blank.length > 0 && blank.length < pages.length ? [`pages without text, perhaps scans: ${named}`] : []),
    ...(all > pages.length ? [`the pages after page ${pages.length}`] : [])
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

export const fromPdf = async (data: Uint8Array): Promise<Extraction> => {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(data).catch((error: unknown) => {
    throw isPasswordError(error)
      ? new ExtractionError('file_encrypted', 'The PDF is protected by a password')
      : new ExtractionError('file_broken', 'The PDF cannot be read')
  })
  const pages: PageItem[][] = []
  let chars = 0
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages) && chars <= maxChars; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    // The library's own types need those of a browser.
    const page = items as PageItem[]
    pages.push(page)
    chars += page.reduce((sum, { str = '' }) => sum + str.length, 0)
  }
  const { text, hasHeadings } = layOutPdf(pages)
  const media_type = hasHeadings ? 'text/markdown' : 'text/plain'
  const first = firstOf(text)
  const left = [missingPages(pages, pdf.numPages), first.left_out].filter((part) => part !== undefined).join('; ')
  const truncated = first.truncated || pdf.numPages > pages.length
  return { text: first.text, media_type, pages: pdf.numPages, truncated, ...(left !== '' && { left_out: left }) }
}
