import { keyOf } from '../text/word-key.js'
import type { Passage } from './prose.js'

const shingleWords = 5
/** The share from which two texts count as nearly the same. */
export const similarFrom = 0.8

const fnvPrime = 16_777_619

const hash = (text: string, seed: number): number => {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), fnvPrime)
  return value
}

/** Spreads every bit of a number over all of it. */
const mix = (value: number): number => {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

/** @returns a hash of every five consecutive words of the body and the posts, without quotations */
export const shinglesOf = (passages: Passage[]): Set<number> => new Set(passages
  .filter(({ kind, field }) => kind !== 'quote' && (kind !== 'field' || field.startsWith('fields.posts.')))
  .flatMap(({ text }) => {
    const words = keyOf(text).split(' ')
    return words.slice(shingleWords - 1).map((_, at) => hash(words.slice(at, at + shingleWords).join(' '), 1))
  }))

/** @returns the Jaccard index of two sets, 0 to 1 */
export const jaccard = (one: Set<number>, other: Set<number>): number => {
  const both = [...one].filter((shingle) => other.has(shingle)).length
  return both === 0 ? 0 : both / (one.size + other.size - both)
}

const bands = 32
const rows = 5

/**
 * MinHash: two texts with four fifths in common share one of these 32 numbers in all but three of a million cases;
 * texts with little in common hardly ever do. So an index finds the few texts that are worth comparing.
 * @param space only texts of the same space are compared
 */
export const sketchOf = (shingles: Set<number>, space: string): number[] => {
  if (shingles.size === 0) return []
  const all = [...shingles]
  const least = (seed: number) => all.reduce((low, shingle) => Math.min(low, mix(shingle ^ seed)), Infinity)
  return Array.from({ length: bands }, (_, band) => {
    const minima = Array.from({ length: rows }, (_, row) => least(mix(band * rows + row + 1)))
    return hash(`${space} ${band} ${minima.join(' ')}`, 1)
  })
}
