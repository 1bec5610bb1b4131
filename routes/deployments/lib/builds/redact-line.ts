import { redactText } from '../../../../lib/security/redaction.js'
import { namedSecret } from '../../../../lib/security/secret-names.js'

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
  // A log line loses whatever has a secret's name, also what looks like a word.
  return cut(redactText(read).replace(namedSecret, '$<kept>[redacted]'))
}
