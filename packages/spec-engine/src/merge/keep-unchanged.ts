import { isDeepStrictEqual } from 'node:util'
import type { SpecDocument } from '../schemas/document.js'

const wholes = ['title', 'summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'entities', 'interfaces',
  'edge_cases', 'risks', 'design'] as const

type Items<T> = readonly T[]

const keepItems = <T>(made: Items<T>, start: Items<T>, kept: Items<T>, nameOf: (item: T) => string): T[] => {
  const before = new Map(start.map((item) => [nameOf(item), item]))
  const now = new Set(made.map(nameOf))
  const changed = new Map(made.filter((item) => !isDeepStrictEqual(item, before.get(nameOf(item))))
    .map((item) => [nameOf(item), item]))
  const known = new Set(kept.map(nameOf))
  const stays = (item: T): boolean => now.has(nameOf(item)) || !before.has(nameOf(item))
  return [
    ...kept.filter(stays).map((item) => changed.get(nameOf(item)) ?? item),
    ...[...changed].filter(([name]) => !known.has(name)).map(([, item]) => item)
  ]
}

/**
 * Of a generation of parts, takes only what it changed.
 * @param start the document that the generation began from
 * @returns the generated document where it differs from `start`, and `kept` elsewhere
 */
export const keepUnchanged = (made: SpecDocument, start: SpecDocument, kept: SpecDocument): SpecDocument => {
  const items = <T extends { id: string }>(pick: (document: SpecDocument) => readonly T[]): T[] =>
    keepItems(pick(made), pick(start), pick(kept), ({ id }) => id)
  return {
    ...made,
    ...Object.fromEntries(wholes.map((key) =>
      [key, isDeepStrictEqual(made[key], start[key]) ? kept[key] : made[key]])) as
      // One entry for each of the keys.
      Pick<SpecDocument, typeof wholes[number]>,
    stories: items(({ stories }) => stories),
    requirements: items(({ requirements }) => requirements),
    success_criteria: items(({ success_criteria: list }) => list),
    assumptions: items(({ assumptions }) => assumptions),
    open_questions: items(({ open_questions: list }) => list),
    decisions: items(({ decisions }) => decisions),
    tasks: items(({ tasks }) => tasks),
    sections: keepItems(made.sections, start.sections, kept.sections, ({ key }) => key)
  }
}
