import { Locations } from 'steward-document-reader/document'
import {
  maxNotes, requirementPrefixes, type Citation, type Criterion, type Question, type Requirement, type RequirementKind,
  type SpecDocument, type Story
} from '../schemas/document.js'
import { unitsOf } from '../engine/compile.js'
import type { GenerationTask } from '../engine/task.js'
import { parseEars } from '../engine/ears.js'
import { Ids } from '../engine/identify.js'
import { citeRange } from '../engine/material.js'
import { withRest } from '../engine/rest.js'
import { keyOf, shorten } from '../engine/words.js'
import { type Given, givenOf, offsetInWhole } from './given.js'
import {
  openIn, readStory, type NoteList, type Span, type TakenCriterion, type TakenNote, type TakenRequirement, type TakenStory
} from './read-files.js'
import { byKey } from '../schemas/values.js'

export const importVersion = 'import/2'

/** Our prefixes of requirements, and what spec-kit calls what the system does not do but is. */
const kinds: Record<string, RequirementKind> = {
  ...Object.fromEntries(Object.entries(requirementPrefixes).map(([kind, prefix]) => [prefix, kind])) as
    // One entry for each kind.
    Record<string, RequirementKind>,
  NFR: 'quality'
}
/** Prefixes of what a spec has besides requirements. */
const others = /^(?:US|SC|A|Q|D|T)-/

/** @returns whether there is anything to import */
export const holdsRequirements = (given: readonly Given[]): boolean =>
  given.some(({ taken }) => taken.requirements.length + taken.stories.length + taken.notes.length > 0)

/** Undoes the escapes of Markdown. */
const unescape = (text: string): string => text.replace(/\\(?=[<#|])/g, '')

/** @returns the texts of an item as the document has them */
export const titleOf = ({ title }: Pick<TakenRequirement, 'title'>): string => shorten(unescape(title), 120)
export const statementOf = ({ statement, title }: TakenRequirement): string => shorten(unescape(statement || title), 2_000)
export const criterionOf = ({ given, when, then, name }: TakenCriterion): Omit<Criterion, 'id'> => ({
  ...(name !== undefined && { name: shorten(name, 300) }),
  given: shorten(given, 2_000),
  when: shorten(when, 2_000),
  then: shorten(then, 2_000)
})

/** @returns a story's parts; a sentence that says no role is what is wanted */
export const partsOf = (sentence: string): Pick<Story, 'role' | 'want' | 'so_that' | 'sentence'> => {
  const { role, want, soThat } = readStory(sentence) ?? { role: '', want: sentence, soThat: '' }
  return { role: shorten(role, 120), want: shorten(want, 500), so_that: shorten(soThat, 500), sentence: shorten(sentence, 1_000) }
}

/** Longest summary and longest problem. */
export const maxProse = 10_000

const noteLimits: Partial<Record<NoteList, number>> = { metrics: 300, questions: 500, summary: maxProse, problem: maxProse }
export const noteOf = ({ list, text }: TakenNote): string => shorten(unescape(text), noteLimits[list] ?? 1_000)

/** Splits "**Parcel**: what waits" into a name and what it is. */
export const namedOf = (text: string): { name: string, description: string } => {
  const [, name = text, description = ''] = /^([^:*]{1,120})[*:]{0,6} +(.*)$/s.exec(text.replace(/^\*+/, '')) ?? []
  return { name: shorten(name.trim(), 120), description: shorten(description, 500) }
}

const criteria = (id: string, steps: readonly TakenCriterion[]): Criterion[] =>
  steps.map((one, at) => ({ id: `${id}.AC${at + 1}`, ...criterionOf(one) }))

const levelOf = (statement: string): Requirement['level'] => {
  if (/\b(?:SHALL|MUST)\b/i.test(statement)) return 'MUST'
  return /\bSHOULD\b/i.test(statement) ? 'SHOULD' : 'MAY'
}

const fresh = { origin: 'imported' as const, human_edited: false, locked: false }
const priorities = { MUST: 'P1', SHOULD: 'P2', MAY: 'P3' } as const

/** Reserves a number that the files use, so that no new item gets it. */
const reserve = (ids: Ids, id: string): void => {
  const [prefix = '', number = '0'] = id.split('-')
  ids.counters[prefix] = Math.max(ids.counters[prefix] ?? 0, parseInt(number) || 0)
}

/** The id that the document may keep: Kiro counts from 1. */
const keptId = (id: string | null): string | null => {
  if (id === null || others.test(id)) return null
  return /^\d+$/.test(id) ? `FR-${id.padStart(3, '0')}` : /^[A-Z]/.test(id) ? id : null
}

class Importer {
  readonly ids: Ids
  readonly #told = new Map<TakenStory, string>()
  readonly #lines = new Map<string, Locations>()
  constructor (readonly task: GenerationTask, private readonly given: readonly Given[]) {
    this.ids = new Ids(task.base)
    for (const { taken } of given) {
      for (const { id } of taken.requirements) reserve(this.ids, keptId(id) ?? '')
      for (const { id, list } of taken.notes) if (list === 'metrics') reserve(this.ids, id ?? '')
    }
  }

  /** Where it stands: the file and the line. */
  cite ({ source, files, offsets }: Given, file: number, spans: readonly Span[]): Citation[] {
    const offset = offsets[file]
    const own = files[file]
    if (offset === undefined || !own) return []
    const { path } = own
    const lines = this.#lines.get(path) ?? new Locations(own.whole?.text ?? own.text)
    this.#lines.set(path, lines)
    return spans.filter(({ start, end }) => end > start).flatMap(({ start, end }) =>
      citeRange(source, offset + start, offset + end).map((citation) =>
        ({ ...citation, location: shorten(`${path} › ${lines.of(offsetInWhole(own, citation.char_start - offset, false))}`, 400) })))
  }

  requirements (): Requirement[] {
    const made = new Map<string, Requirement>()
    for (const given of this.given) {
      const own = new Set<string>()
      for (const item of given.taken.requirements) {
        const wanted = this.#idOf(item)
        // A change of OpenSpec restates what the main spec says; elsewhere one number stands for two things.
        const isAnother = given.layout === 'openspec' ? own.has(wanted) && item.id === null : made.has(wanted)
        const id = isAnother ? this.ids.next('FR', 3) : wanted
        own.add(id)
        made.set(id, this.#requirement(given, item, id))
      }
    }
    return [...made.values()]
  }

  /** A requirement without an id gets the id of the one with the same title in the version before. */
  #idOf ({ id, title }: TakenRequirement): string {
    const known = this.task.base?.requirements.find((item) => item.title === title)
    return keptId(id) ?? known?.id ?? this.ids.next('FR', 3)
  }

  #requirement (given: Given, item: TakenRequirement, id: string): Requirement {
    const statement = statementOf(item)
    const level = levelOf(statement)
    const version = this.task.version ?? 1
    const spans = item.texts.length > 0 ? item.texts : item.titleAt ? [item.titleAt] : []
    const cited = [...spans, ...item.acceptance.map(({ content }) => content).filter((one) => !spans.includes(one))]
    return {
      id,
      kind: kinds[id.replace(/-.*/, '')] ?? 'functional',
      title: titleOf(item),
      statement,
      pattern: parseEars(statement)?.pattern ?? 'free',
      level,
      priority: priorities[level],
      story_ids: item.story ? [this.#told.get(item.story) ?? []].flat() : [],
      acceptance: criteria(id, item.acceptance),
      verification: 'test',
      rationale: '',
      citations: this.cite(given, item.file, cited),
      ...(item.id !== null && { source_ids: [item.id] }),
      standards: [],
      depends_on: [],
      assumption_ids: [],
      ...fresh,
      status: item.retired === null ? 'active' : 'retired',
      retire_reason: item.retired,
      since_version: version,
      retired_in: item.retired === null ? null : version
    }
  }

  stories (): Story[] {
    return this.given.flatMap((given) => given.taken.stories.map((story) => this.#story(given, story)))
  }

  #story (given: Given, told: TakenStory): Story {
    const { sentence, priority, test, acceptance } = told
    const title = titleOf(told)
    const known = this.task.base?.stories.find((story) => story.title === title)
    const id = known?.id ?? this.ids.next('US')
    this.#told.set(told, id)
    return {
      id,
      title,
      ...partsOf(sentence),
      priority: priority === 'P1' || priority === 'P3' ? priority : 'P2',
      independent_test: shorten(test, 500),
      acceptance: criteria(id, acceptance),
      citations: this.cite(given, told.file, [...told.texts, ...acceptance.map(({ content }) => content)]),
      ...fresh
    }
  }

  /** @returns the notes of a section that the version before does not have, each once */
  notes (list: NoteList, known: readonly string[]): { text: string, note: TakenNote, given: Given }[] {
    const all = this.given.flatMap((given) => given.taken.notes.filter((note) => note.list === list)
      .map((note) => ({ text: noteOf(note), note, given })))
    return [...new Map(all.map((one) => [one.text, one])).values()].filter(({ text }) => !known.includes(text))
  }

  texts (list: NoteList, known: readonly string[] = []): string[] {
    return this.notes(list, known).map(({ text }) => text)
  }

  /** What a requirement leaves open must be answered before anybody builds it. */
  open (): { question: string, about: string | null, blocking: boolean }[] {
    const marked = this.given.flatMap(({ taken }) => taken.requirements.flatMap((item) =>
      openIn(item.statement).map((question) => ({ question, about: item.id, blocking: true }))))
    const asked = this.notes('questions', []).map(({ text, note: { id } }) =>
      ({ question: text, about: id === undefined || others.test(id) ? null : id, blocking: false }))
    return [...asked, ...marked]
  }
}

const blank = {
  goals: [],
  non_goals: [],
  edge_cases: [],
  risks: [],
  success_criteria: [],
  assumptions: [],
  open_questions: [],
  actors: [],
  glossary: [],
  entities: [],
  interfaces: [],
  decisions: [],
  design: null,
  tasks: [],
  sections: [],
  locked_sections: []
}
type Kept = Pick<SpecDocument, keyof typeof blank>

const noteKeys = ['goals', 'non_goals', 'edge_cases', 'risks'] as const

const addNotes = (importer: Importer, kept: Kept) =>
  byKey(noteKeys, (key) => [...kept[key], ...importer.texts(key, kept[key])].slice(0, maxNotes))

/** The id of a note in the files, where no other item has it. */
const noteId = (importer: Importer, { id }: TakenNote, prefix: string, used: Set<string>, digits?: number): string => {
  const own = id?.startsWith(`${prefix}-`) && !used.has(id) ? id : importer.ids.next(prefix, digits)
  used.add(own)
  return own
}

const addItems = (importer: Importer, kept: Kept) => {
  const { success_criteria: metrics, assumptions, open_questions: questions, glossary, entities } = kept
  const used = new Set([...metrics, ...assumptions].map(({ id }) => id))
  const asked = new Set(questions.map(({ question }) => keyOf(question)))
  const terms = new Set(glossary.map(({ term }) => term))
  const names = new Set(entities.map(({ name }) => name))
  return {
    success_criteria: [...metrics, ...importer.notes('metrics', metrics.map(({ metric }) => metric))
      .map(({ text: metric, note, given }) => ({
        id: noteId(importer, note, 'SC', used, 3),
        metric,
        target: '',
        unit: '',
        citations: importer.cite(given, note.file, [note.content])
      }))],
    assumptions: [...assumptions, ...importer.notes('assumptions', assumptions.map(({ text }) => text))
      .map(({ text, note }) => ({
        id: noteId(importer, note, 'A', used), text, why: '', impact: 'medium' as const, confirmed_by_input: null
      }))],
    glossary: [...glossary, ...importer.texts('glossary').map(namedOf).filter(({ name }) => !terms.has(name))
      .map(({ name, description }) => ({ term: name, definition: description, aliases: [] }))],
    entities: [...entities, ...importer.notes('entities', []).map(({ text, note, given }) =>
      ({ ...namedOf(text), fields: [], citations: importer.cite(given, note.file, [note.content]) }))
      .filter(({ name }) => !names.has(name))],
    open_questions: [...questions, ...importer.open().filter(({ question }) => !asked.has(keyOf(question)))
      .map(({ question, about, blocking }): Question => ({
        id: importer.ids.next('Q'),
        question,
        why_it_matters: '',
        options: [],
        recommended: null,
        blocking,
        status: 'open',
        answer_input_id: null,
        about
      }))]
  }
}

/** Imports the specs among the inputs without a model: ids stay, and nothing is inferred. */
export const importSpec = (task: GenerationTask): SpecDocument => {
  const importer = new Importer(task, givenOf(task.inputs))
  const { base } = task
  const kept: Kept = base ?? blank
  const prose = (name: 'summary' | 'problem') =>
    shorten(importer.texts(name).join('\n'), maxProse) || (base?.[name] ?? '')
  const document: SpecDocument = {
    ...blank,
    ...kept,
    schema: 'pse.spec/1',
    engine: {
      name: 'import', version: importVersion, model: null, capabilities: { infers: false, rewrites: 'mechanical' }, notice: null
    },
    settings: task.session.settings,
    title: task.session.title,
    summary: prose('summary'),
    problem: prose('problem'),
    ...addNotes(importer, kept),
    ...addItems(importer, kept),
    stories: importer.stories(),
    requirements: importer.requirements(),
    counters: importer.ids.counters
  }
  return withRest(document, unitsOf(task.inputs, task.session.settings.locale, document))
}
