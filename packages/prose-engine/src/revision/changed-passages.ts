import { diffLines } from 'diff'
import type { ContentBody } from '../schemas/text.js'
import { repairableFields, textAt } from './repair.js'

/** A passage that differs between two texts, by its position in both. */
export interface ChangedPassage {
  field: string
  start_at: number
  end_at: number
  before: string
  after: string
  /** Where `before` stands in the earlier text. */
  was: { start: number, end: number }
}

/** Beyond these limits all of a field is one passage. */
const limits = { timeout: 500, maxEditLength: 5_000 }

/** @returns how many characters two texts begin with in common, up to the end of a word */
const commonStart = (one: string, other: string): number => {
  let length = 0
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++
  while (length > 0 && /\S/.test(one.charAt(length - 1))) length--
  return length
}

const reversed = (text: string): string => [...text].reverse().join('')

type Difference = Omit<ChangedPassage, 'field'>

/** Without the words that both begin and end with, but for one where nothing else is left of either. */
const trimmed = ({ before, after, start_at: at, was }: Difference): Difference => {
  const start = commonStart(before, after)
  const end = commonStart(reversed(before.slice(start)), reversed(after.slice(start)))
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (old === '' || now === '') return { before, after, start_at: at, end_at: at + after.length, was }
  return {
    before: old,
    after: now,
    start_at: at + start,
    end_at: at + start + now.length,
    was: { start: was.start + start, end: was.start + start + old.length }
  }
}

/** Lines that were added or removed take the one before with them: an empty passage would be nowhere. */
const changesIn = (before: string, after: string): Difference[] => {
  const whole = { before, after, start_at: 0, end_at: after.length, was: { start: 0, end: before.length } }
  const parts = diffLines(before, after, limits)
  if (!parts) return [whole]
  const differences: Difference[] = []
  let [was, now, same] = [0, 0, '']
  let open: Difference | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined
      same = value
      ;[was, now] = [was + value.length, now + value.length]
      continue
    }
    if (!open) {
      open = {
        before: same,
        after: same,
        start_at: now - same.length,
        end_at: now,
        was: { start: was - same.length, end: was }
      }
      differences.push(open)
    }
    if (removed) {
      open.before += value
      was += value.length
    } else {
      open.after += value
      now += value.length
    }
  }
  return differences.map(trimmed)
}

/** @returns the passages of a text that differ from those of an earlier one */
export const changedPassages = (earlier: ContentBody, later: ContentBody): ChangedPassage[] =>
  repairableFields(later).flatMap((field) => {
    const [before, after] = [textAt(earlier, field) ?? '', textAt(later, field) ?? '']
    return before === after ? [] : changesIn(before, after).map((difference) => ({ field, ...difference }))
  })
