import { vocabulary } from './vocabulary.js'

/** What the search knows of a tool. */
export interface Searched { name: string, description: string, keywords: string }

/** How much a word counts by where it stands. */
const weights = { name: 3, keywords: 2, description: 1 }

/** The usual constants of BM25: how soon repetition counts no more, and how much length matters. */
const k1 = 1.2
const b = 0.5

const stopWords = new Set(('a an and are as at be by for from in is it its of on or that the this to was we with you ' +
  'our us me my i they them what which do does did how can there here use gives back').split(' '))

/** Without English endings, so that one word's forms are one. */
const stem = (word: string): string => {
  if (word.length < 4) return word
  const base = word.replace(/(?:ies)$/, 'y').replace(/(?:sses)$/, 'ss').replace(/([^s])s$/, '$1')
  const bare = base.replace(/(?:ing|ed|e)$/, '')
  return (bare.length < 3 ? base : bare).replace(/([^aeiou])\1$/, '$1')
}

/** `listClusterServices` has three words. */
const wordsOf = (text: string): string[] =>
  text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

const isSpaced = (form: string): boolean => !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(form)

const forms = Object.entries(vocabulary).flatMap(([english, all]) => all.map((form) => ({ english, form })))
/** Matched anywhere in the text: those without spaces around their words, and those of several words. */
const anywhere = forms.filter(({ form }) => !isSpaced(form) || form.includes(' '))
const prefixes = forms.filter(({ form }) => isSpaced(form) && !form.startsWith('*'))
const inner = forms.filter(({ form }) => form.startsWith('*'))
  .map(({ english, form }) => ({ english, form: form.slice(1) }))

const translate = (word: string): string[] => [
  ...prefixes.filter(({ form }) => word.startsWith(form)).map(({ english }) => english),
  ...inner.filter(({ form }) => word.includes(form)).map(({ english }) => english)
]

/** @returns the stems of the words of a request, and of what they are in English */
const termsOf = (request: string): Set<string> => {
  const words = wordsOf(request).filter((word) => !stopWords.has(word))
  const text = request.toLowerCase()
  const found = anywhere.filter(({ form }) => text.includes(form)).map(({ english }) => english)
  return new Set([...words, ...words.flatMap(translate), ...found].map(stem))
}

interface Document { name: string, counts: Map<string, number>, length: number }

const toDocument = (tool: Searched): Document => {
  const counts = new Map<string, number>()
  let length = 0
  for (const part of ['name', 'keywords', 'description'] as const) {
    const weight = weights[part]
    for (const word of wordsOf(tool[part]).filter((item) => !stopWords.has(item)).map(stem)) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += weight
    }
  }
  return { name: tool.name, counts, length }
}

/** Finds tools by words, in order of BM25: names, keywords and descriptions, each with its weight. */
export class ToolSearch {
  readonly #documents: readonly Document[]
  readonly #averageLength: number
  readonly #holders = new Map<string, number>()

  constructor (tools: readonly Searched[]) {
    this.#documents = tools.map(toDocument)
    this.#averageLength = this.#documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, tools.length)
    for (const { counts } of this.#documents) {
      for (const word of counts.keys()) this.#holders.set(word, (this.#holders.get(word) ?? 0) + 1)
    }
  }

  /** @returns the names of the tools that fit the request, the best first; those that share no word are left out */
  find (request: string, limit: number): string[] {
    const terms = termsOf(request)
    return this.#documents
      .map((document) => ({ name: document.name, score: this.#score(document, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, c) => c.score - a.score || (a.name < c.name ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name)
  }

  #score ({ counts, length }: Document, terms: ReadonlySet<string>): number {
    let score = 0
    for (const term of terms) {
      const count = counts.get(term)
      if (count === undefined) continue
      const held = this.#holders.get(term) ?? 0
      const rarity = Math.log(1 + (this.#documents.length - held + 0.5) / (held + 0.5))
      score += rarity * count * (k1 + 1) / (count + k1 * (1 - b + b * length / this.#averageLength))
    }
    return score
  }
}
