import { isUtf8 } from 'node:buffer'
import { NotUtf8, UnsupportedMediaType } from '../../schemas/errors.js'

const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i

/** ASCII is UTF-8 as well. */
const read = new Set(['utf-8', 'utf8', 'us-ascii'])

/** Decoding puts U+FFFD for what it cannot read: what it writes first differs from the bytes within such a letter. */
const offsetOfBroken = (bytes: Buffer): number => {
  const decoded = Buffer.from(bytes.toString('utf8'))
  let at = 0
  while (bytes[at] === decoded[at]) at++
  while (((decoded[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

/** @returns the text, without loss. @throws not_utf8, with the offset of the first byte that is wrong */
export const decodeUtf8 = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const offset = offsetOfBroken(bytes)
  throw NotUtf8(`The body is not UTF-8 from byte ${offset} on: send it as UTF-8`, { offset })
}

/** @returns the text of a body. @throws unsupported_media_type for another charset; not_utf8 */
export const readText = (contentType: string | undefined, bytes: Buffer): string => {
  const [, named] = charset.exec(contentType ?? '') ?? []
  if (named !== undefined && !read.has(named.toLowerCase())) {
    throw UnsupportedMediaType(`The charset ${named} is not read: send the body as UTF-8`)
  }
  return decodeUtf8(bytes)
}

const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** @returns the first percent-escape of a query that stands for no text; undefined = all do */
export const findBrokenEscape = (query: string): string | undefined => {
  if (!query.includes('%') || decodes(query)) return undefined
  // A whole run, as a character may take up to four escapes.
  return query.match(/(?:%[\da-f]{2})+|%.{0,2}/gi)?.find((run) => !decodes(run))
}

/**
 * Decodes base64 as RFC 4648, section 4, with its padding or without. An expression over the whole text would overflow
 * the stack of a warm process at some megabytes, so the decoder itself says how much it took.
 * @returns the bytes; undefined for what is no base64, and for nothing
 */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const letters = text.length - padding
  // Node's decoder also takes the alphabet of addresses, and passes over what it does not know.
  if (letters === 0 || letters % 4 === 1 || text.length % 4 === 1 || text.includes('-') || text.includes('_')) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === Math.floor(letters * 3 / 4) ? bytes : undefined
}

/** Levels of arrays and objects; deeper, a value would exhaust the stack of those who walk it. */
export const maxDepth = 64

/** Looks through JSON before it is parsed, in time that is proportional to its length. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if ((code === 91 || code === 123) && ++depth > maxDepth) return true
    else if (code === 93 || code === 125) depth--
  }
  return false
}
