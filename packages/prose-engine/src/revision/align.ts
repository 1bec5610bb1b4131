import { diffArrays } from 'diff'
import { commonEnd, commonStart, type Range } from './ends.js'

/** What two texts have in common: `length` units from `from` in the earlier one are at `at` in the later one. */
export interface Stretch { from: number, at: number, length: number }

/** Beyond these limits only the common beginning and end count. */
const limits = { timeout: 300, maxEditLength: 4_000 }

/** After the end of a sentence or of a line. */
const sentences = (text: string): string[] => text.split(/(?<=[.!?…。]\s|\n)(?=\S)/u)

const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? []

type Compare = (before: string, after: string, from: number, at: number) => Stretch[]

const alignEnds: Compare = (before, after, from, at) => {
  const start = commonStart(before, after)
  const end = commonEnd(before.slice(start), after.slice(start))
  return [
    { from, at, length: start },
    { from: from + before.length - end, at: at + after.length - end, length: end }
  ].filter(({ length }) => length > 0)
}

/** Aligns tokens; what was replaced is aligned by `inner`. */
const alignBy = (split: (text: string) => string[], inner: Compare): Compare => (before, after, from, at) => {
  const parts = diffArrays(split(before), split(after), limits)
  if (!parts) return alignEnds(before, after, from, at)
  const found: Stretch[] = []
  let [removed, added] = ['', '']
  const replaced = () => {
    if (removed !== '' && added !== '') found.push(...inner(removed, added, from, at))
    from += removed.length
    at += added.length
    ;[removed, added] = ['', '']
  }
  for (const part of parts) {
    const text = part.value.join('')
    if (part.removed) removed += text
    else if (part.added) added += text
    else {
      replaced()
      found.push({ from, at, length: text.length })
      from += text.length
      at += text.length
    }
  }
  replaced()
  return found
}

const alignTexts = alignBy(sentences, alignBy(words, () => []))

/**
 * Aligns two versions of a text: by sentences first, so that of repeated words those of a sentence that stays do, then
 * by words within what was replaced.
 */
export const align = (before: string, after: string): Stretch[] =>
  before === after ? [{ from: 0, at: 0, length: before.length }] : joined(alignTexts(before, after, 0, 0))

const joined = (stretches: readonly Stretch[]): Stretch[] => {
  const whole: Stretch[] = []
  for (const { from, at, length } of stretches) {
    const last = whole.at(-1)
    if (last && last.from + last.length === from && last.at + last.length === at) last.length += length
    else whole.push({ from, at, length })
  }
  return whole
}

const offsetAfter = (stretches: readonly Stretch[], offset: number): number | undefined => {
  const held = stretches.find(({ from, length }) => from <= offset && offset < from + length)
  return held && held.at + offset - held.from
}

const visible = (text: string): number => text.replace(/\s/g, '').length

/** How much of a passage must stay, so that it is the same one, changed. */
const leastShare = 0.5

/** @returns where a passage is after an edit, which may have changed some of it; undefined = it is gone */
export const follow = (before: string, after: string, stretches: readonly Stretch[], { start, end }: Range):
Range | undefined => {
  const inside = stretches.map(({ from, at, length }) => {
    const [first, last] = [Math.max(from, start), Math.min(from + length, end)]
    return { first, last, at: at + first - from }
  }).filter(({ first, last }) => first < last)
  const [head, tail] = [inside[0], inside.at(-1)]
  if (!head || !tail) return undefined
  const kept = inside.reduce((sum, { first, last }) => sum + visible(before.slice(first, last)), 0)
  if (kept < visible(before.slice(start, end)) * leastShare) return undefined
  // Where an end of the passage was replaced, what replaces it reaches to its neighbour.
  const left = head.first === start ? undefined : start === 0 ? -1 : offsetAfter(stretches, start - 1)
  const right = tail.last === end ? undefined : offsetAfter(stretches, end)
  const found = { start: left === undefined ? head.at : left + 1, end: right ?? tail.at + tail.last - tail.first }
  return trim(after, found)
}

const trim = (text: string, { start, end }: Range): Range | undefined => {
  while (start < end && /\s/.test(text.charAt(start))) start++
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  return start < end ? { start, end } : undefined
}

/** @returns whether a part of the later text stood in the earlier one already */
export const stoodThere = (stretches: readonly Stretch[], { start, end }: Range): boolean =>
  stretches.some(({ at, length }) => at <= start && end <= at + length)

/** @returns where a passage is that stayed as it was, whole; undefined = some of it was changed */
export const followExactly = (before: string, after: string, { start, end }: Range): Range | undefined => {
  const stretches = align(before, after)
  const held = stretches.find(({ from, length }) => from <= start && end <= from + length)
  return held && { start: held.at + start - held.from, end: held.at + end - held.from }
}
