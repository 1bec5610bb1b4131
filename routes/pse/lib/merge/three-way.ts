import { isDeepStrictEqual } from 'node:util'
import { diff3Merge } from 'node-diff3'

export type Outcome<T> = { value: T, conflict: false } | { value: T, conflict: true }

/** undefined as `base` = it is not known what was generated before: then any difference is the person's. */
export interface Sides<T> { base: T | undefined, ours: T, theirs: T }

/** @returns ours, theirs where only they changed, and whether both did */
export const mergeValue = <T>({ base, ours, theirs }: Sides<T>): Outcome<T> => {
  if (isDeepStrictEqual(ours, theirs)) return { value: ours, conflict: false }
  if (isDeepStrictEqual(ours, base)) return { value: theirs, conflict: false }
  return { value: ours, conflict: !isDeepStrictEqual(theirs, base) }
}

interface Region { ok?: string[], conflict?: unknown }

/** Line by line (or note by note): what both changed at different places is kept of both. */
export const mergeLines = ({ base, ours, theirs }: Sides<readonly string[]>): Outcome<readonly string[]> => {
  const plain = mergeValue({ base, ours, theirs })
  if (!plain.conflict || base === undefined) return plain
  // The library's types say any[]; these are the two kinds of regions that it documents.
  const regions: Region[] = diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true })
  if (regions.some(({ conflict }) => conflict !== undefined)) return plain
  return { value: regions.flatMap(({ ok }) => ok ?? []), conflict: false }
}

export const mergeText = ({ base, ours, theirs }: Sides<string>): Outcome<string> => {
  const { value, conflict } = mergeLines({
    base: base?.split('\n'), ours: ours.split('\n'), theirs: theirs.split('\n')
  })
  return { value: value.join('\n'), conflict }
}
