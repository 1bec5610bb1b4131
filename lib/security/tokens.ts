import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/**
 * What a token is for; the prefix lets secret scanners find it. Connected assistants have an access token, `oat`, and a
 * refresh token, `ort`; `cal` is in the address of a calendar.
 */
type TokenKind = 'pat' | 'link' | 'sess' | 'oat' | 'ort' | 'cal'

/** 30 characters of base62 are 178 bits, 43 are 256. */
const randomLengths: Record<TokenKind, number> = { pat: 30, link: 30, sess: 43, oat: 43, ort: 43, cal: 43 }

/** @returns the last digits of the number */
const base62 = (value: number | bigint, length = checksumLength): string => {
  let text = ''
  for (let left = BigInt(value); text.length < length; left /= 62n) text = alphabet.charAt(Number(left % 62n)) + text
  return text
}

/** 128 bits in base62; a workspace's id is no secret. */
const keyLength = 22
const uuidForm = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** @returns the id of a workspace as a token carries it */
const keyOf = (workspaceId: string): string => base62(BigInt(`0x${workspaceId.replaceAll('-', '')}`), keyLength)

/** @returns the workspace's id; undefined for a key that is larger than any id */
const idOf = (key: string): string | undefined => {
  const hex = [...key].reduce((sum, character) => sum * 62n + BigInt(alphabet.indexOf(character)), 0n).toString(16)
  return hex.length > 32 ? undefined : hex.padStart(32, '0').replace(uuidForm, '$1-$2-$3-$4-$5')
}

/**
 * @param workspaceId whose the token is; null = of the installation's first workspace, whose tokens carry no key: they
 *   have the form of those that were made when there was no other
 * @param digest of 256 bits, from which the token follows: whoever makes it again of the same gets the same
 * @returns `stw_<kind>_`, the workspace's key and `_`, random base62 characters, and the CRC32 of all that in 6 more
 */
export const makeToken = (kind: TokenKind, workspaceId: string | null = null, digest?: Buffer): string => {
  const length = randomLengths[kind]
  const random = digest === undefined
    ? Array.from({ length }, () => alphabet[randomInt(62)]).join('')
    : base62(BigInt(`0x${digest.toString('hex')}`), length)
  const body = workspaceId === null ? random : `${keyOf(workspaceId)}_${random}`
  return `stw_${kind}_${body}${base62(crc32(body))}`
}

/** Tokens have full entropy, so a plain SHA-256 at rest is enough. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** What a token says by itself: of which workspace it is (null = the first), and by which hash that one knows it. */
export interface ReadToken { workspaceId: string | null, hash: Buffer }

/** @returns undefined for a text without a token's form and checksum; needs no database */
export const readToken = (kind: TokenKind, text: string): ReadToken | undefined => {
  const body = /^stw_([a-z]+)_((?:([0-9A-Za-z]{22})_)?([0-9A-Za-z]+))([0-9A-Za-z]{6})$/.exec(text)
  if (body?.[1] !== kind || body[4]?.length !== randomLengths[kind]) return undefined
  if (body[5] !== base62(crc32(body[2] ?? ''))) return undefined
  const workspaceId = body[3] === undefined ? null : idOf(body[3])
  return workspaceId === undefined ? undefined : { workspaceId, hash: hashToken(text) }
}

export const sameToken = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

/** A new token: the text goes to its holder once, the hash into the row, the prefix into lists. */
export interface FreshToken { text: string, hash: Buffer, prefix: string }

/** @param workspaceId null = the installation's first, as `makeToken` says */
export const freshToken = (kind: TokenKind, workspaceId: string | null, digest?: Buffer): FreshToken => {
  const text = makeToken(kind, workspaceId, digest)
  return { text, hash: hashToken(text), prefix: text.slice(0, text.lastIndexOf('_') + 5) }
}

type Deps = Pick<FastifyInstance, 'home'>

/**
 * @param digest from which the token follows; without it, it is random
 * @returns a new token of the workspace, which says whose it is
 */
export const issueToken = ({ home }: Deps, kind: TokenKind, workspaceId: string, digest?: Buffer): FreshToken =>
  freshToken(kind, workspaceId === home.workspace_id ? null : workspaceId, digest)

/** In which workspace a credential is looked up, and by what. Whether that one knows it, a query says. */
export interface TokenKey { workspaceId: string, hash: Buffer }

/** @returns undefined for what is no token of the kind */
export const keyOfToken = ({ home }: Deps, kind: TokenKind, text: string): TokenKey | undefined => {
  const read = readToken(kind, text)
  return read && { workspaceId: read.workspaceId ?? home.workspace_id, hash: read.hash }
}
