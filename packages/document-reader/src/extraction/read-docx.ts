import { unzipSync, zipSync } from 'fflate'
import { ExtractionError } from './errors.js'
import { maxChars, type Extraction } from './extraction.js'
import { htmlReader } from './read-html.js'
import { countElements, splitDocument, type Limits } from './split-document.js'

/** Of all parts that are read; a document of a thousand pages has half as many elements. */
const maxUnpacked = 50 * 1_048_576
const maxEntries = 10_000
const limits: Limits = { elements: 400_000, partElements: 150_000, depth: 100, tagBytes: 65_536 }

/** Word on the web calls it document2.xml at times. */
const documentPart = /^word\/document\d*\.xml$/
const needed = /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/document\d*\.xml\.rels|(?:document|styles|numbering|footnotes|endnotes|comments)\d*\.xml))$/

/** Only the parts with text, and never more than fits: the sizes in an archive's directory bound what is read. */
const unpack = (data: Uint8Array): Record<string, Uint8Array> => {
  let [bytes, entries] = [0, 0]
  return unzipSync(data, {
    filter: ({ name, originalSize }) => {
      if (++entries > maxEntries) {
        throw new ExtractionError('file_too_complex', `The document has more than ${maxEntries} entries`)
      }
      if (!needed.test(name)) return false
      bytes += originalSize
      if (bytes > maxUnpacked) {
        throw new ExtractionError('file_unpacks_too_large', `It unpacks to more than ${maxUnpacked} bytes`)
      }
      return true
    }
  })
}

/** @throws ExtractionError where the parts have more elements than are read; this is counted before any is parsed */
const checkSizes = (parts: Readonly<Record<string, Uint8Array>>): void => {
  let left = limits.elements
  for (const part of Object.values(parts)) left -= countElements(part, { ...limits, elements: left })
}

/** A dash that a person typed before a paragraph, or a heading, makes an item of it. */
const typedMark = /^(?:#{1,6} )?\\([-+*]) +/gm

const noImage = async () => ({ src: '' })

/** Reads a document part by part: a library holds some thousand bytes for each element that it reads. */
const textOf = async (parts: Record<string, Uint8Array>, name: string, document: Uint8Array): Promise<string> => {
  const { default: mammoth } = await import('mammoth')
  const toText = await htmlReader()
  const texts: string[] = []
  let chars = 0
  for (const part of splitDocument(document, limits)) {
    const buffer = Buffer.from(zipSync({ ...parts, [name]: part }, { level: 0 }))
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: mammoth.images.imgElement(noImage) })
    const text = toText(value).replace(typedMark, '$1 ')
    if (text !== '') texts.push(text)
    chars += text.length
    // What follows is left out: it need not be read.
    if (chars > maxChars) break
  }
  return texts.join('\n\n')
}

const commentPart = /^word\/comments\d*\.xml$/

/** What reviewers write beside the text is not read as a part of it, and said to be left out. */
const commentsOf = (parts: Readonly<Record<string, Uint8Array>>): string[] => {
  const [, part] = Object.entries(parts).find(([name]) => commentPart.test(name)) ?? []
  const count = part ? Buffer.from(part).toString().split('<w:comment ').length - 1 : 0
  return count === 0 ? [] : [`${count} ${count === 1 ? 'comment' : 'comments'} beside the text`]
}

export const fromDocx = async (data: Uint8Array): Promise<Extraction> => {
  try {
    const parts = unpack(data)
    const [name, document] = Object.entries(parts).find(([part]) => documentPart.test(part)) ?? []
    if (name === undefined || !document) {
      throw new ExtractionError('file_type_unsupported', 'Of archives only Word (.docx) is read')
    }
    checkSizes(parts)
    const text = await textOf(parts, name, document)
    const truncated = text.length > maxChars
    const left = [
      ...(truncated ? [`what follows its first ${maxChars} characters`] : []), ...commentsOf(parts)
    ].join('; ')
    return {
      text: text.slice(0, maxChars),
      media_type: 'text/markdown',
      pages: null,
      truncated,
      ...(left !== '' && { left_out: left })
    }
  } catch (error) {
    throw error instanceof ExtractionError ? error : new ExtractionError('file_broken', 'The document cannot be read')
  }
}
