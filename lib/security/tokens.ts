import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** What a token is for; the prefix lets secret scanners find it. */
export type TokenKind = 'pat' | 'link' | 'sess'

/** 30 characters of base62 are 178 bits, 43 are 256. */
const randomLengths: Record<TokenKind, number> = { pat: 30, link: 30, sess: 43 }

const base62 = (value: number): string => {
  let text = ''
  for (let left = value; text.length < checksumLength; left = Math.floor(left / 62)) text = alphabet[left % 62] + text
  return text
}

/** @returns `stw_<kind>_`, random base62 characters and their CRC32 in 6 more */
export const makeToken = (kind: TokenKind): string => {
  const random = Array.from({ length: randomLengths[kind] }, () => alphabet[randomInt(62)]).join('')
  return `stw_${kind}_${random}${base62(crc32(random))}`
}

/** @returns whether the text has a token's form and checksum; needs no database */
export const isWellFormedToken = (kind: TokenKind, text: string): boolean => {
  const start = `stw_${kind}_`.length
  const end = start + randomLengths[kind]
  if (!text.startsWith(`stw_${kind}_`) || text.length !== end + checksumLength) return false
  const random = text.slice(start, end)
  return /^[0-9A-Za-z]+$/.test(random) && text.endsWith(base62(crc32(random)))
}

/** Tokens have full entropy, so a plain SHA-256 at rest is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const sameToken = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

/** A new token: the text goes to its holder once, the hash into the row, the prefix into lists. */
export interface FreshToken { text: string, hash: Buffer, prefix: string }

export const freshToken = (kind: TokenKind): FreshToken => {
  const text = makeToken(kind)
  return { text, hash: hashToken(text), prefix: text.slice(0, `stw_${kind}_`.length + 4) }
}
