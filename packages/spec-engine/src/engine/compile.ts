import { type Role } from 'steward-document-reader/document'
import type { Citation, Criterion, Requirement, SpecDocument, Story } from '../schemas/document.js'
import { requirementPrefixes } from '../schemas/document.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import { parseEars } from './ears.js'
import { Ids, matchRequirements, matchStories } from './identify.js'
import { judgedUnits } from './judged.js'
import { kindOf } from './kind.js'
import { citeRange, materialOf, type SessionView, type Source } from './material.js'
import { statedPriority } from './priority.js'
import { Repeats, wordingOf } from './repeats.js'
import { withRest } from './rest.js'
import { inOne, type Scenario, scenariosOf } from './scenarios.js'
import { settle } from './settle.js'
import { storyParts } from './stories.js'
import { triage, type Unit } from './triage.js'
import { keyOf, shorten } from './words.js'

export const templateVersion = 'triage/1'

const notice = 'Sorted without a language model: each requirement is a sentence of the inputs, word for word. What is ' +
  'undecided waits for a person.'

export interface TemplateTask {
  session: SessionView
  inputs: readonly Source[]
  standards: readonly ResolvedStandard[]
  /** The version before: its ids and answered questions carry over. */
  base?: SpecDocument | undefined
  /** The number of the new version. */
  version?: number
}

/** A requirement or a story before it has an id; what a model wrote of it counts for more than the sentence. */
export interface Draft {
  unit: Unit
  requirement?: Pick<Requirement, 'title' | 'statement' | 'kind' | 'level' | 'verification' | 'rationale' | 'support'>
  told?: Pick<Story, 'title' | 'role' | 'want' | 'so_that' | 'priority'>
  citations: Citation[]
  criteria: Omit<Criterion, 'id'>[]
  sourceIds: Set<string>
  repeats: Repeats
  /** The story whose sentence this is, or that stands above it. */
  story?: Draft
}

export const cite = ({ source, start, end }: Pick<Unit, 'source' | 'start' | 'end'>): Citation[] => citeRange(source, start, end)

const citationsOf = (unit: Unit): Citation[] =>
  [unit, ...unit.parts].toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, end }) => cite({ source: unit.source, start, end }))

export const draftOf = (unit: Unit): Draft => ({
  unit, citations: citationsOf(unit), criteria: [], sourceIds: new Set(unit.sourceId ? [unit.sourceId] : []), repeats: new Repeats()
})

const below = (unit: Unit, home: Unit): boolean =>
  unit.source === home.source && home.headings.every((title, at) => unit.headings[at] === title)
const isWithin = (unit: Unit, { unit: home }: Draft): boolean => below(unit, home)

/** Gathers requirements and stories, and gives each criterion to the one right above it. */
class Collector {
  readonly requirements = new Map<string, Draft>()
  readonly stories = new Map<string, Draft>()
  #home: Draft | undefined
  #story: Draft | undefined
  /** The heading with an id that is open. */
  #named: Unit | undefined

  constructor (private readonly scenarios: ReadonlyMap<Unit, Scenario>) {}

  read (unit: Unit): void {
    if (this.#home && !isWithin(unit, this.#home)) this.#home = undefined
    if (this.#story && !isWithin(unit, this.#story)) this.#story = undefined
    if (unit.block.kind === 'heading' && (unit.sourceId !== undefined || (this.#named && !below(unit, this.#named)))) {
      this.#named = unit.sourceId === undefined ? undefined : unit
    }
    if (unit.fate === 'requirement') this.#home = this.#add(this.requirements, unit, this.#story)
    else if (unit.fate === 'story') this.#tell(unit)
    else if (unit.fate === 'criterion') this.#accept(unit, inOne(unit.text) ?? { given: '', when: '', then: unit.text }, [unit])
    else if (unit.fate === 'step') {
      const scenario = this.scenarios.get(unit)
      if (scenario && !this.#home && !this.#story) this.#stateBy(scenario)
      if (scenario) this.#accept(unit, scenario.criterion, scenario.units)
    }
  }

  #add (to: Map<string, Draft>, unit: Unit, story?: Draft): Draft {
    const key = keyOf(unit.text)
    const draft = draftOf(unit)
    const same = to.get(key)
    const isCited = (same ?? draft).repeats.take(wordingOf(unit))
    if (!same) {
      if (story) draft.story = story
      to.set(key, draft)
      return draft
    }
    if (isCited) same.citations.push(...draft.citations)
    for (const id of draft.sourceIds) same.sourceIds.add(id)
    return same
  }

  /** Where a heading with an id has nothing below it but scenarios, the first of them is what it demands. */
  #stateBy ({ units }: Scenario): void {
    const [first, ...parts] = units
    const named = this.#named
    if (!first || !named?.sourceId || !below(first, named)) return
    const text = units.map((one) => one.text).join('\n')
    const level = units.findLast(({ level: own }) => own === 'MUST')?.level ?? first.level
    const said = { fate: 'requirement', text, level, parts, sourceId: named.sourceId, title: named.text } as const
    this.#home = this.#add(this.requirements, { ...first, ...said })
  }

  /** A story is a requirement too, in its own words. */
  #tell (unit: Unit): void {
    this.#story = this.#add(this.stories, unit)
    this.#home = this.#add(this.requirements, unit, this.#story)
  }

  #accept (unit: Unit, criterion: Omit<Criterion, 'id'>, units: readonly Unit[]): void {
    // A criterion in a column belongs to its row; a story's sentence is also a requirement, and both have it.
    const row = unit.cell && [...this.requirements.values()].findLast((draft) => draft.unit.block === unit.block)
    const home = row ?? (unit.fate === 'criterion' ? this.#story : undefined) ?? this.#home
    const targets = home === this.#story || home?.story?.unit === home?.unit ? [this.#story, this.#home] : [home]
    const given = new Set(targets.flatMap((one) => one ?? []))
    for (const draft of given) {
      draft.criteria.push(criterion)
      draft.citations.push(...units.flatMap(cite))
    }
    // What demands stands for itself where nothing is above it.
    if (given.size === 0 && unit.fate === 'criterion' && /\b(?:must|shall)\b/i.test(unit.text)) this.#home = this.#add(this.requirements, unit)
  }
}

const number = (id: string, criteria: readonly Omit<Criterion, 'id'>[]): Criterion[] =>
  criteria.map((criterion, at) => ({ id: `${id}.AC${at + 1}`, ...criterion }))

/** The first words of a statement, to find it by. */
export const firstWords = (text: string): string =>
  shorten(text.replace(/\s+/g, ' '), 80).replace(/(?<![.;:,\s])[.;:,\s]+$/, '')

const fresh = { origin: 'generated' as const, human_edited: false, locked: false }
const priorityOf = { MUST: 'P1', SHOULD: 'P2', MAY: 'P3' } as const
const rank = { MUST: 0, SHOULD: 1, MAY: 2 }

/** What exceeds the limit stays undecided. */
const select = (drafts: readonly Draft[], limit: number): Draft[] => {
  const ranked = [...drafts].sort((one, other) => rank[written(one).level] - rank[written(other).level])
  const chosen = new Set(ranked.slice(0, limit))
  return drafts.filter((draft) => chosen.has(draft))
}

const nameStories = ({ base }: TemplateTask, ids: Ids, drafts: readonly Draft[]): Story[] => {
  const made = drafts.map(({ unit, citations, told }): Story => {
    const { role, want, soThat } = storyParts(unit.text)
    return {
      id: '',
      title: firstWords(want),
      role: shorten(role, 120),
      want: shorten(want, 500),
      so_that: shorten(soThat, 500),
      ...(told ?? { sentence: shorten(unit.text, 1_000) }),
      priority: statedPriority(unit) ?? told?.priority ?? 'P2',
      independent_test: '',
      acceptance: [],
      citations,
      ...fresh
    }
  })
  const known = matchStories(base?.stories ?? [], made)
  return made.map((story, at) => {
    const id = known.get(at)?.id ?? ids.next('US')
    return { ...story, id, acceptance: number(id, drafts[at]?.criteria ?? []) }
  })
}

/** In the words of its sentence, unless a model wrote others. */
const written = ({ unit, requirement }: Draft) => requirement ?? {
  title: shorten(unit.title ?? firstWords(unit.text), 120),
  statement: unit.text,
  kind: kindOf(unit),
  level: unit.level,
  verification: 'test' as const,
  rationale: unit.cell?.notes ?? ''
}

export const toRequirement = (draft: Draft, storyIds: string[], version: number): Requirement => {
  const own = written(draft)
  return {
    id: '',
    ...own,
    pattern: parseEars(own.statement)?.pattern ?? 'free',
    priority: statedPriority(draft.unit) ?? priorityOf[own.level],
    story_ids: storyIds,
    acceptance: [],
    citations: draft.citations,
    ...(draft.repeats.more > 0 && { repeats: draft.repeats.more }),
    ...(draft.sourceIds.size > 0 && { source_ids: [...draft.sourceIds] }),
    standards: [],
    depends_on: [],
    assumption_ids: [],
    ...fresh,
    status: 'active',
    retire_reason: null,
    since_version: version,
    retired_in: null
  }
}

const nameRequirements = ({ base, version = 1 }: TemplateTask, ids: Ids, drafts: readonly Draft[],
  storyIds: ReadonlyMap<Draft, string>): Requirement[] => {
  const made = drafts.map((draft) => toRequirement(draft, draft.story ? [storyIds.get(draft.story) ?? ''].filter(Boolean) : [], version))
  const known = matchRequirements((base?.requirements ?? []).filter(({ status }) => status === 'active'), made)
  return made.map((requirement, at) => {
    const old = known.get(at)
    const id = old?.id ?? ids.next(requirementPrefixes[requirement.kind], 3)
    return {
      ...requirement,
      id,
      kind: old?.kind ?? requirement.kind,
      acceptance: number(id, drafts[at]?.criteria ?? []),
      since_version: old?.since_version ?? version
    }
  })
}

/** The sentences below a heading that the spec has too, each once and word for word. */
const sectionTexts = (units: readonly Unit[], role: Role, limit = 1_000): string[] => [...new Map(units
  .filter((unit) => (unit.fate === 'note' || (role === 'non_goals' && unit.fate === 'aside')) && unit.role === role)
  .map(({ text }) => [keyOf(text), shorten(text, limit)])).values()]

/** Splits "Customer: who collects a parcel" into a name and its definition. */
const named = (text: string): { name: string, definition: string } => {
  const cut = /(?<!\s)\s*(?::| [–—-]) /.exec(text)
  return cut
    ? { name: shorten(text.slice(0, cut.index), 120), definition: shorten(text.slice(cut.index + cut[0].length), 500) }
    : { name: shorten(text.replace(/[.]$/, ''), 120), definition: '' }
}

const sectionsOf = ({ session, base }: TemplateTask, units: readonly Unit[], ids: Ids) => {
  const texts = (role: Role, limit?: number) => sectionTexts(units, role, limit)
  const assumed = new Map((base?.assumptions ?? []).map(({ text, id }) => [keyOf(text), id]))
  const measured = new Map((base?.success_criteria ?? []).map(({ metric, id }) => [keyOf(metric), id]))
  return {
    summary: shorten(session.description || texts('summary').join(' '), 1_000),
    problem: shorten(texts('problem', 4_000).join(' '), 4_000),
    goals: texts('goals'),
    non_goals: texts('non_goals'),
    actors: texts('actors').map(named).map(({ name, definition }) => ({ name, description: definition })),
    glossary: texts('glossary').map(named).filter(({ definition }) => definition !== '')
      .map(({ name, definition }) => ({ term: name, definition, aliases: [] })),
    edge_cases: texts('edge_cases'),
    risks: texts('risks'),
    success_criteria: texts('success', 300).map((metric) => ({
      id: measured.get(keyOf(metric)) ?? ids.next('SC', 3),
      metric,
      target: '',
      unit: '',
      citations: units.filter(({ role, text }) => role === 'success' && keyOf(shorten(text, 300)) === keyOf(metric)).flatMap(cite)
    })),
    assumptions: texts('assumptions').map((text) => ({
      id: assumed.get(keyOf(text)) ?? ids.next('A'),
      text,
      why: 'The inputs say that it is assumed',
      impact: 'medium' as const,
      confirmed_by_input: null
    }))
  }
}

/** @returns every sentence of the inputs that requirements may come from, as the document's engine divides and judges them */
export const unitsOf = (inputs: readonly Source[], locale: string, document?: Pick<SpecDocument, 'judged'>): Unit[] =>
  document?.judged
    ? judgedUnits(inputs, locale, document.judged)
    : materialOf(inputs).flatMap((source) => triage(source, locale))

/** What a model wrote, beside what its judgments make of the sentences. */
export interface Written {
  engine: SpecDocument['engine']
  requirements: readonly Draft[]
  stories: readonly Draft[]
  questions: SpecDocument['open_questions']
  judged: SpecDocument['judged']
}

const template: Written = {
  engine: {
    name: 'template',
    version: templateVersion,
    model: null,
    capabilities: { infers: false, rewrites: 'mechanical' },
    notice
  },
  requirements: [],
  stories: [],
  questions: [],
  judged: undefined
}

/** What a person has set aside is no demand any more. */
const withoutDismissed = (units: Unit[], { base }: TemplateTask): Unit[] => {
  const dismissed = new Set(base?.dismissed?.map(({ input_id: id, char_start: start }) => `${id} ${start}`))
  return dismissed.size === 0
    ? units
    : units.map((unit) => dismissed.has(`${unit.source.input_id} ${unit.start}`)
      ? { ...unit, fate: 'aside', class: 'other', why: 'A person has set it aside' }
      : unit)
}

/** What stands in the inputs comes in their order, whoever wrote it. */
const inOrder = (drafts: readonly Draft[]): Draft[] => drafts.toSorted((one, other) =>
  one.unit.source.seq - other.unit.source.seq || one.unit.start - other.unit.start)

/**
 * Makes a document of what the sentences are, and of what a model wrote, in time linear in the inputs. The same inputs,
 * standards, base and answers give the same document byte for byte.
 */
export const compileUnits = (task: TemplateTask, all: Unit[], written: Written): SpecDocument => {
  const { session, base } = task
  const units = withoutDismissed(all, task)
  const ids = new Ids(base)
  const scenarios = new Map(scenariosOf(units).flatMap((scenario) =>
    scenario.units.slice(0, 1).map((unit): [Unit, Scenario] => [unit, scenario])))
  const collector = new Collector(scenarios)
  for (const unit of units) collector.read(unit)
  const told = inOrder([...collector.stories.values(), ...written.stories])
  const stories = nameStories(task, ids, told)
  const storyIds = new Map(told.map((draft, at) => [draft, stories[at]?.id ?? '']))
  const drafts = select(inOrder([...collector.requirements.values(), ...written.requirements]),
    session.settings.max_requirements)
  const requirements = nameRequirements(task, ids, drafts, storyIds)
  const sections = sectionsOf(task, units, ids)
  const settled = settle(task, units, ids, written.questions)
  const document: SpecDocument = {
    schema: 'pse.spec/1',
    engine: written.engine,
    settings: session.settings,
    title: session.title,
    ...sections,
    stories,
    // Retired requirements stay, so that their ids are not used again.
    requirements: [...requirements, ...(base?.requirements ?? []).filter(({ status }) => status === 'retired')],
    entities: base?.entities ?? [],
    interfaces: base?.interfaces ?? [],
    assumptions: [...sections.assumptions, ...settled.assumptions],
    open_questions: settled.questions,
    decisions: settled.decisions,
    design: base?.design ?? null,
    tasks: base?.tasks ?? [],
    sections: settled.sections,
    ...(written.judged && { judged: written.judged }),
    ...(base?.dismissed && { dismissed: base.dismissed }),
    locked_sections: base?.locked_sections ?? [],
    counters: ids.counters
  }
  return withRest({ ...document, counters: ids.counters }, all)
}

/** Sorts the sentences of the inputs without a model: it infers and rewords nothing. */
export const compileTemplate = (task: TemplateTask): SpecDocument =>
  compileUnits(task, unitsOf(task.inputs, task.session.settings.locale), template)
