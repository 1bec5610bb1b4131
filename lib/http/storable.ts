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
