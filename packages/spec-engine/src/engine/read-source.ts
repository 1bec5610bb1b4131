import { classify, subjectOf } from '../classify/classify.js'
import { sentenceLanguage, textLanguage, type ReadLanguage } from '../classify/language.js'
import { languageOf, modalsOf } from '../classify/normative.js'
import { acceptanceLabel, type Role, type Sentence, sentencesOf } from 'steward-document-reader/document'
import { isRejection } from '../classify/set-aside-rules.js'
import { arrow, isSpokenNeed } from '../classify/speech.js'
import { aside, type Subject, type Verdict } from '../classify/verdict.js'
import { Accepted } from './accepted.js'
import { asideInTranscript, isTranscript } from './transcript.js'
import { settleThread } from './threads.js'
import { belowTopic, goesOn, isBelow, OpenItems, withParts } from './open-items.js'
import { markStatements } from './statements.js'
import { filler, whole } from './whole-text.js'
import type { Source } from './material.js'
import { capitalise } from './words.js'

export { isPlaceholder } from '../classify/classify.js'

/** A sentence of an input with what it is. */
export interface Unit extends Sentence, Verdict {
  source: Source
  role: Role | undefined
  language: ReadLanguage
  /** The sentence has level MUST, so that a requirement must cover it. */
  isMust: boolean
  /** It has a modal verb, or stands among requirements: if it is none, the document says why. */
  needsReason: boolean
  /** The line above a list that this item completes, such as "The system must:". */
  stem: Sentence | undefined
  /** The items of the list that it introduces: they are a part of its text. */
  parts: Sentence[]
  /** The answer of a person that changed it, and a note that says so. */
  backing?: Source
  note?: string
  /** The person of a story in the first person, such as "a courier". */
  speaker: string | undefined
  /** Where the story begins that this accepts. */
  storyAt?: number
}

/** Labels in front of what is said: a speaker, "Decision:", "Note:", "Yes,". */
const label = /^(?!(?:rationale|reason|justification|begründung|pros?|cons?|(?:dis)?advantages?|drawbacks?):)(?:(?:(?:a|q|decision|decided|resolution|agreed|all agreed|note|correction|update|fit criteri(?:on|a)|acceptance criteri(?:on|a)|abnahmekriterium|yes|no|beschluss|beschlossen|entschieden|décision|décidé|decisión|\p{Lu}\p{Ll}{1,20})(?: agrees)?:|yes,|no,|ja,|nein,|oui,|non,|sí,) +(?:and +(?=we\b))?|and +(?=we\b))/iu
const answerLabel = /^(?:a|answer|antwort|réponse|respuesta)\s?: /i
/** "Open: Who pays?" */
const asked = /^(?:open|offen|frage|question|unklar|to clarify|à clarifier|pregunta): .*\?$/iu
const spoken = /^\p{Lu}\p{Ll}{1,20}: /u
const iAm = /^i(?: am|'m|’m) (an? [^,.;]{2,60}?)(?: and\b|[,.;]|$)/i
const asA = /^as (an? [^,:]{2,60}):$/i

const declares = /\b(?:as|to be interpreted as) described in[\s\S]{0,80}(?:RFC ?2119|BCP ?14)/i
const capital = /\b(?:MUST|SHALL|SHOULD|MAY)\b/g
/** Keywords in capitals of a document that demands with nothing else. */
const manyCapitals = 20
/** Characters of a sentence with the items of its list. */
const maxJoined = 1_500

/** "Primary Actor: Account Holder", in a line or a row. */
const actorLine = /^[*|\s]{0,6}(?:(?:primary|secondary|main|supporting|other) )?(?:actors?|akteure?|acteurs?|actor(?:es)?)(?: principal(?:es)?)?[*|:\s]{1,6}(\p{L}[^\n|]{1,100})/gimu

const actorsOf = (text: string): string[] => [...text.matchAll(actorLine)].flatMap(([, names = '']) =>
  names.toLowerCase().split(/[,;/]| and | und | et | y /).map((name) => name.trim().replace(/^(?:the|an?|der|die|le|la|el) /, '').replace(/(?<![*.\s])[*.\s]+$/, '')))
  .filter((name) => name.length > 2)

const goesOnWithAnswer = aside('answer', 'It goes on with the answer')

/** French and Spanish demand in the future: "Un rapport permettra d'identifier :". */
const hasFuture = (language: ReadLanguage): boolean => language === 'fr' || language === 'es'

/** "The system must:" waits for a verb, "These files must be moved:" does not. */
const isIncomplete = (text: string, language: ReadLanguage): boolean => {
  const last = modalsOf(text, language, hasFuture(language)).at(-1)
  const after = last === undefined ? '' : text.slice(last.end, -1).replace(filler, '').trim()
  // "These cases need to be considered:" is complete.
  const isPassive = /^(?:also |then |not )?be \p{L}{3,}$/u.test(after)
  return last !== undefined && !isPassive && after.split(' ').length <= 2 && text.split(' ').length <= 14
}

const locationOf = ({ text, start, end, headings, block, sourceId, cell, isStruck }: Sentence): Sentence => ({
  text,
  start,
  end,
  headings,
  block,
  ...(sourceId !== undefined && { sourceId }),
  ...(cell && { cell }),
  ...(isStruck && { isStruck })
})

/** Drops the label of who said it where the rest is a sentence of its own. */
const withoutLabel = (text: string, strongAfter: (rest: string) => boolean): string => {
  if (arrow.test(text)) return capitalise(text.replace(arrow, ''))
  const found = label.exec(text)
  if (!found) return text
  const rest = text.slice(found[0].length)
  if (spoken.test(text) && !asked.test(text) && !isSpokenNeed(text) && !strongAfter(rest)) return text
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** Reads the sentences of one input in order, and what one says of the next. */
class SourceReader {
  readonly units: Unit[] = []
  #stem: Sentence | undefined
  #intro: Unit | undefined
  /** The demand that introduces a list, as it stands without the list's items. */
  #introText = ''
  #speaker: string | undefined
  readonly #items = new OpenItems()
  readonly #accepted = new Accepted()
  readonly #language: ReadLanguage
  #stemLanguage: ReadLanguage
  readonly #document: Pick<Subject, 'isStrict' | 'actors'>
  readonly #isTranscript: boolean

  constructor (private readonly source: Source, locale: string) {
    const found = textLanguage(source.text)
    const usual = languageOf(locale)
    const isStrict = declares.test(source.text) || (source.text.match(capital)?.length ?? 0) >= manyCapitals
    this.#document = { isStrict, actors: actorsOf(source.text) }
    this.#isTranscript = isTranscript(source.text)
    this.#language = found === undefined || found === 'other' ? usual : found
    this.#stemLanguage = this.#language
  }

  read (sentence: Sentence): void {
    const isItem = sentence.block.kind === 'item'
    this.#accepted.follow(sentence)
    if (!isItem || this.#stem?.headings !== sentence.headings) this.#stem = undefined
    const language = sentenceLanguage(sentence.text, this.#stem ? this.#stemLanguage : this.#language)
    const says = (text: string) => modalsOf(text, language, false).length > 0
    this.#speaker = (iAm.exec(sentence.text) ?? asA.exec(sentence.text))?.[1] ?? this.#speaker
    const isIntro = !isItem && sentence.block.kind === 'paragraph' && sentence.text.endsWith(':')
    const isStem = isIntro && isIncomplete(sentence.text, language)
    if (isStem) {
      this.#stem = sentence
      this.#stemLanguage = language
    }
    const above = this.#items.above(sentence)
    if (!isItem || (this.#intro?.block.kind === 'item' && !isBelow(sentence, this.#intro))) this.#intro = undefined
    const full = whole(sentence, isStem ? undefined : this.#stem, language, above)
    if (isItem && above && !this.#intro && goesOn(sentence, above, language)) this.#introduce(above)
    if (isItem && this.#complete(sentence, says(sentence.text))) return
    this.#add(sentence, full, withoutLabel(full, says), language, isStem, above)
    const opensList = isItem && sentence.text.endsWith(':') && this.units.at(-1)?.sense === 'normative'
    if (opensList || (isIntro && !isStem)) this.#introduce(this.units.at(-1))
  }

  #introduce (intro: Unit | undefined): void {
    this.#intro = intro
    this.#introText = intro?.text ?? ''
  }

  /** Adds an item to the demand that introduces its list, such as "A report must have these fields:". */
  #complete (sentence: Sentence, says: boolean): boolean {
    const intro = this.#intro
    const isPart = intro?.sense === 'normative' && intro.headings === sentence.headings && !says &&
      sentence.text.split(' ').length <= 25 && intro.text.length + sentence.text.length < maxJoined
    if (!intro || !isPart) return false
    intro.parts.push(sentence)
    intro.text = withParts(this.#introText, intro.parts)
    const { start, end, headings, block, text } = sentence
    this.units.push({
      ...intro,
      text,
      start,
      end,
      headings,
      block,
      parts: [],
      isMust: false,
      needsReason: false,
      sense: 'set_aside',
      class: 'other',
      why: 'It completes the sentence above its list'
    })
    return true
  }

  #add (sentence: Sentence, full: string, text: string, language: ReadLanguage, isStem: boolean,
    above: Unit | undefined): void {
    const role = this.source.kind === 'answer' ? 'requirements' : this.#accepted.roleOf(sentence)
    const before = this.units.at(-1)
    const subject = subjectOf(sentence, text, role, language, before, this.#document)
    const labelled = full === text ? subject : { ...subject, text: full }
    const read: Verdict = isStem
      ? { sense: 'other', class: 'demand', why: 'The list below it completes it' }
      : acceptanceLabel.test(text)
        ? aside('boilerplate', 'It is no sentence')
        : classify(full === text || subject.strong.length > 0 ? subject : labelled)
    const written = this.#isTranscript ? this.source.text.slice(sentence.block.start, sentence.end) : ''
    const verdict = (this.#isTranscript ? asideInTranscript(written, role, read) : undefined) ?? read
    if (this.#goesOnWithAnswer(sentence, verdict, text)) Object.assign(verdict, goesOnWithAnswer)
    else if (verdict.sense === 'normative') this.#settleQuestion(sentence)
    const isAnswer = verdict.sense === 'decision' && verdict.class === 'answer'
    if (verdict.sense === 'story') this.#accepted.storyAt = sentence.start
    const storyAt = role === 'acceptance' ? this.#accepted.storyAt : undefined
    this.units.push({
      ...locationOf(sentence),
      text: isAnswer ? this.#answer(full) : text,
      ...verdict,
      source: this.source,
      role,
      language,
      isMust: verdict.sense === 'normative' && subject.strong.some(({ level }) => level === 'MUST'),
      needsReason: needsReason(subject, verdict),
      stem: isStem ? undefined : this.#stem,
      parts: [],
      speaker: this.#speaker,
      ...(storyAt !== undefined && { storyAt }),
      ...belowTopic(subject, verdict, above)
    })
    this.#items.add(this.units.at(-1))
    if (isRejection(full) && subject.strong.length === 0) this.#reject(sentence)
  }

  /** "30 days. After that it is deleted": adds to the answer what stands behind it. */
  #goesOnWithAnswer ({ block }: Sentence, { sense }: Verdict, text: string): boolean {
    const answer = this.units.findLast(({ why }) => why !== goesOnWithAnswer.why)
    const isBehind = answer?.sense === 'decision' && answer.class === 'answer' && answer.block === block &&
      block.row === undefined && sense === 'other' && answer.text.length + text.length < maxJoined
    if (isBehind) answer.text += ` ${text}`
    return isBehind
  }

  /** What is demanded right below a heading that asks, or behind "A:", answers it. */
  #settleQuestion ({ text }: Sentence): void {
    const question = this.units.at(-1)
    if (question?.sense === 'question' && (question.block.kind === 'heading' || answerLabel.test(text))) {
      Object.assign(question, aside('question', 'It is answered where it is asked'))
    }
  }

  /** @returns the question before with its answer: it is open no more */
  #answer (text: string): string {
    const at = this.units.length - 1
    const question = this.units[at]
    if (!question) return text
    this.units[at] = { ...question, ...aside('question', 'It is answered where it is asked') }
    return `${question.text.replace(/^(?:faq )?q\s?: /i, '')} ${text.replace(arrow, '').replace(/^\p{L}+\s?: /u, '')}`
  }

  /** "Rejected." takes back what stands before it in the same paragraph. */
  #reject ({ block }: Sentence): void {
    for (let at = this.units.length - 2; this.units[at]?.block === block; at--) {
      const unit = this.units[at]
      if (unit?.sense === 'question') return
      if (unit?.sense === 'normative') {
        this.units[at] = { ...unit, ...aside('alternative', 'The text says that it was not taken'), isMust: false }
      }
    }
  }
}

/** An item of a list of requirements. */
const isAmongDemands = ({ role, sentence: { block }, text }: Subject, { sense, class: kind }: Verdict): boolean =>
  role === 'requirements' && (sense === 'set_aside' || sense === 'other') &&
  kind !== 'boilerplate' && block.kind === 'item' && text.includes(' ')

/** Says of something that it is required or needed, and demands nothing by the grammar. */
const loose = /\b(?:required to|needs? to|may only|may not)\b/i

const needsReason = (subject: Subject, verdict: Verdict): boolean => {
  const { text, strong, capitals, all, language, sentence: { cell } } = subject
  const isInTheirColumn = cell?.role === 'text' && verdict.class !== 'boilerplate'
  return strong.length > 0 || capitals.length > 0 || loose.test(text) || isInTheirColumn ||
    (hasFuture(language) && all.some(({ level }) => level === 'MUST')) || verdict.class === 'unclear' ||
    isAmongDemands(subject, verdict)
}

/** Compiled readings by source: the steps of one task read the same inputs. */
const readings = new WeakMap<Source, Map<string, Unit[]>>()

/**
 * Classifies every sentence of an input as a demand, an example, a question and so on, by rule and in linear time.
 * @returns the sentences in order
 */
export const readSource = (source: Source, locale: string): Unit[] => {
  const held = readings.get(source)?.get(locale)
  if (held) return held
  const reader = new SourceReader(source, locale)
  for (const sentence of sentencesOf(source.text, source.media_type)) reader.read(sentence)
  const units = settleThread(reader.units)
  markStatements(units)
  readings.set(source, new Map([[locale, units]]))
  return units
}
