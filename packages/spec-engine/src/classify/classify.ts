import type { Block, Role, Sentence } from 'steward-document-reader/document'
import { normativeRules } from './demand-rules.js'
import { firstPerson, foreignStory, withoutMarks } from './stories.js'
import { arrow } from './speech.js'
import { keywordsOf, modalsOf } from './normative.js'
import type { ReadLanguage } from './language.js'
import { asksFor, statesBound } from './stated-rules.js'
import { setAsideRules } from './set-aside-rules.js'
import type { Before, ClassRule, Sense, Subject, Verdict } from './verdict.js'

/** What stands for a value that is not known yet; the first one of a sentence. */
export const placeholder = /\b(?:TBD|TBC|TODO|FIXME)\b|\?\?\?|(?<!\p{L})(?:encore|reste(?:nt)?) à (?:définir|préciser|déterminer)|\bnoch (?:offen|zu klären|nicht festgelegt)\b|\bpor definir\b/u
const outside = /\b(?:out of scope|not in scope|not part of|non-goal)\b|^not in (?:v ?\d|this (?:version|phase|release|iteration))[\d.]*:/i
const assumed = /^(?:we assume|it is assumed|assuming|assumptions?:|annahmen?:|wir nehmen an)/i
const step = /^(?:given|when|then|and|but)\b/i

const senseOfRole: Partial<Record<Role, Sense>> = {
  non_goals: 'non_goal',
  questions: 'question',
  assumptions: 'assumption',
  risks: 'risk',
  success: 'success',
  decisions: 'decision',
  glossary: 'term',
  actors: 'actor',
  problem: 'problem',
  goals: 'goal',
  edge_cases: 'edge_case',
  summary: 'summary'
}

const answers = /^(?:yes|no|ja|nein|oui|non|sí)[.,!]?$|^(?:a|answer|antwort|réponse|respuesta)\s?: /i
/** A question and its answer stand in one paragraph there. */
const faq = /\bfaqs?\b|\b(?:frequently asked|häufige fragen|questions fréquentes|preguntas frecuentes)\b|^(?:questions|fragen) (?:and|&|und) /i
/** "Q: How long is it kept?" as a heading, or any that asks below a FAQ. */
const isAskedByHeading = ({ text, sentence: { block, headings } }: Subject): boolean =>
  block.kind === 'heading' && text.endsWith('?') &&
  (/^(?:q|f|frage|pregunta)\d{0,3}\s?[:.]/i.test(text) || headings.slice(0, -1).some((title) => faq.test(title)))

/** "We don't know yet" leaves its question open. */
const unknown = /^(?:a: |answer: |antwort: )?(?:(?:we|i) (?:don['’]t|do not) know\b|(?:this is )?(?:not (?:yet )?(?:known|decided|clear|settled)|still open|open|unclear|unknown|undecided|to be (?:decided|determined|confirmed))\b|(?:das )?(?:wissen wir (?:noch )?nicht|ist noch (?:offen|unklar))|noch (?:offen|unklar)|on ne sait pas|pas encore décidé|(?:aún )?no (?:lo )?sabemos|por decidir)/i

/** The column beside a question. */
const answered = /^(?:outcomes?|answers?|decisions?|resolutions?|antwort(?:en)?|entscheidung|réponses?|décision|respuestas?|decisión)$/i

/** "Offen ist, ob Gutschriften dabei sein müssen" asks, and demands nothing. */
const undecided = /^(?:(?:noch )?(?:offen|unklar|zu klären) (?:ist|bleibt),? (?:noch,? )?(?:ob|wer|wie|was|wann)|it (?:is|remains) (?:still )?(?:open|unclear|undecided|to be (?:decided|clarified|seen)),? (?:whether|if|who|how|what|when)|reste à (?:savoir|définir|décider) (?:si|qui|comment)|queda por (?:definir|decidir|aclarar) (?:si|quién|cómo))(?!\p{L})/iu

export const isPlaceholder = (text: string): boolean => placeholder.test(text)

/** "As a result of this query we can see" is no story. */
const consequence = /^as an? (?:(?:direct|natural|practical|general|side|final|first|last|minimum) )?(?:result|consequence|effect|rule|reminder|matter|note|side note|example|summary|compromise|workaround|whole|default|step|starting point|follow-?up|reference|bonus|precaution|courtesy|fallback)\b/i
/** "As an auditor, I …", "As the owner of a report, I …", "As admins, we …". */
const inRole = /^as (?:(?:an?|the|one of the) |(?!(?:\p{L}+ )*(?:always|th\p{L}{1,3}|it|we|i|he|she|you|is|was|has|goes)\b)(?:\p{L}+ ){0,2}\p{L}+s, (?:i|we)\b)/iu
/** "In order to pay, as a guest, I want …" */
const purposeFirst = /^in order to [^.]{3,200}?[,\s] ?as an? /i
const isStory = (text: string): boolean =>
  ((inRole.test(text) || purposeFirst.test(text)) && !consequence.test(text) && firstPerson.test(text)) ||
  foreignStory.test(withoutMarks(text))

/** "I want …" of a person who said who they are; "I need this" says nothing. */
const isOwnRequest = (text: string): boolean =>
  /^i(?:['’]d like| want| need| would like| wish| must| don't want| do not want)\b/i.test(text) &&
  !/^i (?:want|need|would like|wish) (?:this|it|that)\b/i.test(text)

const verdict = (sense: Sense, kind: Verdict['class'], why: string): Verdict => ({ sense, class: kind, why })

const byForm: ClassRule = ({ text, role, sentence: { block, cell, headings }, before, strong, capitals }) => {
  if (block.kind === 'step') return verdict('step', 'example', 'It is a step of a scenario')
  const mayRequest = block.kind === 'item' || role === 'requirements' || role === 'stories'
  const isStoryForm = isStory(text) || (isOwnRequest(text) && mayRequest)
  if (isStoryForm && role !== 'alternatives' && role !== 'history') {
    return verdict('story', 'demand', 'It is a story')
  }
  if ((role === 'acceptance' || role === 'scenarios') && step.test(text)) {
    return verdict('step', 'example', 'It is a step of a scenario')
  }
  // "Given the above, it is RECOMMENDED …" is no scenario.
  const isStated = strong.length + capitals.length > 0 && !/, (?:when|then)\b/i.test(text)
  if (!cell && /^(?:given|then)\b/i.test(text) && !isStated && !/, then\b/i.test(text.slice(0, 10))) {
    return verdict('step', 'example', 'It is a step of a scenario')
  }
  const isOpen = isPlaceholder(text) || undecided.test(text)
  if (text.endsWith('?') || isOpen) return verdict('question', 'question', 'It asks')
  if (before?.sense === 'question' && before.block === block && /^\(.*\)\.?$/.test(text) && !isStated) {
    return verdict('other', 'rationale', 'It is said beside the question')
  }
  if (before?.sense === 'question' && unknown.test(text)) return verdict('other', 'other', 'It is not known yet')
  const isBelowHeading = before?.block.kind === 'heading' && !isStated
  return before?.sense === 'question' &&
    (answers.test(text) || isBelowHeading || (before.block === block &&
      (arrow.test(text) || answered.test(cell?.column ?? '') ||
      (faq.test(headings.at(-1) ?? '') && !isStated))))
    ? verdict('decision', 'answer', 'It answers the question before')
    : undefined
}

/** "KR1: Activation from 31 % to 50 %" */
const keyResult = /^KR ?\d/

const bySection: ClassRule = ({ text, role, capitals, sentence: { sourceId } }) => {
  if (capitals.length > 0) return undefined
  if (keyResult.test(sourceId ?? '')) return verdict('success', 'other', 'It is a key result')
  if (outside.test(text)) return verdict('non_goal', 'other', 'It says what is out of scope')
  if (assumed.test(text)) return verdict('assumption', 'other', 'It is assumed')
  if (role === 'non_goals') return verdict('non_goal', 'other', 'Its section lists what is out of scope')
  if (role === 'later') return verdict('non_goal', 'other', 'Its section is about later')
  return role === 'questions' && /^(?:whether|should|must|who|how|what|which|if|when|where)\b/i.test(text)
    ? verdict('question', 'question', 'Its section lists questions')
    : undefined
}

/** "When …" or "And …" right after a step continues it, in any section. */
const afterStep: ClassRule = ({ before, text, strong }) =>
  before?.sense === 'step' && /^(?:when|then|and|but)\b/i.test(text) && strong.length === 0
    ? verdict('step', 'example', 'It is a step of a scenario')
    : undefined

const decides = /\b(?:decisions?|decided|outcome|resolution|entscheidung|beschluss|décision|decisión)\b/i

const endangers = /\b(?:risks?|concerns?|description|threats?|risik(?:o|en)|risques?|riesgos?|beschreibung|descripci[óo]n)\b/i

/** A register has its texts in one column; "High", and what is done about it, stand beside them. */
const isOwnColumn = ({ text, sentence: { cell } }: Subject, own: RegExp | undefined): boolean => cell === undefined ||
  (!cell.isHeader && (cell.column === '' || own === undefined || own.test(cell.column)) && text.includes(' '))

/** A page about decisions has words of its own. */
const isDecision = (subject: Subject): boolean => {
  const { sentence: { block, cell, headings } } = subject
  if (cell) return isOwnColumn(subject, decides)
  return block.kind !== 'paragraph' || headings.length > 1 || (headings[0] ?? '').split(' ').length <= 3
}

const byRole = (subject: Subject): Verdict => {
  const { role, text, sentence: { block } } = subject
  if (role === 'questions' && block.kind === 'paragraph' && /[.:]$/.test(text)) {
    return verdict('other', 'rationale', 'It explains a question')
  }
  const named = (role && senseOfRole[role]) ?? 'other'
  const isBeside = named === 'risk' && !isOwnColumn(subject, endangers)
  // "1 | Availability | Back within 5 minutes": the words of a row say its goal.
  const isNumber = named === 'goal' && !isOwnColumn(subject, undefined)
  const isOther = isBeside || isNumber || (named === 'decision' && !isDecision(subject))
  const sense = isOther ? 'other' : named
  if (sense === 'other' && block.kind !== 'row' && statesBound(subject)) {
    return verdict('other', 'unclear', 'It states a bound, and nothing says that it is demanded')
  }
  if (sense === 'other' && asksFor(text)) {
    return verdict('other', 'unclear', 'It asks for something, and nothing says that it is demanded')
  }
  const isTerm = sense === 'term' || /^[\p{L}][\p{L} -]{1,40}: {1,3}\S/u.test(text)
  return verdict(sense, isTerm ? 'definition' : sense === 'problem' ? 'rationale' : 'other', demandsNothing)
}

/** Why a sentence is none, where no rule knows better. */
export const demandsNothing = 'It demands nothing'

const isQuiet = ({ strong, capitals, sentence: { block } }: Subject): boolean =>
  strong.length === 0 && capitals.length === 0 && (block.kind === 'code' || block.kind === 'heading' ||
    block.kind === 'metadata')

/** @returns whether a block of a thread quotes an older message */
export const isQuoted = ({ kind }: Pick<Block, 'kind'>): boolean => kind === 'older'

/** @returns what a sentence is, by the first rule that knows; a demand is one wherever it stands */
export const classify = (subject: Subject): Verdict => {
  const { kind } = subject.sentence.block
  if (isQuoted(subject.sentence.block)) return verdict('set_aside', 'history', 'It quotes an older message')
  if (kind === 'signature') return verdict('set_aside', 'boilerplate', 'It stands in a signature or a disclaimer')
  if (isAskedByHeading(subject)) return verdict('question', 'question', 'It asks')
  if (isQuiet(subject)) return verdict('set_aside', 'boilerplate', 'It is no sentence')
  const rules =
    [afterStep, byForm, ...setAsideRules.slice(0, 4), bySection, ...setAsideRules.slice(4), ...normativeRules]
  for (const rule of rules) {
    const found = rule(subject)
    if (found) return found
  }
  return byRole(subject)
}

export const subjectOf = (sentence: Sentence, text: string, role: Role | undefined, language: ReadLanguage,
  before: Before | undefined, { isStrict, actors }: Pick<Subject, 'isStrict' | 'actors'>): Subject => ({
  sentence,
  text,
  role,
  language,
  strong: modalsOf(text, language, false),
  all: modalsOf(text, language, true),
  capitals: sentence.block.kind === 'heading' && text === text.toUpperCase() ? [] : keywordsOf(text, language),
  before,
  isStrict,
  actors
})
