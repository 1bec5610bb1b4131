import { requirementPrefixes, type SpecDocument } from '../schemas/document.js'
import { Ids } from '../engine/identify.js'

const lists = ['stories', 'requirements', 'success_criteria', 'assumptions', 'open_questions', 'decisions', 'tasks'] as
  const

export const idsOf = (document: SpecDocument): Set<string> =>
  new Set(lists.flatMap((list) => document[list].map(({ id }) => id)))

const digitsOf = (prefix: string) => prefix === 'SC' || Object.values(requirementPrefixes).includes(prefix) ? 3 : 1

const nextId = (ids: Ids, id: string): string => {
  const prefix = id.replace(/-?(?<!\d)\d+$/, '')
  if (id.includes('-')) return ids.next(prefix, digitsOf(prefix))
  return ids.next(prefix, 3, '')
}

const rename = (document: SpecDocument, names: ReadonlyMap<string, string>): SpecDocument => {
  const to = (id: string) => names.get(id) ?? id
  const item = <T extends { id: string, acceptance: { id: string }[] }>(one: T): T => ({
    ...one,
    id: to(one.id),
    acceptance: one.acceptance.map((criterion) => ({ ...criterion, id: criterion.id.replace(one.id, to(one.id)) }))
  })
  const named = <T extends { id: string }>(one: T): T => ({ ...one, id: to(one.id) })
  return {
    ...document,
    stories: document.stories.map(item),
    requirements: document.requirements.map(item).map((one) => ({
      ...one,
      story_ids: one.story_ids.map(to),
      depends_on: one.depends_on.map(to),
      assumption_ids: one.assumption_ids.map(to)
    })),
    success_criteria: document.success_criteria.map(named),
    assumptions: document.assumptions.map(named),
    open_questions: document.open_questions.map(named),
    decisions: document.decisions.map(named),
    tasks: document.tasks.map(named).map((task) => ({
      ...task,
      requirement_ids: task.requirement_ids.map(to),
      story_id: task.story_id === null ? null : to(task.story_id),
      depends_on: task.depends_on.map(to)
    }))
  }
}

/**
 * Renumbers the generation's items whose new ids a person's edit has used in the meantime.
 * @param start the document that the generation began from
 * @returns theirs, where each id of `ours` names the same item, with counters that exceed both
 */
export const renumber = (start: SpecDocument | undefined, ours: SpecDocument, theirs: SpecDocument): SpecDocument => {
  const before = start ? idsOf(start) : new Set<string>()
  const taken = idsOf(ours)
  const highest = Object.entries({ ...theirs.counters, ...ours.counters })
    .map(([prefix]) => [prefix, Math.max(ours.counters[prefix] ?? 0, theirs.counters[prefix] ?? 0)])
  const ids = new Ids({ counters: Object.fromEntries(highest) })
  const clashing = [...idsOf(theirs)].filter((id) => taken.has(id) && !before.has(id))
  const names = new Map(clashing.map((id) => [id, nextId(ids, id)]))
  return { ...rename(theirs, names), counters: ids.counters }
}
