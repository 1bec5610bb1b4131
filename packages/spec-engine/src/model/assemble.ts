import type { Citation, Judged, Question, SpecDocument, Support } from '../schemas/document.js'
import { makeSafe } from '../checks/unsafe.js'
import { cite, compileUnits, type Draft, draftOf } from '../engine/compile.js'
import { judgedUnits, plainUnits } from '../engine/judged.js'
import type { GenerationTask } from '../engine/task.js'
import type { Unit } from '../engine/triage.js'
import { keyOf } from '../engine/words.js'
import { keywordsOf, levelOfKeyword } from '../engine/words-that-demand.js'
import type { JudgeAnswer, PartAnswer, QuestionAnswer, RequirementAnswer, RestAnswer, StoryAnswer } from './answers.js'
import { matterOf, problemsOf } from './prove.js'

export const modelEngineVersion = 'model/2'

export interface PartResult extends PartAnswer {
  /** A line for each item that did not fit. */
  dropped: string[]
  /** The last answer was cut too: what is missing is asked about with the rest. */
  isCut: boolean
}

/** A part without an answer was not read; `failed` says why. */
export interface ReadPart { from: number, count: number, answer?: PartAnswer | undefined, failed?: string | undefined }

export interface Answers {
  parts: ReadPart[]
  groups: RestAnswer['groups']
  /** By the number of the requirement in the order of the parts, from 1. */
  verdicts: JudgeAnswer['verdicts']
  notice: string | null
}

/** Removes HTML, links that run code and characters that hide or turn text from what a model wrote. */
const safe = <T>(value: T): T => JSON.parse(JSON.stringify(value, (_, one: unknown) =>
  // A JSON round trip keeps the type of a JSON value.
  typeof one === 'string' ? makeSafe(one) : one)) as T

const secret = /(?<!\p{L})(?:passwords?|passphrases?|secrets?|tokens?|api[ -]?keys?|private keys?|credentials?|passw[oö]rte?r?|kennw[oö]rte?r?|mots? de passe|contraseñas?)(?!\p{L})/iu

/** Gathers what the sentences of an input are, those of the same kind and reason together. */
class Judgments {
  readonly #all = new Map<string, Judged>()
  readonly #known = new Set<string>()

  add ({ source, start }: Pick<Unit, 'source' | 'start'>, is: Judged['is'], why: string): void {
    this.keep(source.input_id, start, is, why)
  }

  keep (id: string, start: number, is: Judged['is'], why: string): void {
    if (this.#known.has(`${id} ${start}`)) return
    this.#known.add(`${id} ${start}`)
    const key = JSON.stringify([id, is, why])
    const held = this.#all.get(key) ?? { input_id: id, starts: [], is, why }
    held.starts.push(start)
    this.#all.set(key, held)
  }

  get list (): Judged[] { return [...this.#all.values()] }
}

const unique = (citations: readonly Citation[]): Citation[] =>
  [...new Map(citations.map((one) => [`${one.input_id} ${one.char_start}`, one])).values()]

/** The sentences that a model was asked about, by their numbers. */
class Sentences {
  readonly #dismissed: ReadonlySet<string>

  constructor (private readonly units: readonly Unit[], base: SpecDocument | undefined) {
    this.#dismissed = new Set(base?.dismissed?.map(({ input_id: id, char_start: start }) => `${id} ${start}`))
  }

  of (numbers: readonly number[]): Unit[] {
    return [...new Set(numbers)].sort((one, other) => one - other).flatMap((number) => this.units[number - 1] ?? [])
  }

  /** @returns what the item stands on; undefined where a person has set that aside */
  draft (numbers: readonly number[]): { draft: Draft, units: Unit[] } | undefined {
    const units = this.of(numbers)
    const [first] = units
    if (!first || units.every(({ source, start }) => this.#dismissed.has(`${source.input_id} ${start}`))) return undefined
    const draft = draftOf(first)
    draft.citations = unique(units.flatMap(cite))
    for (const { sourceId } of units) if (sourceId !== undefined) draft.sourceIds.add(sourceId)
    return { draft, units }
  }
}

const worst = { follows: 0, partly: 1, not: 2 }
const unjudged = { verdict: 'partly' as const, why: 'Nobody has compared it with its sentences' }

/** What the second call says, and what code sees: it is shown, and vetoes nothing. */
const supportOf = (item: RequirementAnswer, units: readonly Unit[], judged: Support = unjudged): Support => {
  const seen = problemsOf(item, units)
  const verdict = seen.length > 0 && worst[judged.verdict] === 0 ? 'partly' : judged.verdict
  const why = [...seen, ...judged.verdict === 'follows' ? [] : [judged.why]].filter(Boolean).join('. ')
  return { verdict, why: why.slice(0, 500).toWellFormed() }
}

const levelOf = ({ statement, level }: RequirementAnswer): RequirementAnswer['level'] => {
  const [keyword] = keywordsOf(statement)
  return keyword === undefined ? level : levelOfKeyword(keyword)
}

const join = (known: Draft, { citations, criteria, sourceIds, story }: Draft): void => {
  known.citations = unique([...known.citations, ...citations])
  const held = new Set(known.criteria.map(({ then }) => keyOf(then)))
  known.criteria.push(...criteria.filter(({ then }) => !held.has(keyOf(then))))
  for (const id of sourceIds) known.sourceIds.add(id)
  if (story) known.story ??= story
}

type Verdict = JudgeAnswer['verdicts'][number]

/**
 * Makes a draft of each requirement. Those that demand the same become one where the second call says so, and their
 * numbers, negation and level agree.
 */
const requirementsOf = (items: readonly RequirementAnswer[], verdicts: readonly Verdict[], sentences: Sentences,
  stories: ReadonlyMap<number, Draft>): Draft[] => {
  const judged = new Map(verdicts.map((one) => [one.requirement, one]))
  const made = new Map<number, Draft>()
  const worded = new Map<string, Draft>()
  const kept: Draft[] = []
  items.forEach((given, at) => {
    const item = { ...given, level: levelOf(given) }
    const found = sentences.draft(item.sentences)
    if (!found) return
    const { draft, units } = found
    const own = judged.get(at + 1)
    const story = stories.get(item.story)
    if (story) draft.story = story
    draft.criteria.push(...item.acceptance)
    const { title, statement, kind, level, verification } = item
    const support = supportOf(item, units, own)
    draft.requirement = { title, statement: statement.trim(), kind, level, verification, rationale: '', support }
    const said = own?.same_as === undefined ? undefined : made.get(own.same_as)
    const isSame = said?.requirement && matterOf(said.requirement) === matterOf(item)
    const same = worded.get(keyOf(statement)) ?? (isSame ? said : undefined)
    if (same) join(same, draft)
    else {
      kept.push(draft)
      worded.set(keyOf(statement), draft)
    }
    made.set(at + 1, same ?? draft)
  })
  return kept
}

const storiesOf = (items: readonly StoryAnswer[], sentences: Sentences): { drafts: Draft[], byNumber: Map<number, Draft> } => {
  const byNumber = new Map<number, Draft>()
  const drafts = items.flatMap(({ sentences: numbers, title, role, want, so_that, priority }) => {
    const draft = sentences.draft(numbers)?.draft
    if (!draft) return []
    draft.told = { title, role, want, so_that, priority }
    for (const number of numbers) byNumber.set(number, draft)
    return [draft]
  })
  return { drafts, byNumber }
}

/** A question that the sentence itself asks is asked in its words. */
const asks = ({ text }: Unit): boolean => text.trimEnd().endsWith('?')

const questionOf = ({ question, why_it_matters: why, options, blocking }: QuestionAnswer): Question => ({
  id: '',
  question,
  why_it_matters: (secret.test(question) ? `A model asks this: never answer it with a secret. ${why}` : why).slice(0, 500),
  options,
  recommended: null,
  blocking,
  status: 'open',
  answer_input_id: null,
  about: 'model'
})

const judge = (task: GenerationTask, { parts, groups }: Answers, sentences: Sentences): Judged[] => {
  const judgments = new Judgments()
  // Where only some requirements are made anew, the other sentences stay what they were.
  if (task.mode === 'requirements') {
    for (const { input_id: id, starts, is, why } of task.base?.judged ?? []) for (const start of starts) judgments.keep(id, start, is, why)
  }
  for (const { from, count, answer, failed } of parts) {
    const numbers = Array.from({ length: count }, (_, at) => from + at)
    if (failed !== undefined) for (const unit of sentences.of(numbers)) judgments.add(unit, 'unread', `Not read: ${failed}`.slice(0, 300))
    for (const { sentences: noted, is } of answer?.notes ?? []) for (const unit of sentences.of(noted)) judgments.add(unit, is, '')
    for (const { sentences: asked } of answer?.questions ?? []) {
      for (const unit of sentences.of(asked).filter(asks)) judgments.add(unit, 'question', '')
    }
  }
  for (const { sentences: numbers, is, why } of groups) for (const unit of sentences.of(numbers)) judgments.add(unit, is, why)
  return judgments.list
}

/** Makes a document of the model's answers, which name sentences by their numbers: code finds every quote. */
export const assemble = (task: GenerationTask, given: Answers): SpecDocument => {
  const answers = safe(given)
  const { locale } = task.session.settings
  const sentences = new Sentences(plainUnits(task.inputs, locale), task.base)
  const read = answers.parts.flatMap(({ answer }) => answer ?? [])
  const { drafts, byNumber } = storiesOf(read.flatMap(({ stories }) => stories), sentences)
  const judged = judge(task, answers, sentences)
  return compileUnits(task, judgedUnits(task.inputs, locale, judged), {
    engine: {
      name: 'anthropic',
      version: modelEngineVersion,
      model: task.model,
      capabilities: { infers: true, rewrites: 'model' },
      notice: answers.notice
    },
    requirements: requirementsOf(read.flatMap(({ requirements }) => requirements), answers.verdicts, sentences, byNumber),
    stories: drafts,
    questions: read.flatMap(({ questions }) => questions)
      .filter(({ sentences: numbers }) => !sentences.of(numbers).some(asks)).map(questionOf),
    judged
  })
}
