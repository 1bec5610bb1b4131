import { isDeepStrictEqual } from 'node:util'
import { diff3Merge } from 'node-diff3'

export type Outcome<T> = { value: T, conflict: false } | { value: T, conflict: true }

/** `base` undefined = the last proposal is unknown: any difference counts as a person's change. */
export interface Sides<T> { base: T | undefined, ours: T, theirs: T }

/** @returns ours, or theirs if only they changed, and whether both did */
export const mergeValue = <T>({ base, ours, theirs }: Sides<T>): Outcome<T> => {
  if (isDeepStrictEqual(ours, theirs)) return { value: ours, conflict: false }
  if (isDeepStrictEqual(ours, base)) return { value: theirs, conflict: false }
  return { value: ours, conflict: !isDeepStrictEqual(theirs, base) }
}

interface Region { ok?: string[], conflict?: unknown }

/** Merges by line or note, and keeps changes of both sides at different positions. */
export const mergeLines = ({ base, ours, theirs }: Sides<readonly string[]>): Outcome<readonly string[]> => {
  const plain = mergeValue({ base, ours, theirs })
  if (!plain.conflict || base === undefined) return plain
  // The library's type is any[]; it documents these two kinds of regions.
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
