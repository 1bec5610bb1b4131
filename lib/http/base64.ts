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
