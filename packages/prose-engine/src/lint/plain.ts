import { passivesIn, nominalsIn, tagWords, type Token } from './grammar.js'
import { inflectLike, formsOf } from './inflect.js'
import { chattyPhrases, hypePhrases, wordyPhrases } from './plain-words.js'
import type { Range } from './ranges.js'
import { found, isEnglish, lower, type Draft, type Finding, type Rule } from './rule.js'
import { WordIndex } from './word-index.js'

interface Phrase { text: string, plain: string }

/** Single words have their inflections, phrases stand as they are. */
const spread = (phrases: readonly (readonly [string, string])[]): Phrase[] => phrases.flatMap(([phrase, plain]) =>
  phrase.includes(' ') || phrase.length < 6
    ? [{ text: phrase, plain }]
    : formsOf(phrase, 'en').map(({ text, kinds }) =>
      ({ text, plain: plain === '' ? '' : inflectLike(plain, kinds, 'en') ?? '' })))

const wordy = spread(wordyPhrases)
const hype = spread(hypePhrases.map((phrase) => [phrase, ''] as const))
const chatty = spread(chattyPhrases.map((phrase) => [phrase, ''] as const))

interface Hit extends Phrase { range: Range }

/** Of phrases that overlap, the longest one counts. */
const hitsOf = (index: WordIndex, phrases: readonly Phrase[]): Hit[] => {
  const all = phrases.flatMap((phrase) => index.find(phrase.text).map((range): Hit => ({ ...phrase, range })))
    .sort((one, two) => one.range[0] - two.range[0] || two.range[1] - one.range[1])
  let end = -1
  return all.filter(({ range }) => {
    if (range[0] < end) return false
    end = range[1]
    return true
  })
}

const wordyRule = (draft: Draft, index: WordIndex): Finding[] => hitsOf(index, wordy).map(({ plain, range }) =>
  found(draft, 'CNT-VOI-WORDY', 'suggestion', ...range, plain === '' ? 'This can be left out' : `Say "${plain}"`,
    { suggestions: plain === '' ? [] : [plain], weight: 3 }))

const hypeRule = (draft: Draft, index: WordIndex): Finding[] => hitsOf(index, hype).map(({ range }) =>
  found(draft, 'CNT-VOI-HYPE', 'suggestion', ...range, 'Advertising says this of everything: say what is so',
    { weight: 4 }))

/** From this formality on a brand does not chat; below it, one word in so many may. */
const formalFrom = 3
const chattyPer = { casual: 25, warm: 40 }
const chattyWeight = { casual: 4, formal: 6 }

const chattyRule = (draft: Draft, index: WordIndex): Finding[] => {
  const { formality } = draft.brand.tone_by_channel[draft.channel] ?? draft.brand.tone
  const hits = hitsOf(index, chatty)
  const words = draft.prose.text.split(/\s+/).length
  const per = formality === 1 ? chattyPer.casual : chattyPer.warm
  const allowed = formality >= formalFrom ? 0 : Math.max(1, Math.floor(words / per))
  const weight = formality >= formalFrom ? chattyWeight.formal : chattyWeight.casual
  return hits.slice(allowed).map(({ range }) => found(draft, 'CNT-VOI-CHATTY', 'suggestion', ...range,
    'More chat than the tone of the brand has', { weight }))
}

const isEnd = ({ text }: Token): boolean => /^[.!?…]+$/.test(text)

/** An action in a noun is a fault where a sentence has several, or a verb that says nothing carries it. */
const minInSentence = 2

const nominalRule = (draft: Draft, tokens: readonly Token[]): Finding[] => {
  const ends = tokens.filter(isEnd).map(({ end }) => end)
  const bySentence = new Map<number, ReturnType<typeof nominalsIn>>()
  let at = 0
  for (const nominal of nominalsIn(tokens)) {
    while (at < ends.length && (ends[at] ?? Infinity) <= nominal.start) at++
    bySentence.set(at, [...bySentence.get(at) ?? [], nominal])
  }
  return [...bySentence.values()].filter((all) => all.length >= minInSentence || all.some(({ isHeavy }) => isHeavy))
    .flat().map(({ start, end, isHeavy }) => found(draft, 'CNT-VOI-NOMINAL', 'suggestion', start, end,
      'An action hides in a noun: say who does what', { weight: isHeavy ? 4 : 3 }))
}

const passiveWeight = 2

/** Passives beyond the brand's share; one is always allowed. */
const passiveRule = (draft: Draft, passives: readonly { start: number, end: number }[],
  sentences: number): Finding[] => {
  const allowed = Math.max(1, Math.floor(sentences * draft.brand.style.max_passive_pct / 100))
  return passives.slice(allowed).map(({ start, end }) => found(draft, 'CNT-VOI-PASSIVE', 'suggestion', start, end,
    `Passive: beside ${allowed} more, the brand asks for the active voice`, { weight: passiveWeight }))
}

export interface Grammar { tokens: Token[], passives: { start: number, end: number }[] }

export const readGrammar = (draft: Draft): Grammar => {
  if (!isEnglish(draft)) return { tokens: [], passives: [] }
  const tokens = tagWords(draft.prose.text)
  return { tokens, passives: passivesIn(tokens) }
}

/** @returns what makes English hard to read: passives, actions in nouns, words of offices, of advertising, of chat */
export const judgePlain = (draft: Draft, { tokens, passives }: Grammar, sentences: number): Finding[] => {
  if (!isEnglish(draft)) return []
  const index = new WordIndex(lower(draft.prose.text).replaceAll('’', '\''))
  return [
    ...wordyRule(draft, index), ...hypeRule(draft, index), ...chattyRule(draft, index), ...nominalRule(draft, tokens),
    ...passiveRule(draft, passives, sentences)
  ]
}

const acronym = /(?<![\p{L}\p{N}_-])\p{Lu}{3,6}(?![\p{L}\p{N}_-])/gu
const everyday = new Set(('API URL HTML PDF USA FAQ CEO PIN SMS USB GPS VAT BBC NHS DNA LED CSS SQL HTTP HTTPS ' +
  'JSON XML CSV TODO TBD PNG GIF EUR GBP USD').split(' '))

const isExplained = (text: string, name: string): boolean => text.includes(`(${name})`) || text.includes(`${name} (`)

/** Abbreviations that nobody explains, for readers who do not know the trade. */
export const jargon: Rule = (draft) => {
  const audience = draft.brand.audiences.find(({ key }) => key === draft.brief?.audience_key)
  if (audience?.jargon !== 'avoid') return []
  const { text } = draft.prose
  const seen = new Set<string>()
  return [...text.matchAll(acronym)].flatMap(({ 0: name, index }): Finding[] => {
    if (seen.has(name) || everyday.has(name) || isExplained(text, name)) return []
    seen.add(name)
    return [found(draft, 'CNT-VOI-JARGON', 'suggestion', index, index + name.length,
      `${audience.name} may not know this: explain it where it first stands`)]
  })
}
