import {
  requirementPrefixes, type Citation, type Criterion, type Requirement, type RequirementKind, type SpecDocument,
  type Story
} from '../schemas/document.js'
import type { GenerationTask } from '../engine/task.js'
import { parseEars } from '../engine/ears.js'
import { Ids } from '../engine/identify.js'
import { citeRange, type Source } from '../engine/material.js'
import { shorten } from '../engine/words.js'
import { readFiles, readStory, type Taken, type TakenRequirement, type TakenStory } from './read-files.js'
import { byKey, keysOf } from '../schemas/values.js'

export const importVersion = 'import/1'

const notice = 'Taken over from files of a spec as they were; nothing was inferred.'

const kinds = Object.fromEntries(Object.entries(requirementPrefixes).map(([kind, prefix]) => [prefix, kind])) as
  // One entry for each kind.
  Record<string, RequirementKind>

/** An input of kind spec with its parsed content. */
export interface Given { source: Source, taken: Taken }

/** @returns the specs among the inputs in order, from files and from other sessions */
export const givenOf = (inputs: readonly Source[]): Given[] => inputs
  .filter(({ kind, superseded }) => kind === 'spec' && !superseded)
  .map((source) => {
    const { layout, files } = source.given ??
      { layout: 'markdown' as const, files: [{ path: 'spec.md', text: source.text }] }
    return { source, taken: readFiles(layout, files) }
  })

/** @returns whether there is anything to import */
export const holdsRequirements = (given: readonly Given[]): boolean =>
  given.some(({ taken }) => taken.requirements.length + taken.stories.length > 0)

const cite = ({ text, ...source }: Source, passage: string): Citation[] => {
  const at = passage === '' ? -1 : text.indexOf(passage)
  return at === -1 ? [] : citeRange({ text, ...source }, at, at + passage.length)
}

const criteria = (id: string, steps: TakenRequirement['acceptance']): Criterion[] =>
  steps.map(({ given, when, then, name }, at) => ({
    id: `${id}.AC${at + 1}`,
    ...(name !== undefined && { name: shorten(name, 300) }),
    given: shorten(given, 2_000),
    when: shorten(when, 2_000),
    then: shorten(then, 2_000)
  }))

const levelOf = (statement: string): Requirement['level'] => {
  if (/\b(?:SHALL|MUST)\b/i.test(statement)) return 'MUST'
  return /\bSHOULD\b/i.test(statement) ? 'SHOULD' : 'MAY'
}

const fresh = { origin: 'imported' as const, human_edited: false, locked: false }
const priorities = { MUST: 'P1', SHOULD: 'P2', MAY: 'P3' } as const

/** Reserves a number that the files use, so that no new item gets it. */
const reserve = (ids: Ids, id: string): void => {
  const [prefix = '', number = '0'] = id.split('-')
  ids.counters[prefix] = Math.max(ids.counters[prefix] ?? 0, Number(number))
}

/** Undoes the escapes of Markdown. */
const unescape = (text: string): string => text.replace(/\\(?=[<#|])/g, '')

class Importer {
  readonly ids: Ids
  readonly #told = new Map<TakenStory, string>()
  constructor (readonly task: GenerationTask, private readonly given: readonly Given[]) {
    this.ids = new Ids(task.base)
    for (const { taken } of given) for (const { id } of taken.requirements) if (id !== null) reserve(this.ids, id)
  }

  requirements (): Requirement[] {
    const made = new Map<string, Requirement>()
    for (const { source, taken } of this.given) {
      for (const item of taken.requirements) {
        const requirement = this.#requirement(source, item)
        made.set(requirement.id, requirement)
      }
    }
    return [...made.values()]
  }

  /** A requirement without an id gets the id of the one with the same title in the version before. */
  #idOf ({ id, title }: TakenRequirement): string {
    const known = this.task.base?.requirements.find((item) => item.title === title)
    return id ?? known?.id ?? this.ids.next('FR', 3)
  }

  #requirement (source: Source, item: TakenRequirement): Requirement {
    const id = this.#idOf(item)
    const statement = shorten(unescape(item.statement || item.title), 2_000)
    const level = levelOf(statement)
    const version = this.task.version ?? 1
    return {
      id,
      kind: kinds[id.replace(/-.*/, '')] ?? 'functional',
      title: shorten(item.title, 120),
      statement,
      pattern: parseEars(statement)?.pattern ?? 'free',
      level,
      priority: priorities[level],
      story_ids: item.story ? [this.#told.get(item.story) ?? []].flat() : [],
      acceptance: criteria(id, item.acceptance),
      verification: 'test',
      rationale: '',
      citations: cite(source, item.statement || item.title),
      ...(item.number !== undefined && { source_ids: [item.number] }),
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
    return this.given.flatMap(({ source, taken }) => taken.stories.map((story) => this.#story(source, story)))
  }

  #story (source: Source, told: TakenStory): Story {
    const { title, sentence, priority, test, acceptance } = told
    const known = this.task.base?.stories.find((story) => story.title === title)
    const id = known?.id ?? this.ids.next('US')
    this.#told.set(told, id)
    const parts = readStory(sentence)
    return {
      id,
      title: shorten(title, 120),
      role: shorten(parts?.role ?? 'a user', 120),
      want: shorten(parts?.want ?? sentence, 500),
      so_that: shorten(parts?.soThat ?? '', 500),
      priority: priority === 'P1' || priority === 'P3' ? priority : 'P2',
      independent_test: shorten(test, 500),
      acceptance: criteria(id, acceptance),
      citations: cite(source, sentence),
      ...fresh
    }
  }

  /** @returns the imported texts that the version before does not have */
  list (name: keyof Taken['lists'], limit: number, known: readonly string[]): string[] {
    const all = this.given.flatMap(({ taken }) => taken.lists[name]).map((text) => shorten(unescape(text), limit))
    return [...new Set(all)].filter((text) => !known.includes(text))
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

const notes = { goals: 100, non_goals: 200, edge_cases: 500, risks: 200 }

const addNotes = (importer: Importer, kept: Kept) =>
  byKey(keysOf(notes), (key) => [...kept[key], ...importer.list(key, 1_000, kept[key])].slice(0, notes[key]))

const addItems = (importer: Importer, { success_criteria: metrics, assumptions, open_questions: questions }: Kept) => ({
  success_criteria: [...metrics, ...importer.list('metrics', 300, metrics.map(({ metric }) => metric))
    .map((metric) => ({ id: importer.ids.next('SC', 3), metric, target: '', unit: '', citations: [] }))],
  assumptions: [...assumptions, ...importer.list('assumptions', 1_000, assumptions.map(({ text }) => text))
    .map((text) =>
      ({ id: importer.ids.next('A'), text, why: '', impact: 'medium' as const, confirmed_by_input: null }))],
  open_questions: [...questions, ...importer.list('questions', 500, questions.map(({ question }) => question))
    .map((question) => ({
      id: importer.ids.next('Q'),
      question,
      why_it_matters: '',
      options: [],
      recommended: null,
      blocking: false,
      status: 'open' as const,
      answer_input_id: null,
      about: null
    }))]
})

/** Imports the specs among the inputs without a model: ids stay, and nothing is inferred. */
export const importSpec = (task: GenerationTask, given: readonly Given[]): SpecDocument => {
  const importer = new Importer(task, given)
  const { base } = task
  const kept: Kept = base ?? blank
  const prose = (name: 'summary' | 'problem', limit: number) =>
    shorten(unescape(given.flatMap(({ taken }) => taken[name]).join('\n')), limit) || (base?.[name] ?? '')
  return {
    ...blank,
    ...kept,
    schema: 'pse.spec/1',
    engine: {
      name: 'import',
      version: importVersion,
      model: null,
      capabilities: { infers: false, rewrites: 'mechanical' },
      notice
    },
    settings: task.session.settings,
    title: task.session.title,
    summary: prose('summary', 1_000),
    problem: prose('problem', 4_000),
    ...addNotes(importer, kept),
    ...addItems(importer, kept),
    stories: importer.stories(),
    requirements: importer.requirements(),
    counters: importer.ids.counters
  }
}
