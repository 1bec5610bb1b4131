import { hash } from 'node:crypto'

/**
 * @returns a weak tag of the text: whoever compresses an answer on its way may keep the tag, and nothing asks for less
 *   than a whole answer or compares a list before it writes
 */
export const weakTagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** @returns whether the reader has this already, by If-None-Match, which compares weakly (RFC 9110, 13.1.2) */
export const isHeld = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((held) => opaque(held) === opaque(tag))
