import { createHash } from 'node:crypto'

/** The base32 of the AT Protocol, whose letters sort as their values. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'
const keyLength = 13

/** @returns a TID: 53 bits of microseconds and 10 bits of a clock's id, as 13 letters */
const toTid = (micros: bigint, clock: bigint): string => {
  let rest = (micros << 10n) | clock
  let text = ''
  for (let at = 0; at < keyLength; at++) {
    text = `${letters[Number(rest & 31n)]}${text}`
    rest >>= 5n
  }
  return text
}

const maxPosts = 25

/**
 * The key under which a post is stored: the same for each attempt, and another for each publication.
 * @param index of the post in its thread; keys of later posts sort later
 */
export const recordKeyOf = (publicationId: string, at: Date, index: number): string => {
  const hash = createHash('sha256').update(publicationId).digest()
  // What a time in milliseconds leaves open comes from the publication.
  const within = hash.readUInt16BE(0) % (1_000 - maxPosts) + index
  return toTid(BigInt(at.getTime()) * 1_000n + BigInt(within), BigInt(hash.readUInt16BE(2) % 1_024))
}
