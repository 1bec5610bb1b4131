import { SpecDocument } from '../schemas/document.js'
import type { Suggestion } from '../schemas/merge.js'
import { keepUnchanged } from './keep-unchanged.js'
import { mergeItems, mergeKeptItems, type Rules } from './merge-items.js'
import { renumber } from './renumber.js'
import { mergeLines, mergeText, mergeValue, type Outcome } from './three-way.js'
import { byKey } from '../schemas/values.js'

export interface MergeTask {
  /** The proposal of the last generation, before any edit; undefined = none, or unknown. */
  generated: SpecDocument | undefined
  /** The document that this generation began from. */
  start: SpecDocument | undefined
  /** The newest version: it may have been edited since the generation began. */
  ours: SpecDocument
  theirs: SpecDocument
  preserve: 'human' | 'none'
  /** The generation was of parts: only what it changed counts. */
  isPart?: boolean
}

export interface Merged { document: SpecDocument, suggestions: Suggestion[] }

const notes = ['goals', 'non_goals', 'edge_cases', 'risks'] as const
const texts = ['summary', 'problem'] as const
type Whole = 'actors' | 'glossary' | 'entities' | 'interfaces'

const reason = 'A person changed this section, and the generation would change it in another way'
const isEmpty = (value: unknown): boolean => value === '' || value === null || (Array.isArray(value) && !value.length)

/** Merges section by section, and collects suggestions. */
class Merger {
  readonly suggestions: Suggestion[] = []
  readonly rules: Rules

  constructor (private readonly task: MergeTask) {
    this.rules = {
      overwrite: task.preserve === 'none', suggest: (suggestion) => { this.suggestions.push(suggestion) }
    }
  }

  section<T> (key: string, ours: T, theirs: T, outcome: Outcome<T>): T {
    if (this.task.ours.locked_sections.includes(key)) return ours
    if (this.rules.overwrite || isEmpty(ours)) return theirs
    if (outcome.conflict && !isEmpty(theirs)) {
      this.suggestions.push({ target: `sections.${key}`, op: 'replace', value: theirs, reason })
    }
    return outcome.value
  }

  lines (key: typeof notes[number]): string[] {
    const { generated, ours, theirs } = this.task
    const outcome = mergeLines({ base: generated?.[key], ours: ours[key], theirs: theirs[key] })
    const merged = this.section<readonly string[]>(key, ours[key], theirs[key], outcome)
    return merged.slice(0, SpecDocument.properties[key].maxItems)
  }

  text (key: string, base: string | undefined, ours: string, theirs: string): string {
    return this.section(key, ours, theirs, mergeText({ base, ours, theirs }))
  }

  whole<K extends Whole> (key: K): SpecDocument[K] {
    const { generated, ours, theirs } = this.task
    const outcome = mergeValue<SpecDocument[K]>({ base: generated?.[key], ours: ours[key], theirs: theirs[key] })
    return this.section<SpecDocument[K]>(key, ours[key], theirs[key], outcome)
  }

  /** Keeps a locked list; merges any other. */
  list<T> (key: string, ours: T, merge: () => T): T {
    return this.task.ours.locked_sections.includes(key) ? ours : merge()
  }
}

const mergeSections = (merger: Merger, { generated, ours, theirs }: MergeTask) => ({
  ...byKey(notes, (key) => merger.lines(key)),
  ...byKey(texts, (key) => merger.text(key, generated?.[key], ours[key], theirs[key])),
  actors: merger.whole('actors'),
  glossary: merger.whole('glossary'),
  entities: merger.whole('entities'),
  interfaces: merger.whole('interfaces'),
  design: merger.text('design', generated?.design ?? undefined, ours.design ?? '', theirs.design ?? '') || null
})

const mergeExtras = (merger: Merger, { generated, ours, theirs }: MergeTask): SpecDocument['sections'] => {
  const now = new Map(theirs.sections.map((section) => [section.key, section]))
  const known = new Set(ours.sections.map(({ key }) => key))
  const kept = ours.sections.map((section) => {
    const made = now.get(section.key)
    const before = generated?.sections.find(({ key }) => key === section.key)
    if (!made) return section
    const text = merger.text(section.key, before?.text, section.text, made.text)
    return text === made.text ? { ...made, text } : { ...section, text }
  })
  return [...kept, ...theirs.sections.filter(({ key }) => !known.has(key))]
}

/** @returns the questions, settled where an answer or a decision has settled them, also those that a person wrote */
const settled = ({ ours, theirs }: MergeTask): SpecDocument['open_questions'] => {
  const known = new Map(theirs.open_questions.filter(({ status }) => status !== 'open').map((one) => [one.id, one]))
  return ours.open_questions.map((one) => {
    const { status = one.status, answer_input_id = one.answer_input_id } = known.get(one.id) ?? {}
    return { ...one, status, answer_input_id }
  })
}

const mergeLists = (merger: Merger, task: MergeTask) => {
  const { generated, theirs } = task
  const ours = { ...task.ours, open_questions: settled(task) }
  const items = <K extends 'success_criteria' | 'assumptions' | 'open_questions' | 'decisions' | 'tasks'>(key: K) =>
    merger.list(key, ours[key], () => mergeItems<SpecDocument[K][number]>(
      { base: generated?.[key], ours: ours[key], theirs: theirs[key] }, merger.rules) as SpecDocument[K])
  return {
    stories: merger.list('stories', ours.stories, () => mergeKeptItems(
      { base: generated?.stories, ours: ours.stories, theirs: theirs.stories }, merger.rules)),
    requirements: merger.list('requirements', ours.requirements, () => mergeKeptItems(
      { base: generated?.requirements, ours: ours.requirements, theirs: theirs.requirements }, merger.rules)),
    success_criteria: items('success_criteria'),
    assumptions: items('assumptions'),
    open_questions: items('open_questions'),
    decisions: items('decisions'),
    tasks: items('tasks')
  }
}

/**
 * Merges a proposal into the newest version item by item. People's changes stay, and the generation's change becomes a
 * suggestion; locked items get none. No requirement vanishes, and ids stay.
 */
export const mergeDocuments = (task: MergeTask): Merged => {
  const { start, ours: newest } = task
  const named = renumber(start, newest, task.theirs)
  const known = { ...task, theirs: task.isPart && start ? keepUnchanged(named, start, newest) : named }
  const merger = new Merger(known)
  const { generated, ours, theirs } = known
  const document: SpecDocument = {
    ...theirs,
    title: merger.text('title', generated?.title, ours.title, theirs.title),
    ...mergeSections(merger, known),
    ...mergeLists(merger, known),
    sections: mergeExtras(merger, known),
    // What a person has set aside while the generation ran stays so.
    ...(ours.dismissed && { dismissed: ours.dismissed }),
    locked_sections: ours.locked_sections
  }
  return { document, suggestions: merger.suggestions }
}
