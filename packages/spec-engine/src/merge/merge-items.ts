import { isDeepStrictEqual } from 'node:util'
import type { Requirement, Story } from '../schemas/document.js'
import type { Suggestion } from '../schemas/merge.js'
import { mergeValue } from './three-way.js'

export interface Rules {
  /** Overwrites people's changes too, except locked items. */
  overwrite: boolean
  suggest: (suggestion: Suggestion) => void
}

interface Named { id: string }
export interface Lists<T> { base: readonly T[] | undefined, ours: readonly T[], theirs: readonly T[] }

const byId = <T extends Named>(items: readonly T[] | undefined) => new Map(items?.map((item) => [item.id, item]))

type Kept = Story | Requirement

/** @returns the item's content without the server's own fields */
const contentOf = (item: Kept) => {
  const { origin, human_edited, locked, ...content } = item
  const { since_version, ...rest } = { since_version: 0, ...content }
  return rest
}

const retired = (item: Kept): boolean => 'status' in item && item.status === 'retired'

const reason = 'A person changed this, and the generation would change it in another way'

const mergeKept = <T extends Kept>(base: T | undefined, ours: T, theirs: T, { overwrite, suggest }: Rules): T => {
  if (ours.locked || retired(ours)) return ours
  const since = 'since_version' in ours ? { since_version: ours.since_version } : {}
  const taken = { ...theirs, ...since, locked: false }
  // The generation may change an item that no person has edited.
  const isTouched = ours.human_edited || ours.origin !== 'generated'
  if (overwrite || !isTouched) return taken
  const { value, conflict } = mergeValue({
    base: base && contentOf(base), ours: contentOf(ours), theirs: contentOf(theirs)
  })
  if (conflict) {
    suggest(retired(theirs)
      ? { target: ours.id, op: 'retire', value: null, reason: retireReason(theirs) }
      : { target: ours.id, op: 'replace', value: theirs, reason })
  }
  return conflict || isDeepStrictEqual(value, contentOf(ours)) ? ours : taken
}

const retireReason = (item: Kept): string => ('retire_reason' in item && item.retire_reason) || reason

/**
 * Merges stories or requirements. An item that the generation lacks stays: only retiring it, with a reason, removes it.
 */
export const mergeKeptItems = <T extends Kept>({ base, ours, theirs }: Lists<T>, rules: Rules): T[] => {
  const before = byId(base)
  const now = byId(theirs)
  const known = byId(ours)
  const kept = ours.map((item) => {
    const made = now.get(item.id)
    return made ? mergeKept(before.get(item.id), item, made, rules) : item
  })
  return [...kept, ...theirs.filter(({ id }) => !known.has(id))]
}

/** @returns what an item says, however it and those that it depends on are numbered */
const withoutNumbers = (item: Named): string => JSON.stringify({ ...item, id: '', depends_on: [] })

/** Merges other items with ids: the generation may remove those that no person has changed. */
export const mergeItems = <T extends Named>({ base, ours, theirs }: Lists<T>, rules: Rules): T[] => {
  const before = byId(base)
  const now = byId(theirs)
  const known = byId(ours)
  const merge = (item: T): T[] => {
    const made = now.get(item.id)
    const { value, conflict } = mergeValue<T | undefined>({ base: before.get(item.id), ours: item, theirs: made })
    if (rules.overwrite) return made ? [made] : []
    if (conflict && made) rules.suggest({ target: item.id, op: 'replace', value: made, reason })
    return value ? [value] : []
  }
  // An item that a person removed stays removed, also when the generation gives it a new id.
  const removed = new Set([...before.values()].filter(({ id }) => !known.has(id)).map(withoutNumbers))
  const added = theirs.filter((item) => !known.has(item.id) &&
    (rules.overwrite || !(before.has(item.id) || removed.has(withoutNumbers(item)))))
  return [...ours.flatMap(merge), ...added]
}
