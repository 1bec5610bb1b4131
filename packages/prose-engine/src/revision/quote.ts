import { commonEnd, commonStart, type Range } from './ends.js'

/** As a TextQuoteSelector of W3C's annotations: the words, and what stands around them. */
export interface Quote { exact: string, prefix: string, suffix: string }

/** Units of context on either side. */
const around = 32

/** @returns a position that is not within a surrogate pair */
const whole = (text: string, offset: number, step: 1 | -1): number => {
  const code = text.charCodeAt(offset)
  return offset > 0 && offset < text.length && code >= 0xDC00 && code <= 0xDFFF ? offset + step : offset
}

export const quoteAt = (text: string, { start, end }: Range): Quote => ({
  exact: text.slice(start, end),
  prefix: text.slice(whole(text, Math.max(0, start - around), 1), start),
  suffix: text.slice(end, whole(text, Math.min(text.length, end + around), -1))
})

interface Candidate extends Range { score: number }

/** @returns all occurrences of the words, by how much of the context fits */
export const occurrences = (text: string, { exact, prefix, suffix }: Quote): Candidate[] => {
  const found: Candidate[] = []
  for (let start = text.indexOf(exact); start >= 0; start = text.indexOf(exact, start + 1)) {
    const end = start + exact.length
    const before = commonEnd(text.slice(Math.max(0, start - prefix.length), start), prefix)
    found.push({ start, end, score: before + commonStart(text.slice(end, end + suffix.length), suffix) })
  }
  return found
}

/** @returns the occurrences whose context fits best: more than one where the context does not say which is meant */
export const bestOf = (candidates: readonly Candidate[]): Candidate[] => {
  const score = Math.max(...candidates.map((one) => one.score))
  return candidates.filter((one) => one.score === score)
}

export const nearest = <R extends Range>(ranges: readonly R[], start: number): R | undefined =>
  ranges.toSorted((one, other) => Math.abs(one.start - start) - Math.abs(other.start - start))[0]

/** Words of this length that occur once are the same passage, wherever they are. */
const longEnough = 24

/**
 * Finds a passage that was gone: restored, or moved. The same words elsewhere are another passage, unless half of the
 * context is there too.
 * @param isNew whether a part of the text was not there before: what was is another passage
 */
export const findAgain = (text: string, quote: Quote, start: number, isNew: (range: Range) => boolean):
Range | undefined => {
  const candidates = occurrences(text, quote).filter(isNew)
  if (candidates.length === 0) return undefined
  const best = nearest(bestOf(candidates), start)
  const isOnlyOne = candidates.length === 1 && quote.exact.length >= longEnough
  const hasContext = best !== undefined && best.score * 2 >= quote.prefix.length + quote.suffix.length
  return best && (hasContext || isOnlyOne) ? { start: best.start, end: best.end } : undefined
}
