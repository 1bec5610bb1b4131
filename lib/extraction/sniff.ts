import { ExtractionError } from './errors.js'

export type Format = 'pdf' | 'docx' | 'html' | 'text'

const startsWith = (data: Uint8Array, bytes: number[]) => bytes.every((byte, at) => data[at] === byte)

const has = (data: Uint8Array, text: string, within: number) =>
  Buffer.from(data.buffer, data.byteOffset, Math.min(within, data.length)).includes(text)

/** @returns the format of the bytes; the name and the header count only where the bytes are ambiguous */
export const sniff = (data: Uint8Array, filename: string, mediaType: string): Format => {
  if (has(data, '%PDF-', 1_024)) return 'pdf'
  if (startsWith(data, [0x50, 0x4b])) return 'docx'
  if (startsWith(data, [0xd0, 0xcf, 0x11, 0xe0])) {
    const encrypted = /\.docx$/i.test(filename)
    throw encrypted
      ? new ExtractionError('file_encrypted', 'The document is protected by a password')
      : new ExtractionError('file_type_unsupported', 'Old Office formats are not read; save it as .docx')
  }
  const isHtml = /\bhtml\b/.test(mediaType) || /\.x?html?$/i.test(filename)
  return isHtml || has(data, '<!doctype html', 200) || has(data, '<!DOCTYPE html', 200) ? 'html' : 'text'
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

/** @throws file_type_unsupported for what is no text */
export const decodeText = (data: Uint8Array): string => {
  const encoding = startsWith(data, [0xff, 0xfe]) ? 'utf-16le' : startsWith(data, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(data)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below.
  }
  const isText = data.subarray(0, 4_096).every((byte) => byte > 31 || (byte > 8 && byte < 14))
  throw new ExtractionError('file_type_unsupported', isText
    ? 'Its encoding is neither UTF-8 nor UTF-16: save it as UTF-8'
    : 'It is neither text nor PDF, Word or HTML')
}
