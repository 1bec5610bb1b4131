import { about, findTerm, found, lower, isEnglish, isName, type Draft, type Finding, type Rule } from './rule.js'
import type { Metrics, Reading } from './english.js'
import type { Passage } from '../markdown/prose.js'

const matches = (draft: Draft, pattern: RegExp, make: (match: RegExpExecArray) => Finding): Finding[] =>
  [...draft.prose.text.matchAll(pattern)].map(make)

const short = /(?<!\p{L})(?:\p{L}+n['’]t|(?:I|you|we|they|he|she|it|that|there|who|what|let)['’](?:m|s|re|ve|ll|d))\b/giu
const long = /\b(?:do|does|did|is|are|was|were|has|have|had|would|should|could|can|will) not\b|\bcannot\b/gi

const contractions: Rule = (draft) => {
  const { contractions: input } = draft.brand.style
  if (input === 'allow' || !isEnglish(draft)) return []
  const message = input === 'avoid' ? 'The brand writes words out' : 'The brand contracts words'
  return matches(draft, input === 'avoid' ? short : long, ({ 0: text, index }) =>
    found(draft, 'CNT-VOI-CONTRACTIONS', 'warn', index, index + text.length, message))
}

const persons = {
  first: /\b(?:I|we|our|us|my)\b/gi, second: /\b(?:you|your|yours)\b/gi, third: /\b(?:I|we|our|us|my|you|your|yours)\b/gi
}

/** @returns whether a word is a pronoun: neither part of a name, nor the country */
const isPerson = (draft: Draft, { 0: word, index }: RegExpExecArray): boolean =>
  word !== 'US' && !isName(draft, index, index + word.length)

const person: Rule = (draft) => {
  const { person: input } = draft.brand.style
  if (input === 'any' || !isEnglish(draft)) return []
  const words = [...draft.prose.text.matchAll(persons[input])].filter((word) => isPerson(draft, word))
  if (input === 'third') {
    return words.map(({ 0: text, index }) =>
      found(draft, 'CNT-VOI-PERSON', 'warn', index, index + text.length, 'The brand writes in the third person'))
  }
  const isThere = draft.prose.text.length < 600 || words.length > 0
  return isThere ? [] : [about('CNT-VOI-PERSON', 'warn', 'body_markdown', `The brand writes in the ${input} person`)]
}

const small = new Set('a an the and or but of in on at to for by with from as'.split(' '))

/** @returns whether a heading's later words are mostly capitalised; undefined when it has too few */
const isTitleCase = (text: string, names: Set<string>): boolean | undefined => {
  const words = (text.match(/\p{L}[\p{L}\p{N}'’-]*/gu) ?? []).slice(1)
    .filter((word) => !small.has(word.toLowerCase()) && !names.has(word) && word !== word.toUpperCase())
  if (words.length < 2) return undefined
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

/** @returns the level of a heading: that of the title is the first */
const levelOf = ({ kind, field, depth }: Passage): 1 | 2 | 3 | 4 | 5 | 6 | undefined => {
  if (field === 'title') return 1
  // Markdown has six levels.
  return kind === 'heading' ? depth as 1 : undefined
}

const headingCase: Rule = ({ brand: { style, terms }, all }) => {
  const names = new Set(terms.protected.flatMap((term) => term.split(/\s+/)))
  return all.flatMap((passage): Finding[] => {
    const level = levelOf(passage)
    if (level === undefined) return []
    const { field, text, start } = passage
    const input = style.heading_case_by_level[`h${level}`] ?? (field === 'title' ? 'any' : style.heading_case)
    if (input === 'any' || isTitleCase(text, names) !== (input === 'sentence')) return []
    return [about('CNT-VOI-HEADING-CASE', 'warn', field, `The brand writes headings of level ${level} in ${input} case`,
      text.trim(), start + text.length - text.trimStart().length)]
  })
}

const marks: Rule = (draft) => {
  const { style } = draft.brand
  const outside = ({ 0: sign, index }: RegExpExecArray) => !isName(draft, index, index + sign.length)
  const loud = [...draft.prose.text.matchAll(/!/g)].filter(outside).slice(style.max_exclamations)
  const emoji = [...draft.prose.text.matchAll(/\p{Extended_Pictographic}/gu)].filter(outside)
  const words = draft.prose.text.split(/\s+/).length
  const allowed = { none: 0, sparse: Math.max(1, Math.floor(words / 100)), any: Infinity }[style.emoji]
  return [
    ...loud.map(({ index }) => found(draft, 'CNT-VOI-EXCLAMATION', 'warn', index, index + 1,
      `The brand exclaims ${style.max_exclamations} times at most`)),
    ...emoji.slice(Math.min(allowed, emoji.length)).map(({ 0: sign, index }) =>
      found(draft, 'CNT-VOI-EMOJI', 'warn', index, index + sign.length, 'Fewer emoji'))
  ]
}

const cliches: Rule = (draft) => {
  const lowered = lower(draft.prose.text)
  return draft.brand.style.cliches.flatMap((cliche) => findTerm(lowered, lower(cliche)).map(([start, end]) =>
    found(draft, 'CNT-VOI-CLICHE', 'warn', start, end, 'The brand calls this a cliché')))
}

const oxford: Rule = (draft) => {
  const { oxford_comma: input } = draft.brand.style
  if (input === 'any' || !isEnglish(draft)) return []
  const pattern = input === 'require' ? /(?<!\p{L})\p{L}+, \p{L}+ (?:and|or) \p{L}+/gu : /(?<!\p{L})\p{L}+, \p{L}+, (?:and|or) \p{L}+/gu
  const message = input === 'require' ? 'A comma before the last of a list' : 'No comma before the last of a list'
  return matches(draft, pattern, ({ 0: text, index }) =>
    found(draft, 'CNT-VOI-OXFORD-COMMA', 'suggestion', index, index + text.length, message))
}

export const voiceRules: Rule[] = [contractions, person, headingCase, marks, cliches, oxford]

const tooMany = (sentences: Reading['sentences'], draft: Draft): Finding[] => {
  const most = draft.brand.style.max_paragraph_sentences
  const counts = new Map<number, number>()
  for (const { start } of sentences) {
    const at = draft.prose.at(start)
    if (at?.passage.kind === 'paragraph') counts.set(at.from, (counts.get(at.from) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > most).map(([from, count]) => found(draft, 'CNT-VOI-PARAGRAPH-LENGTH',
    'warn', from, from + (draft.prose.at(from)?.passage.text.length ?? 0), `${count} sentences; ${most} at most`))
}

/** Below so many words a grade says little, and a single long word changes it. */
const minGraded = 25
const maxWeight = 15

/** A text far above the brand's grade costs more than one just above it. */
const graded = (draft: Draft, { words, grade }: Metrics): Finding[] => {
  const { style, audiences } = draft.brand
  const audience = audiences.find(({ key }) => key === draft.brief?.audience_key)
  const most = audience?.max_grade ?? style.max_grade
  if (words < minGraded || grade <= most) return []
  const weight = Math.min(maxWeight, 2 + (grade - most))
  return [{ ...about('CNT-VOI-GRADE', 'warn', 'body_markdown', `Reads at grade ${grade}; ${most} at most`), weight }]
}

/** Twice the length that the brand allows costs twice as much. */
const tooLong = (draft: Draft, { sentences }: Reading): Finding[] => {
  const most = draft.brand.style.max_sentence_words
  return sentences.filter(({ words }) => words > most).map(({ start, end, words }) =>
    found(draft, 'CNT-VOI-SENTENCE-LENGTH', 'warn', start, end, `${words} words; ${most} at most`,
      { weight: Math.min(maxWeight, 4 * words / Math.max(1, most)) }))
}

/** @returns the findings of the text as a whole */
export const judgeReading = (draft: Draft, reading: Reading, metrics: Metrics): Finding[] =>
  [...reading.findings, ...tooLong(draft, reading), ...tooMany(reading.sentences, draft), ...graded(draft, metrics)]
