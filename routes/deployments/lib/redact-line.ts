import { redactText } from '../../../lib/security/redaction.js'

/** A log line also loses the values of names that mean a secret. */
const named = /(\b\w*(?:password|passwd|secret|token|api_?key|access_key)["']?\s*[=:]\s*["']?)[^\s"',;]{4,}/gi

/** The longest line that a record keeps. */
export const maxLineBytes = 16_384

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= maxLineBytes) return text
  return `${Buffer.from(text).subarray(0, maxLineBytes).toString('utf8').replace(/\ufffd$/, '')}… [cut]`
}

/** Characters that are read: redaction shortens a line, and what is cut off here would rarely have been kept. */
const maxRead = 4 * maxLineBytes

/** @returns the text without what has the form of a credential, no longer than a line may be, and storable */
export const redactLine = (text: string): string => {
  const read = text.slice(0, maxRead).replaceAll('\0', '').toWellFormed()
  return cut(redactText(read).replace(named, '$1[redacted]'))
}
