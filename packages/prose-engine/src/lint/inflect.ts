import { irregularPlurals, irregularVerbs } from './irregular-forms.js'

/** What a form is of its word; `other` has no counterpart in a replacement. */
export type FormKind = 'base' | 's' | 'past' | 'participle' | 'ing' | 'other'

export interface Form { text: string, kinds: FormKind[] }

type Suffixes = readonly (readonly [FormKind, string])[]

/** A consonant after one short vowel is doubled: stop, stopped. Longer words keep it: open, opened. */
const isDoubled = (word: string): boolean =>
  /^[^aeiou]*[aeiou][bdgklmnprtz]$/.test(word) || /(?:mit|fer|cur|pel|bel|gin|log)$/.test(word)

const pluralOf = (word: string): string => {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

const stemOf = (word: string): string => isDoubled(word) ? word + word.slice(-1) : word

const pastOf = (word: string): string => {
  if (word.endsWith('e')) return `${word}d`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ied` : `${stemOf(word)}ed`
}

const ingOf = (word: string): string => {
  if (word.endsWith('ie')) return `${word.slice(0, -2)}ying`
  return /[^eo]e$/.test(word) ? `${word.slice(0, -1)}ing` : `${stemOf(word)}ing`
}

const adverbOf = (word: string): string | undefined => {
  if (/(?:less|ful|ous|ive|al|ing|ant|ent)$/.test(word)) return `${word}ly`
  return word.endsWith('ic') ? `${word}ally` : undefined
}

/** The forms of the verb that a word may be: "use" and "log" are nouns as well, of which nothing else is known. */
const english = (word: string): [FormKind, string][] => {
  const [past, participle] = irregularVerbs.get(word) ?? [pastOf(word), pastOf(word)]
  const adverb = adverbOf(word)
  return [
    ['base', word], ['s', irregularPlurals.get(word) ?? pluralOf(word)], ['past', past], ['participle', participle],
    ['ing', ingOf(word)], ...(adverb === undefined ? [] : [['other', adverb] as [FormKind, string]])
  ]
}

const others = (...suffixes: string[]): Suffixes => suffixes.map((suffix) => ['other', suffix])

/** Endings by the end of the base, the first that fits: a language without sure rules has only those that are sure. */
const endings: Record<string, [RegExp, Suffixes][]> = {
  de: [
    [/^\p{Ll}.*en$/u, others('e', 'st', 't', 'te', 'ten', 'test', 'tet', 'en', 'end', 'ende', 'enden')],
    [/^\p{Lu}/u, others('s', 'es', 'e', 'en', 'n', 'er', 'ern')],
    [/./u, others('e', 'er', 'es', 'em', 'en')]
  ],
  fr: [
    [/er$/, others('e', 'es', 'ons', 'ez', 'ent', 'é', 'ée', 'és', 'ées', 'ait', 'aient', 'era', 'erons', 'ant')],
    [/(?:al)$/, others('aux', 'ale', 'ales')],
    [/./u, others('s', 'e', 'es')]
  ],
  es: [
    [/ar$/, others('o', 'as', 'a', 'amos', 'an', 'ado', 'ada', 'ados', 'adas', 'ando', 'ó', 'aron', 'ará')],
    [/[aeo]$/, others('s')],
    [/./u, others('es', 'as')]
  ]
}

/** The end that an ending replaces, by language. */
const cut: Record<string, RegExp> = { de: /(?<=^\p{Ll}.*)en$/u, fr: /(?:er|al)$/, es: /ar$/ }

const foreign = (word: string, language: string): [FormKind, string][] => {
  const suffixes = endings[language]?.find(([end]) => end.test(word))?.[1] ?? []
  const stem = cut[language] ? word.replace(cut[language], '') : word
  const participle = language === 'de' && stem !== word ? [['other', `ge${stem}t`] as [FormKind, string]] : []
  return [['base', word], ...suffixes.map(([kind, end]): [FormKind, string] => [kind, stem + end]), ...participle]
}

const particles = new Set(
  'in on up out off down over away back through into with by at for to around forward'.split(' '))

/** @returns which word of a term is inflected: the verb before a particle ("log in"), else the last */
const inflectedAt = (words: readonly string[]): number =>
  words.length > 1 && particles.has(words[1] ?? '') ? 0 : words.length - 1

/**
 * Generates the forms of a term by the rules of its language and their exceptions: "leverage" has leverages, leveraged
 * and leveraging. A form that no such word has, as "seamlesses", stands in no text and does no harm.
 * @param language of the text, as in a locale; another than en, de, fr and es has the base alone
 */
export const formsOf = (term: string, language: string): Form[] => {
  const words = term.trim().split(/\s+/)
  const at = inflectedAt(words)
  const word = words[at] ?? ''
  if (!/^\p{L}[\p{L}-]+$/u.test(word)) return [{ text: term, kinds: ['base'] }]
  const forms = new Map<string, FormKind[]>()
  for (const [kind, form] of language === 'en' ? english(word) : foreign(word, language)) {
    const text = words.with(at, form).join(' ')
    forms.set(text, [...forms.get(text) ?? [], kind])
  }
  return [...forms].map(([text, kinds]) => ({ text, kinds }))
}

/**
 * @returns the form of a replacement that a found form asks for: "use" for leveraging is using; undefined where its
 * kinds ask for different forms, or the language has no sure rule
 */
export const inflectLike = (replacement: string, kinds: readonly FormKind[], language: string): string | undefined => {
  if (kinds.includes('base')) return replacement
  if (kinds.includes('other')) return undefined
  const forms = formsOf(replacement, language)
  const asked = kinds.map((kind) => forms.find((form) => form.kinds.includes(kind))?.text)
  return asked.every((one) => one === asked[0]) ? asked[0] : undefined
}
