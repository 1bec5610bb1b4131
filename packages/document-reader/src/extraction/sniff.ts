import { ExtractionError } from './errors.js'

export type Format = 'pdf' | 'docx' | 'html' | 'text'

const startsWith = (data: Uint8Array, bytes: number[]) => bytes.every((byte, at) => data[at] === byte)

const has = (data: Uint8Array, text: string, within: number) =>
  Buffer.from(data.buffer, data.byteOffset, Math.min(within, data.length)).includes(text)

const isPdf = (data: Uint8Array, filename: string, mediaType: string): boolean =>
  startsWith(data, [...Buffer.from('%PDF-')]) ||
  // Some programs write something in front; a text that mentions the mark is none.
  (has(data, '%PDF-', 1_024) && (/\.pdf$/i.test(filename) || /\bpdf\b/i.test(mediaType)))

const isZip = (data: Uint8Array): boolean =>
  startsWith(data, [0x50, 0x4b, 3, 4]) || startsWith(data, [0x50, 0x4b, 5, 6])

/** Word keeps a document with a password in the container of its old formats, under this name. */
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le')

/** @throws file_encrypted, file_type_unsupported */
const requireReadable = (data: Uint8Array, filename: string): void => {
  if (startsWith(data, [0xd0, 0xcf, 0x11, 0xe0])) {
    throw /\.docx$/i.test(filename) || Buffer.from(data.buffer, data.byteOffset, data.length).includes(encryptedStream)
      ? new ExtractionError('file_encrypted', 'The document is protected by a password')
      : new ExtractionError('file_type_unsupported', 'Old Office formats are not read; save it as .docx')
  }
  // The first bit of a zip's flags.
  if (isZip(data) && ((data[6] ?? 0) & 1) === 1) {
    throw new ExtractionError('file_encrypted', 'The archive is protected by a password')
  }
  if (has(data, '{\\rtf', 5)) {
    throw new ExtractionError('file_type_unsupported', 'Rich text is not read; save it as .docx')
  }
}

/** @returns the format of the bytes; the name and the header count only where the bytes are ambiguous */
export const sniff = (data: Uint8Array, filename: string, mediaType: string): Format => {
  if (isPdf(data, filename, mediaType)) return 'pdf'
  requireReadable(data, filename)
  if (isZip(data)) return 'docx'
  const isHtml = /\bhtml\b/.test(mediaType) || /\.x?html?$/i.test(filename)
  return isHtml || has(data, '<!doctype html', 200) || has(data, '<!DOCTYPE html', 200) ? 'html' : 'text'
}

/** Formats with a structure of their own that would be read as if they were prose. */
const unread: readonly { name: RegExp, holds?: RegExp, format: string, advice: string }[] = [
  { name: /\.(?:adoc|asciidoc|asc)$/i, format: 'AsciiDoc', advice: 'convert it to HTML' },
  { name: /\.sdoc$/i, format: 'StrictDoc', advice: 'export it as HTML or reStructuredText' },
  { name: /\.reqifz?$/i, format: 'ReqIF', advice: 'export it as CSV or Word' },
  { name: /./, holds: /^[\s\S]{0,300}<REQ-IF\b/, format: 'ReqIF', advice: 'export it as CSV or Word' },
  { name: /\.(?:sysml|kerml)$/i, format: 'SysML', advice: 'export its requirements as CSV' },
  { name: /\.(?:tex|latex)$/i, format: 'LaTeX', advice: 'make a PDF of it' },
  { name: /\.ya?ml$/i, holds: /^normative:[ \t]*(?:true|false)[ \t]*$/m, format: 'Doorstop', advice: 'publish the document as Markdown' }
]

/** @throws file_type_unsupported of a format that is known and not read, by its name and what to do instead */
export const requireProse = (filename: string, text: string): void => {
  const found = unread.find(({ name, holds }) => name.test(filename) && (holds === undefined || holds.test(text)))
  if (found) throw new ExtractionError('file_type_unsupported', `${found.format} is not read: ${found.advice}`)
}

const byExtension: [RegExp, string][] = [
  [/\.(md|markdown)$/i, 'text/markdown'], [/\.json$/i, 'application/json'], [/\.ya?ml$/i, 'application/yaml'],
  [/\.[ct]sv$/i, 'text/csv'], [/\.(?:rst|rest)$/i, 'text/x-rst'], [/\.feature$/i, 'text/x-gherkin']
]

/** @returns the media type of a text */
export const textType = (filename: string, mediaType: string): string => {
  const named = byExtension.find(([pattern]) => pattern.test(filename))?.[1]
  if (named) return named
  const [declared = ''] = mediaType.toLowerCase().split(';')
  return /^(text\/(markdown|csv|x-rst|x-gherkin)|application\/(json|yaml))$/.test(declared.trim()) ? declared.trim() : 'text/plain'
}

/** @returns the encoding by the mark at the start, or by where the zeros of UTF-16 stand */
const encodingOf = (data: Uint8Array): string => {
  if (startsWith(data, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(data, [0xfe, 0xff])) return 'utf-16be'
  const zeros = [0, 0]
  data.subarray(0, 1_024).forEach((byte, at) => { if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1 })
  const [even = 0, odd = 0] = zeros
  const most = Math.min(data.length, 1_024) / 4
  return odd > most && even === 0 ? 'utf-16le' : even > most && odd === 0 ? 'utf-16be' : 'utf-8'
}

const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32)

/** @throws file_type_unsupported for what is no text */
export const decodeText = (data: Uint8Array): string => {
  try {
    const text = new TextDecoder(encodingOf(data), { fatal: true }).decode(data)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below.
  }
  throw new ExtractionError('file_type_unsupported', data.some(isControl)
    ? 'It is neither text nor PDF, Word or HTML'
    : 'Its encoding is neither UTF-8 nor UTF-16: save it as UTF-8')
}

const charset = /charset\s*=\s*["']?([\w-]{1,40})/i

/** A page says which encoding it has: in the header it came with, else in its own head. */
export const decodeHtml = (data: Uint8Array, mediaType: string): string => {
  const head = Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, 1_024)).toString('latin1')
  const named = (charset.exec(mediaType) ?? charset.exec(head))?.[1]
  if (named === undefined || /^utf-?(?:8|16)/i.test(named)) return decodeText(data)
  try {
    return new TextDecoder(named, { fatal: true }).decode(data)
  } catch {
    return decodeText(data)
  }
}
