import {
  requirementPrefixes, type Assumption, type Citation, type Criterion, type Question, type Requirement,
  type SpecDocument, type Story
} from '../schemas/document.js'
import { makeSafe } from '../checks/unsafe.js'
import { parseEars } from '../engine/ears.js'
import { byWording, Ids, matchRequirements, matchStories, questionKey } from '../engine/identify.js'
import { matchQuote } from '../engine/match-quote.js'
import type { Source } from '../engine/material.js'
import type { GenerationTask } from '../engine/task.js'
import { statedPriority } from '../engine/priority.js'
import { compileTemplate, unitsOf } from '../engine/compile.js'
import { withRest } from '../engine/rest.js'
import type { Unit } from '../engine/triage.js'
import { keyOf } from '../engine/words.js'
import { keywordsOf, levelOfKeyword } from '../engine/words-that-demand.js'
import type {
  EdgesAnswer, FrameAnswer, QuestionsAnswer, Quote, RequirementAnswer, StoriesAnswer
} from './sections.js'

export const modelEngineVersion = 'model/1'

export interface Answers {
  frame: FrameAnswer
  stories: StoriesAnswer
  /** `story` is an index into the stories; undefined = of no story. */
  requirements: { story: number | undefined, items: RequirementAnswer[] }[]
  edges: EdgesAnswer
  questions: QuestionsAnswer
}

/** What the parts of one assembly share. */
interface Assembly {
  task: GenerationTask
  sources: ReadonlyMap<string, Source>
  units: readonly Unit[]
  ids: Ids
}

const fresh = { origin: 'generated' as const, human_edited: false, locked: false }

const unique = (citations: readonly Citation[]): Citation[] =>
  [...new Map(citations.map((one) => [`${one.input_id} ${one.char_start} ${one.char_end}`, one])).values()]

/** @returns the model's citations whose quote stands in the named chunk, with their positions */
const prove = ({ sources }: Assembly, quotes: readonly Quote[]): Citation[] => {
  const proven = quotes.flatMap(({ chunk_id: id, quote }) => {
    const source = sources.get(id.slice(0, Math.max(0, id.indexOf('#'))))
    const found = source && matchQuote(source, id, quote)
    return found ? [found] : []
  })
  return unique(proven)
}

/** @returns the sentences in which the citations stand, in their order */
const citedUnits = ({ units }: Assembly, citations: readonly Citation[]): Unit[] =>
  citations.flatMap(({ input_id: id, char_start: start, char_end: end }) =>
    units.filter((unit) => unit.source.input_id === id && unit.start < end && start < unit.end))

/** The sources' own priority and ids count for more than what a model makes of them. */
const asStated = (assembly: Assembly, requirement: Requirement): Requirement => {
  const units = citedUnits(assembly, requirement.citations)
  const [priority = requirement.priority] = units.flatMap((unit) => statedPriority(unit) ?? [])
  const sourceIds = new Set(units.flatMap(({ sourceId }) => sourceId ?? []))
  return { ...requirement, priority, ...(sourceIds.size > 0 && { source_ids: [...sourceIds] }) }
}

const number = (id: string, criteria: readonly Omit<Criterion, 'id'>[]): Criterion[] =>
  criteria.map((criterion, at) => ({ id: `${id}.AC${at + 1}`, ...criterion }))

const levelOf = (statement: string, fallback: Requirement['level']): Requirement['level'] => {
  const [keyword] = keywordsOf(statement)
  return keyword === undefined ? fallback : levelOfKeyword(keyword)
}

/** The same demand of another story or input stands on both. */
const addTo = (known: Requirement, storyIds: readonly string[], citations: readonly Citation[]): void => {
  known.story_ids = [...new Set([...known.story_ids, ...storyIds])]
  known.citations = unique([...known.citations, ...citations])
}

interface Judged { requirements: Requirement[], unproven: RequirementAnswer[] }

const priorityOf = { MUST: 'P1', SHOULD: 'P2', MAY: 'P3' } as const

const toRequirement = (assembly: Assembly, answer: RequirementAnswer, citations: Citation[], storyIds: string[]):
Requirement => {
  const level = levelOf(answer.statement, answer.level)
  return {
    id: '',
    kind: answer.kind,
    title: answer.title,
    statement: answer.statement.trim(),
    pattern: parseEars(answer.statement)?.pattern ?? 'free',
    level,
    priority: priorityOf[level],
    story_ids: storyIds,
    acceptance: number('', answer.acceptance),
    verification: answer.verification,
    rationale: answer.rationale,
    citations,
    standards: [],
    depends_on: [],
    assumption_ids: [],
    ...fresh,
    status: 'active',
    retire_reason: null,
    since_version: assembly.task.version ?? 1,
    retired_in: null
  }
}

/** Separates proven requirements from unproven ones, which become assumptions for a person to confirm. */
const judge = (assembly: Assembly, answers: Answers, stories: readonly Story[]): Judged => {
  const kept = new Map<string, Requirement>()
  const unproven: RequirementAnswer[] = []
  for (const { story, items } of answers.requirements) {
    const storyIds = story === undefined ? [] : [stories[story]?.id].flatMap((id) => id ?? [])
    for (const item of items) {
      const citations = prove(assembly, item.citations)
      const known = kept.get(keyOf(item.statement))
      if (citations.length === 0) unproven.push(item)
      else if (known) addTo(known, storyIds, citations)
      else kept.set(keyOf(item.statement), toRequirement(assembly, item, citations, storyIds))
    }
  }
  return { requirements: [...kept.values()].map((one) => asStated(assembly, one)), unproven }
}

const rank = { MUST: 0, SHOULD: 1, MAY: 2 }

const limit = (requirements: Requirement[], most: number): Requirement[] => {
  const chosen = new Set([...requirements].sort((one, other) => rank[one.level] - rank[other.level]).slice(0, most))
  return requirements.filter((one) => chosen.has(one))
}

const nameRequirements = ({ task, ids }: Assembly, made: Requirement[]): Requirement[] => {
  const before = task.base?.requirements ?? []
  const known = matchRequirements(before.filter(({ status }) => status === 'active'), made)
  const named = made.map((one, at) => {
    const old = known.get(at)
    const id = old?.id ?? ids.next(requirementPrefixes[one.kind], 3)
    return {
      ...one,
      id,
      acceptance: number(id, one.acceptance.map(({ id: _, ...rest }) => rest)),
      since_version: old?.since_version ?? one.since_version
    }
  })
  return [...named, ...before.filter(({ status }) => status === 'retired')]
}

const nameStories = (assembly: Assembly, { stories }: StoriesAnswer): Story[] => {
  const made = stories.map(({ citations, ...story }): Story =>
    ({ id: '', ...story, acceptance: [], citations: prove(assembly, citations), ...fresh }))
  const known = matchStories(assembly.task.base?.stories ?? [], made)
  return made.map((story, at) => ({ ...story, id: known.get(at)?.id ?? assembly.ids.next('US') }))
}

const assumptionsOf = ({ task, ids }: Assembly, { assumptions }: QuestionsAnswer, unproven: RequirementAnswer[],
  settled: Assumption[]): Assumption[] => {
  const known = new Map((task.base?.assumptions ?? []).map((one) => [keyOf(one.text), one]))
  const proposed = [...assumptions, ...unproven.map(({ statement }) => ({
    text: statement, why: 'The model proposed this as a requirement, and no input backs it', impact: 'high' as const
  }))]
  const unique = [...new Map(proposed.map((one) => [keyOf(one.text), one])).values()]
  return [...settled, ...unique.map((one): Assumption => known.get(keyOf(one.text)) ??
    ({ id: ids.next('A'), ...one, confirmed_by_input: null }))]
}

const questionsOf = ({ task, ids }: Assembly, { questions }: QuestionsAnswer, settled: Question[]): Question[] => {
  const known = byWording(task.base?.open_questions ?? [])
  const done = new Set(settled.map(({ id }) => id))
  return [...settled, ...questions.flatMap((one): Question[] => {
    const old = known.get(questionKey({ question: one.question, about: null }))
    if (old && done.has(old.id)) return []
    const recommended = one.options.includes(one.recommended) ? one.recommended : null
    const made = { ...one, recommended, status: 'open' as const, answer_input_id: null, about: null }
    return [{ ...made, id: old?.id ?? ids.next('Q') }]
  })]
}

const successOf = (assembly: Assembly, { success_criteria: list }: EdgesAnswer): SpecDocument['success_criteria'] => {
  const known = new Map((assembly.task.base?.success_criteria ?? []).map((one) => [keyOf(one.metric), one.id]))
  return list.map(({ citations, ...one }) => ({ ...one, citations: prove(assembly, citations) }))
    .map((one) => ({ id: known.get(keyOf(one.metric)) ?? assembly.ids.next('SC', 3), ...one }))
}

/** @returns the highest number of these ids, such as 12 of D-12 */
const highest = (items: readonly { id: string }[]): number =>
  Math.max(0, ...items.map(({ id }) => Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? 0)))

const isConfirmed = ({ confirmed_by_input: input }: Assumption): boolean => input !== null
const isSettled = ({ status }: Question): boolean => status !== 'open'

/** Counts the ids that the template engine has assigned to decisions and what they settle. */
const countersOf = ({ base }: GenerationTask, { decisions, assumptions, open_questions: questions }: SpecDocument) => {
  const before = base?.counters ?? {}
  const read = {
    D: highest(decisions), A: highest(assumptions.filter(isConfirmed)), Q: highest(questions.filter(isSettled))
  }
  const taken = Object.entries(read).filter(([prefix, number]) => number > (before[prefix] ?? 0))
  return { ...before, ...Object.fromEntries(taken) }
}

const assemblyOf = (task: GenerationTask, read: SpecDocument, units: readonly Unit[]): Assembly => ({
  task,
  units,
  sources: new Map(task.inputs.map((source) => [source.input_id, source])),
  ids: new Ids({ counters: countersOf(task, read) })
})

/** Removes HTML and links that run code from a model's texts. */
const safe = <T>(value: T): T => JSON.parse(JSON.stringify(value, (_, one: unknown) =>
  // A JSON round trip keeps the type of a JSON value.
  typeof one === 'string' ? makeSafe(one) : one)) as T

/**
 * Makes a document of the model's answers: assigns ids, removes duplicates and proves every citation. Entities,
 * interfaces, decisions and settled questions come from the template engine.
 */
export const assemble = (task: GenerationTask, given: Answers): SpecDocument => {
  const answers = safe(given)
  const read = compileTemplate(task)
  const units = unitsOf(task.inputs, task.session.settings.locale)
  const assembly = assemblyOf(task, read, units)
  const stories = nameStories(assembly, answers.stories)
  const { requirements: proven, unproven } = judge(assembly, answers, stories)
  const requirements = nameRequirements(assembly, limit(proven, task.session.settings.max_requirements))
  const { questions } = answers
  const success = successOf(assembly, answers.edges)
  return withRest({
    ...read,
    engine: {
      name: 'anthropic',
      version: modelEngineVersion,
      model: task.model,
      capabilities: { infers: true, rewrites: 'model' },
      notice: null
    },
    ...answers.frame,
    glossary: answers.frame.glossary.map((term) => ({ ...term, aliases: [] })),
    stories,
    requirements,
    edge_cases: answers.edges.edge_cases,
    risks: answers.edges.risks,
    success_criteria: success,
    assumptions: assumptionsOf(assembly, questions, unproven,
      read.assumptions.filter(isConfirmed)),
    open_questions: questionsOf(assembly, questions, read.open_questions.filter(isSettled)),
    counters: assembly.ids.counters
  }, units)
}
