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
