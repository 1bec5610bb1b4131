import retextEnglish from 'retext-english'
import retextEquality from 'retext-equality'
import retextProfanities from 'retext-profanities'
import retextRepeatedWords from 'retext-repeated-words'
import { syllable } from 'syllable'
import { fleschKincaid } from 'flesch-kincaid'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { sentenceRanges } from '../claims/statements.js'
import type { BrandReport } from '../schemas/reports.js'
import { found, isEnglish, type Draft, type Finding } from './rule.js'

const plain = unified().use(retextEnglish).use(retextRepeatedWords).freeze()
/** Both plugins search the text for thousands of phrases: nearly half of a report's time. */
const inclusive = plain().use(retextEquality).use(retextProfanities, { sureness: 1 }).freeze()

export interface SentenceSpan { start: number, end: number, words: number, syllables: number }

export interface Reading { sentences: SentenceSpan[], findings: Finding[] }

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []

const sentencesOf = (draft: Draft): SentenceSpan[] => {
  const counts = isEnglish(draft)
  let from = 0
  return draft.prose.passages.flatMap((passage) => {
    const { text } = passage
    const at = from
    from += text.length + 2
    return sentenceRanges(passage).map(([start, end]) => {
      const words = wordsIn(text.slice(start, end))
      const syllables = counts ? words.reduce((sum, word) => sum + syllable(word), 0) : 0
      return { start: at + start, end: at + end, words: words.length, syllables }
    })
  }).filter(({ words }) => words > 0)
}

interface Message { source?: string | undefined, ruleId?: string | undefined, reason: string, place?: unknown }

const rangeOf = ({ place }: Message): [number, number] | undefined => {
  // A message of retext has a point or a range.
  const at = place as { start?: { offset?: number }, end?: { offset?: number } } | undefined
  const [start, end] = [at?.start?.offset, at?.end?.offset]
  return start === undefined || end === undefined ? undefined : [start, end]
}

/** Skips two equal words with code or an address between them, which the prose leaves out: they are no repetition. */
const repeated = (draft: Draft, range: [number, number], suggestions: string[]): Finding[] => {
  const finding = found(draft, 'CNT-STR-REPEATED-WORD', 'warn', ...range, 'A word stands here twice',
    { suggestions, fixable: suggestions.length > 0 })
  return wordsIn(finding.match).length > wordsIn(draft.prose.text.slice(...range)).length ? [] : [finding]
}

/** Words of the trade and of everyday life that the plugins take for people or for their bodies. */
const harmless = new Set((
  'host hosts invalid disabled special steward stewards primitive native black white sexual fellow ' +
  'obvious hang hangs hanging just simply easy easily simple clearly obviously straightforward execute ' +
  'executes executed execution actor actors dummy king queen lady woman women man men mother father husband wife ' +
  'sex illegal illegals').split(' '))

const pronouns = new Set('he his him himself she her hers herself'.split(' '))
const anybody = /\b(?:users?|person|any(?:one|body)|every(?:one|body)|some(?:one|body)|reader|customer|developer|employee|engineer|student|patient|applicant|visitor|admin|client|each)\b/i
/** Characters before a pronoun in which its noun stands. */
const nounReach = 120

/** @returns whether a word may exclude: "just" and "invalid" do not, and "his" does only of anybody */
const mayExclude = ({ prose: { text } }: Draft, [start, end]: [number, number]): boolean => {
  const word = text.slice(start, end).toLowerCase().replace(/['’]s$/, '')
  return pronouns.has(word) ? anybody.test(text.slice(Math.max(0, start - nounReach), start)) : !harmless.has(word)
}

const judge = (draft: Draft, message: Message & { expected?: string[] | null | undefined }): Finding[] => {
  const range = rangeOf(message)
  if (!range) return []
  const severity = draft.brand.style.inclusive === 'warn' ? 'warn' : 'suggestion'
  const suggestions = (message.expected ?? []).slice(0, 5)
  switch (message.source) {
    case 'retext-equality':
      return !mayExclude(draft, range)
        ? []
        : [found(draft, 'CNT-INC-EQUALITY', severity, ...range, message.reason,
            { suggestions })]
    case 'retext-profanities':
      return !mayExclude(draft, range) ? [] : [found(draft, 'CNT-INC-PROFANITY', 'warn', ...range, message.reason)]
    case 'retext-repeated-words':
      return repeated(draft, range, suggestions)
    default: return []
  }
}

/** Reads prose once: its sentences and, of English, the messages of the retext plugins. */
export const readEnglish = (draft: Draft): Reading => {
  const { text } = draft.prose
  const sentences = sentencesOf(draft)
  if (!isEnglish(draft)) return { sentences, findings: [] }
  const processor = draft.brand.style.inclusive === 'off' ? plain : inclusive
  const file = new VFile(text)
  const tree = processor.parse(file)
  processor.runSync(tree, file)
  const messages = file.messages as (Message & { expected?: string[] })[]
  return { sentences, findings: messages.flatMap((message) => judge(draft, message)) }
}

export type Metrics = BrandReport['metrics']

const round = (value: number) => Math.round(value * 10) / 10

/** Headings, titles and table cells are not sentences: they do not count for the grade. */
export const measure = (draft: Draft, { sentences }: Reading, passives: number): Metrics => {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0)
  const whole = sentences.filter(({ start }) => {
    const kind = draft.prose.at(start)?.passage.kind
    return kind !== 'heading' && kind !== 'field' && kind !== 'cell'
  })
  const counts = {
    sentence: whole.length,
    word: whole.reduce((sum, sentence) => sum + sentence.words, 0),
    syllable: whole.reduce((sum, sentence) => sum + sentence.syllables, 0)
  }
  // Numbers alone have no syllables, and so no grade.
  const isCounted = isEnglish(draft) && counts.word > 0 && counts.syllable > 0
  return {
    words,
    sentences: whole.length,
    grade: isCounted ? Math.max(0, round(fleschKincaid(counts))) : 0,
    passive_pct: whole.length === 0 ? 0 : Math.min(100, round(passives / whole.length * 100)),
    avg_sentence_words: whole.length === 0 ? 0 : round(counts.word / whole.length)
  }
}
