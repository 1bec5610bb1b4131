import { InvalidText } from '../../schemas/errors.js'

const mayBeUnstorable = /\\u0000|\\u[dD][89a-fA-F]/

/** @returns the key as a segment of a JSON pointer (RFC 6901) */
export const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** @returns the pointer of the first string, key or value, that PostgreSQL cannot hold */
const findUnstorable = (value: unknown, pointer = ''): string | undefined => {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? pointer : undefined
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, child] of Object.entries(value)) {
    const here = `${pointer}/${escapePointer(key)}`
    const found = key.includes('\0') || !key.isWellFormed() ? here.toWellFormed() : findUnstorable(child, here)
    if (found !== undefined) return found
  }
  return undefined
}

/** What XML 1.0 has no way to write, not even as a reference (Char, section 2.2). */
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const everyNotXml = new RegExp(notXml, 'g')

/** @returns the pointer of the first string that fails, keys left out; and the character */
const findNotXml = (value: unknown, pointer = ''): { pointer: string, found: string } | undefined => {
  if (typeof value === 'string') {
    const [found] = notXml.exec(value) ?? []
    return found === undefined ? undefined : { pointer, found }
  }
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return undefined
  for (const [key, child] of Object.entries(value)) {
    const found = findNotXml(child, `${pointer}/${escapePointer(key)}`)
    if (found) return found
  }
  return undefined
}

/** @throws invalid_text for text that feeds and other XML could not hold, with the pointer */
export const requireXmlText = (value: unknown): void => {
  const { pointer, found } = findNotXml(value) ?? {}
  if (pointer === undefined || found === undefined) return
  const code = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  const message = `holds the control character ${code}: take it out`
  throw InvalidText(`${pointer} ${message}`, { errors: [{ pointer, code: 'invalid_text', message }] })
}

/** @returns text that came some other way, with U+FFFD where XML has no way to write a character */
export const toXmlText = (text: string): string => text.toWellFormed().replace(everyNotXml, '\ufffd')

const refuse = (pointer: string) => InvalidText(`${pointer} holds NUL or half of a surrogate pair`,
  { errors: [{ pointer, code: 'invalid_text', message: 'holds NUL or half of a surrogate pair' }] })

/** @throws invalid_text, with the pointer */
export const requireStorable = (value: unknown): void => {
  const pointer = findUnstorable(value)
  if (pointer !== undefined) throw refuse(pointer)
}

/**
 * @param text the JSON that the value was parsed from: most need no walk
 * @throws invalid_text, with the pointer
 */
export const requireStorableJson = (text: string, value: unknown): void => {
  if (mayBeUnstorable.test(text)) requireStorable(value)
}
