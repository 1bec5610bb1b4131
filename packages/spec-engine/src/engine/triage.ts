import { acceptanceLabel, type Role, roleOf, type Sentence, sentencesOf } from 'steward-document-reader/document'
import type { Level, NotTaken } from '../schemas/document.js'
import { languageOf, type ReadLanguage, sentenceLanguage, textLanguage } from './language.js'
import type { Source } from './material.js'
import { isStory } from './stories.js'
import { shorten } from './words.js'
import { demandsIn, hintsIn, keywordsOf, levelIn } from './words-that-demand.js'

/**
 * What becomes of a sentence without a model. `mark` is no sentence, such as a title; `note` goes into the section of
 * the spec that has its heading; what is `undecided` waits for a person.
 */
export type Fate = 'requirement' | 'story' | 'step' | 'criterion' | 'question' | 'note' | 'aside' | 'undecided' | 'mark'

/** A sentence of an input, what becomes of it, and why. */
export interface Unit extends Sentence {
  source: Source
  language: ReadLanguage
  role: Role | undefined
  fate: Fate
  class: NotTaken['class']
  why: string
  level: Level
  /** What the statement consists of besides: the line above its list, or the items below it. */
  parts: Sentence[]
  /** The heading with an id right above. */
  title?: string
  /** What a person is asked about it. */
  asks?: string
}

type Verdict = Pick<Unit, 'fate' | 'class' | 'why'>

const verdict = (fate: Fate, why: string, kind: NotTaken['class'] = 'other'): Verdict => ({ fate, class: kind, why })
const undecided = (why: string): Verdict => verdict('undecided', why, 'undecided')

/** Longest statement; a longer sentence is for a person to divide. */
export const maxStatement = 2_000

/** Sections whose sentences are no demands of this spec, whatever their words are. */
const asides: Partial<Record<Role, NotTaken['class']>> =
  { non_goals: 'other', later: 'other', alternatives: 'alternative', history: 'history', examples: 'example', boilerplate: 'boilerplate' }

/** Sections that the spec has too: their sentences go there word for word. */
const notes: ReadonlySet<Role | undefined> = new Set<Role>(['goals', 'problem', 'summary', 'assumptions', 'risks',
  'success', 'glossary', 'actors', 'edge_cases', 'decisions'])
const demanding: ReadonlySet<Role | undefined> = new Set<Role>(['requirements', 'acceptance', 'stories'])

/** What stands for a value that is not known yet. */
export const placeholder = /\b(?:TBD|TBC|TODO|FIXME)\b|\?\?\?|NEEDS CLARIFICATION/
/** States of a row or an element that is not to be built. */
export const refused = /^(?:rejected|invalid|obsolete|withdrawn|deprecated|deleted|dropped|cancell?ed|won['’]?t(?: fix| do)?|out of scope|abgelehnt|verworfen|ungültig|refusée?|rechazad[ao])$/i
const declares = /\b(?:as|to be interpreted as) described in[\s\S]{0,80}(?:RFC ?2119|BCP ?14)/i

/** More than one word, one of them before the last with a letter. */
const isSentence = (text: string): boolean =>
  text.trim().split(/\s+/).slice(0, -1).some((word) => /\p{L}/u.test(word))
const below = ({ headings }: Sentence): string => headings.length > 0 ? `, below “${headings.at(-1) ?? ''}”` : ''

/** What speaks for a sentence that nobody has decided. */
const hinted = (sentence: Sentence, language: ReadLanguage): Verdict => {
  const hints = [...new Set(hintsIn(sentence.text, language).map(({ word }) => `“${word}”`))].slice(0, 3)
  return undecided(hints.length > 0
    ? `It has ${hints.join(', ')}${below(sentence)}`
    : `Nothing says whether it is demanded${below(sentence)}`)
}

/** What the sentence's place says of it; undefined = its words decide. */
const byPlace = ({ text, block, cell, isStruck, isLink }: Sentence, hasDemand: boolean): Verdict | undefined => {
  if (block.kind === 'older') {
    return hasDemand ? undecided('It quotes an older message') : verdict('aside', 'It quotes an older message', 'history')
  }
  if (block.kind === 'signature') return verdict('aside', 'It stands in a signature', 'boilerplate')
  if (isStruck) return verdict('aside', 'It is struck out', 'history')
  const isFence = block.kind === 'code' && /^(?:`{3}|~{3})/.test(text)
  if (isLink || isFence || !/\p{L}/u.test(text)) return verdict('mark', 'It is no sentence', 'boilerplate')
  if (block.kind === 'heading' || block.kind === 'metadata' || cell?.isHeader) {
    return hasDemand && !block.element ? undecided('It stands in a title') : verdict('mark', 'It is a title', 'boilerplate')
  }
  if (block.kind === 'code') {
    return hasDemand ? undecided('It stands in a block of code') : verdict('aside', 'It is code', 'boilerplate')
  }
  // "When a door opens, the lamp must glow" is a sentence of its own, however many of them stand in a row.
  const isWhole = hasDemand && /^(?:given|when|angenommen|wenn|quand|lorsque|cuando)(?!\p{L})[^,]*,/iu.test(text)
  return block.kind === 'step' && !isWhole ? verdict('step', 'It is a step of a scenario', 'example') : undefined
}

/** Elements that stand for a requirement by their name, or by an id of their own. */
const demandingType = /(?:^|[_-])(?:req|requirement|need|spec|item|rule|constraint|shall|feat|sys|sw|stkh|story|us)(?:$|[_-])|req(?:uirement)?s?$/i
const asidesOfElements = /^(?:rubric|topic|sidebar|epigraph|versionadded|versionchanged|deprecated)$/

const byElement = ({ block: { element, row } }: Sentence): Verdict | undefined => {
  if (!element || row || asidesOfElements.test(element.type)) return undefined
  const state = element.fields.status ?? element.fields.state ?? ''
  if (refused.test(state)) return verdict('aside', `Its state is “${state}”`)
  return demandingType.test(element.type)
    ? verdict('requirement', `It stands in “${element.type}”${element.id === undefined ? '' : ` ${element.id}`}`)
    : undefined
}

const byCell = ({ text, cell }: Sentence, hasDemand: boolean): Verdict | undefined => {
  if (!cell) return undefined
  if (cell.role === 'text') {
    return refused.test(cell.state) || refused.test(cell.type)
      ? verdict('aside', `Its state is “${refused.test(cell.state) ? cell.state : cell.type}”`)
      : verdict('requirement', `It stands in the column “${cell.column}”`)
  }
  if (cell.role === 'accepted') return verdict('criterion', `It stands in the column “${cell.column}”`)
  if (!isSentence(text)) return verdict('mark', 'It is no sentence', 'boilerplate')
  const beside = `It stands in the column “${cell.column}”`
  if (cell.isTable) return hasDemand ? undecided(beside) : verdict('aside', beside)
  return undefined
}

/** The words of a sentence that its place leaves open. */
const byWords = (sentence: Sentence, language: ReadLanguage, role: Role | undefined, isStrict: boolean): Verdict => {
  const { text, block } = sentence
  const capitals = keywordsOf(text)
  const sure = demandsIn(text, language)
  const [first] = sure
  const open = placeholder.exec(text)?.[0]
  if (open !== undefined) return first ? verdict('question', `It leaves “${open}” open`, 'question') : undecided(`It leaves “${open}” open`)
  if (block.kind === 'quote' && first) return undecided('It is quoted')
  if (text.length > maxStatement) return undecided(`It is longer than ${maxStatement} characters: divide it`)
  if (capitals[0] !== undefined) return verdict('requirement', `It has “${capitals[0]}”`)
  if (first && isStrict) return undecided('Only keywords in capitals demand in this document')
  const isLoose = sure.every(({ level }) => level === 'SHOULD') && block.kind === 'paragraph' && !demanding.has(role)
  if (first && !isLoose) return verdict('requirement', `It has “${first.word}”`)
  if (first) return undecided(`It has “${first.word}”${below(sentence)}`)
  const [hint] = hintsIn(text, language)
  if (hint && demanding.has(role)) return verdict('requirement', `It has “${hint.word}”${below(sentence)}`)
  const isOwn = notes.has(role) && !/^(?:notes?|discussion|remarks?|status|minutes)\b/i.test(sentence.headings.at(-1) ?? '')
  return isOwn ? verdict('note', `It stands below “${sentence.headings.at(-1) ?? ''}”`) : hinted(sentence, language)
}

/** Reads the sentences of one input in order, and what one says of the next. */
class Triage {
  readonly units: Unit[] = []
  readonly #language: ReadLanguage
  readonly #isStrict: boolean
  /** The demand that introduces a list, and whether its items only complete it. */
  #intro: { unit: Unit, splits: boolean } | undefined
  #isAccepting = false
  #named: { id: string, title: string, headings: readonly string[] } | undefined
  /** The heading with an id that the sentence stands below, however far. */
  #above: { title: string, headings: readonly string[] } | undefined

  /**
   * @param isThread several people wrote it: what one of them says is not what was decided
   * @param joins what completes a sentence is joined with it; else each sentence stands alone
   */
  constructor (private readonly source: Source, locale: string, private readonly isThread: boolean,
    private readonly joins: boolean) {
    const found = textLanguage(source.text)
    this.#language = found === undefined || found === 'other' ? languageOf(locale) : found
    this.#isStrict = declares.test(source.text)
  }

  read (sentence: Sentence): void {
    const { text, block, headings, sourceId } = sentence
    const language = sentenceLanguage(text, this.#language)
    this.#follow(sentence)
    if (block.kind !== 'item' || this.#intro?.unit.headings !== headings) this.#intro = undefined
    if (this.joins && this.#complete(sentence, language)) return
    const role = roleOf(headings)
    const unit: Unit = {
      ...sentence,
      source: this.source,
      language,
      role,
      ...this.#judge(sentence, language, role),
      level: levelIn(text, language),
      parts: []
    }
    if (block.kind === 'heading' && (sourceId !== undefined || !this.#isBelow(headings))) {
      this.#above = sourceId === undefined ? undefined : { title: headings.at(-1) ?? '', headings }
    }
    if (block.kind === 'heading') this.#named = sourceId === undefined ? undefined : { id: sourceId, title: text, headings }
    else if (unit.fate === 'requirement') this.#name(unit)
    this.#nameByElement(unit)
    if (block.kind === 'code' && unit.fate === 'undecided') this.#ask(unit)
    if (this.joins && this.#joinsCell(unit)) return
    this.units.push(unit)
    if (unit.fate === 'requirement' && text.endsWith(':') && !sentence.cell) {
      const last = demandsIn(text, language).at(-1)
      const rest = last ? text.slice(last.end, -1).trim() : ''
      this.#intro = { unit, splits: rest.split(' ').length <= 2 }
    }
  }

  /** "Acceptance criteria:" counts for the list below it. */
  #follow ({ text, block: { kind } }: Sentence): void {
    if (acceptanceLabel.test(text)) this.#isAccepting = true
    else if (kind === 'heading' || kind === 'paragraph') this.#isAccepting = false
  }

  #judge (sentence: Sentence, language: ReadLanguage, role: Role | undefined): Verdict {
    const { text, block, headings } = sentence
    const hasDemand = demandsIn(text, language).length > 0 || keywordsOf(text).length > 0
    const placed = byPlace(sentence, hasDemand)
    if (placed) return placed
    const isSaid = this.source.kind === 'answer' || this.source.kind === 'decision'
    if (isSaid && !hasDemand) return verdict('aside', 'A person answered it', 'answer')
    const kind = role && asides[role]
    const named = headings.findLast((title) => roleOf([title]) === role) ?? headings.at(-1) ?? ''
    if (kind) return verdict('aside', `It stands below “${named}”`, kind)
    const cell = byCell(sentence, hasDemand)
    if (cell) return cell
    if (acceptanceLabel.test(text)) return verdict('mark', 'It is a title', 'boilerplate')
    if (!isSentence(text) && !hasDemand && block.kind !== 'item') return verdict('mark', 'It is no sentence', 'boilerplate')
    const element = byElement(sentence)
    if (element) return element
    if (text.endsWith('?')) return verdict(role === 'questions' ? 'question' : 'aside', 'It asks', 'question')
    if (role === 'questions' && block.kind === 'item') return verdict('question', 'It stands among questions', 'question')
    if (block.comment && this.isThread) return undecided(`${block.comment.author} said it`)
    if (isStory(text)) return verdict('story', 'It is a story')
    const isAccepting = this.#isAccepting || role === 'acceptance'
    if (block.kind === 'item' && isAccepting) return verdict('criterion', 'It stands among acceptance criteria')
    return byWords(sentence, language, role, this.#isStrict)
  }

  /** Takes an item to the demand that introduces its list, such as "The report must have:". */
  #complete (sentence: Sentence, language: ReadLanguage): boolean {
    const intro = this.#intro
    if (!intro || demandsIn(sentence.text, language).length > 0 || sentence.text.endsWith('?')) return false
    const { unit } = intro
    const joined = intro.splits ? `${unit.text} ${sentence.text}` : `${unit.text}\n- ${sentence.text}`
    if (joined.length > maxStatement) return false
    const own = { ...unit, ...sentence, parts: [], ...verdict('aside', 'It completes the sentence above its list') }
    if (!intro.splits) {
      unit.text = joined
      unit.parts.push(sentence)
      this.units.push(own)
      return true
    }
    const stem = { ...unit }
    Object.assign(unit, verdict('aside', 'The list below completes it'))
    const [first] = demandsIn(unit.text, language)
    const why = `The line above its list has “${first?.word ?? ''}”`
    this.units.push({ ...own, ...verdict('requirement', why), text: joined, parts: [stem] })
    return true
  }

  #isBelow (headings: readonly string[]): boolean {
    return this.#above?.headings.every((title, at) => headings[at] === title) ?? false
  }

  /** A demand in a block of code may be the text of the requirement that the heading above has the id of. */
  #ask (unit: Unit): void {
    if (!this.#above || !this.#isBelow(unit.headings)) return
    unit.why = `It stands in a block of code under a heading with an id, “${this.#above.title}”`
    unit.asks = `Is this a requirement: “${shorten(unit.text, 400)}”`
  }

  /** The first demand below a heading with an id has that id. */
  #name (unit: Unit): void {
    if (this.#named?.headings !== unit.headings || unit.sourceId !== undefined) return
    unit.sourceId = this.#named.id
    unit.title = this.#named.title
    this.#named = undefined
  }

  /** What an element is called, its statement is. */
  #nameByElement (unit: Unit): void {
    const { element } = unit.block
    if (!element || unit.fate !== 'requirement' || unit.block.row) return
    if (element.id !== undefined) unit.sourceId = element.id
    if (element.title !== undefined && demandingType.test(element.type)) unit.title = element.title
  }

  /** Further sentences of a cell, or of an element, are a part of the demand that it begins with. */
  #joinsCell (unit: Unit): boolean {
    const before = this.units.at(-1)
    const isCell = unit.cell?.role === 'text' && before?.block === unit.block && before.cell?.column === unit.cell.column
    const { element } = unit.block
    const isElement = element !== undefined && before?.block.element === element && demandingType.test(element.type)
    const isSame = unit.fate === 'requirement' && before?.fate === 'requirement' && (isCell || isElement) &&
      before.text.length + unit.text.length < maxStatement
    if (isSame) {
      before.text += unit.block.kind === 'item' ? `\n- ${unit.text}` : ` ${unit.text}`
      before.parts.push(unit)
    }
    return isSame
  }
}

/** Triages of sources: the steps of one task read the same inputs. */
const known = new WeakMap<Source, Map<string, Unit[]>>()

/**
 * @param joins false: no sentence is joined with what completes it
 * @returns every sentence of an input in order, with what becomes of it by its words and its place, in linear time
 */
export const triage = (source: Source, locale: string, joins = true): Unit[] => {
  const held = known.get(source) ?? new Map<string, Unit[]>()
  known.set(source, held)
  const key = `${locale} ${joins}`
  const before = held.get(key)
  if (before) return before
  const sentences = sentencesOf(source.text, source.media_type)
  const authors = new Set(sentences.filter(({ block }) => block.kind !== 'heading').map(({ block }) => block.comment?.author))
  const reader = new Triage(source, locale, authors.size > 1, joins)
  for (const sentence of sentences) reader.read(sentence)
  held.set(key, reader.units)
  return reader.units
}
