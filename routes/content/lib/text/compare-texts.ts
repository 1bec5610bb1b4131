import { diffLines, diffWordsWithSpace, type ChangeObject } from 'diff'
import type { ContentDiff } from '../../../../schemas/content/contents.js'

/** Texts that have little in common are told as one that went and one that came. */
const limits = { timeout: 500, maxEditLength: 20_000 }

export const compareTexts = (before: string, after: string, granularity: 'line' | 'word'):
ContentDiff['body'] => {
  const parts = granularity === 'word'
    ? diffWordsWithSpace(before, after, limits)
    : diffLines(before, after, limits)
  if (!parts) return [{ op: 'delete', text: before }, { op: 'insert', text: after }]
  return parts.map(({ added, removed, value }: ChangeObject<string>) =>
    ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text: value }))
}
