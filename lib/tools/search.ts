import { stem, wordsOf } from './words/vocabulary.js'
import { stemsOf, termsOf } from './words/terms.js'

/** The tool that finds others. */
export const finder = 'findTools'

/** What the search knows of a tool. */
export interface Searched { name: string, description: string, keywords: string }

const fields = ['name', 'keywords', 'description'] as const
type Field = typeof fields[number]

/** How much a word counts by where it stands. */
const weights: Record<Field, number> = { name: 3, keywords: 2, description: 1 }

/** The usual constants of BM25: how soon repetition counts no more, and how much length matters. */
const k1 = 1.2
const b = 0.5

/** How much it counts that a request has both what a tool does and what it does it to. */
const both = 0.5

interface Document {
  name: string
  counts: Record<Field, Map<string, number>>
  lengths: Record<Field, number>
  /** The first word of the name is what the tool does, the others are what it does it to. */
  action: string
  objects: string[]
}

const countsOf = (stems: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const term of stems) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

const byField = <T>(read: (field: Field) => T): Record<Field, T> =>
  ({ name: read('name'), keywords: read('keywords'), description: read('description') })

const toDocument = (tool: Searched): Document => {
  const [action = '', ...objects] = wordsOf(tool.name).map(stem)
  const stems = byField((field) => stemsOf(tool[field]))
  return {
    name: tool.name,
    counts: byField((field) => countsOf(stems[field])),
    lengths: byField((field) => stems[field].length),
    action,
    objects
  }
}

/** Finds tools by words, in order of BM25F: names, keywords and descriptions, each with its weight and length. */
export class ToolSearch {
  readonly #documents: readonly Document[]
  readonly #averages: Record<Field, number>
  readonly #holders = new Map<string, number>()

  constructor (tools: readonly Searched[]) {
    this.#documents = tools.map(toDocument)
    this.#averages = byField((field) =>
      this.#documents.reduce((sum, { lengths }) => sum + lengths[field], 0) / Math.max(1, tools.length) || 1)
    for (const { counts } of this.#documents) {
      const held = new Set(fields.flatMap((field) => [...counts[field].keys()]))
      for (const term of held) this.#holders.set(term, (this.#holders.get(term) ?? 0) + 1)
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

  #score (document: Document, terms: ReadonlyMap<string, number>): number {
    let score = 0
    for (const [term, weight] of terms) score += weight * this.#rarity(term) * this.#saturated(document, term)
    const done = terms.get(document.action) ?? 0
    const doneTo = document.objects.reduce((sum, term) => sum + (terms.get(term) ?? 0), 0)
    return score * (1 + both * done * doneTo / Math.max(1, document.objects.length))
  }

  #rarity (term: string): number {
    const held = this.#holders.get(term) ?? 0
    return Math.log(1 + (this.#documents.length - held + 0.5) / (held + 0.5))
  }

  /** How much a tool has of a term, from 0 to 1. */
  #saturated ({ counts, lengths }: Document, term: string): number {
    let amount = 0
    for (const field of fields) {
      const count = counts[field].get(term)
      if (count !== undefined) amount += weights[field] * count / (1 - b + b * lengths[field] / this.#averages[field])
    }
    return amount / (amount + k1)
  }
}
