import { strFromU8, unzipSync, zipSync } from 'fflate'
import { ExtractionError } from './errors.js'
import { messageOf } from '../../schemas/thrown.js'
import { layOutPdf, type PageItem } from './lay-out-pdf.js'
import { addDocumentRules } from './to-markdown.js'
import { textIn } from '../../schemas/unknown.js'

/** What a text was taken out of, and what it is now. */
export interface Extraction {
  text: string
  media_type: string
  /** null where there are none */
  pages: number | null
  truncated: boolean
  /** What of the document is not in the text; missing where all of it is. */
  left_out?: string
}

export const maxChars = 1_000_000
const maxPages = 500
const maxUnpacked = 50 * 1_048_576

/** @returns as much of a text as is read, and what is left out of it */
export const firstOf = (text: string): Pick<Extraction, 'text' | 'truncated' | 'left_out'> => text.length > maxChars
  ? { text: text.slice(0, maxChars), truncated: true, left_out: `${text.length - maxChars} characters at its end` }
  : { text, truncated: false }

const isPasswordError = (error: unknown) => /password/i.test(`${textIn(error, 'name')} ${messageOf(error)}`)

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

/** @returns the elements that hold the page's own text, to the last end of the first one's name; else all of it */
const mainOf = (html: string): string => {
  const start = /<(main|article)\b/i.exec(html)
  const name = start?.[1]?.toLowerCase()
  const ends = [...html.matchAll(/<\/(main|article)/gi)].filter((end) => end[1]?.toLowerCase() === name)
  const end = ends.at(-1)?.index ?? 0
  return start && end > start.index ? html.slice(start.index, end) : html
}

/** The page's own text: what every page of a site repeats, and what runs, is left out. */
export const fromHtml = async (html: string): Promise<Extraction> => {
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'nav', 'footer', 'form', 'button', 'title', 'head'])
  turndown.addRule('images', { filter: 'img', replacement: () => '' })
  turndown.addRule('links', { filter: 'a', replacement: (content) => content })
  addDocumentRules(turndown)
  return { ...firstOf(turndown.turndown(mainOf(html))), media_type: 'text/markdown', pages: null }
}

const needed = /^(\[Content_Types\]\.xml|_rels\/|word\/(?!media\/|embeddings\/|fonts\/))/

/** Only the parts with text, and never more than fits: the sizes in an archive's directory bound what is read. */
const unpack = (data: Uint8Array): Record<string, Uint8Array> => {
  let bytes = 0
  return unzipSync(data, {
    filter: ({ name, originalSize }) => {
      if (!needed.test(name)) return false
      bytes += originalSize
      if (bytes > maxUnpacked) {
        throw new ExtractionError('file_unpacks_too_large', `It unpacks to more than ${maxUnpacked} bytes`)
      }
      return true
    }
  })
}

export const fromDocx = async (data: Uint8Array): Promise<Extraction> => {
  const { default: mammoth } = await import('mammoth')
  try {
    const parts = unpack(data)
    const document = parts['word/document.xml']
    if (!document) throw new ExtractionError('file_type_unsupported', 'Of archives only Word (.docx) is read')
    if (/<!DOCTYPE|<!ENTITY/i.test(strFromU8(document.subarray(0, 4_096)))) {
      throw new ExtractionError('file_broken', 'The document declares entities')
    }
    const buffer = Buffer.from(zipSync(parts, { level: 0 }))
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: mammoth.images.imgElement(noImage) })
    return await fromHtml(value)
  } catch (error) {
    throw error instanceof ExtractionError ? error : new ExtractionError('file_broken', 'The document cannot be read')
  }
}

const noImage = async () => ({ src: '' })
