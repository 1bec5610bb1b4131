import { fold, stem, type Vocabulary } from './vocabulary.js'

/** How much of two words has to be the same: a letter too many, one that is missing, or two that were swapped. */
const enough = 0.5
/** Of shorter words too many are alike. */
const minLength = 5

const pairs = (word: string): string[] => {
  const letters = [' ', ...word, ' ']
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** How alike two words are, from 0 to 1, by the pairs of letters that they share (Dice). */
const likeness = (one: string, other: string): number => {
  const left = pairs(other)
  const shared = pairs(one).filter((pair) => {
    const at = left.indexOf(pair)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
  return 2 * shared.length / (one.length + other.length + 2)
}

/** @returns the word that was meant by one that nobody knows, if one is alike enough: "depoly" is "deploy" */
const findSimilar = (word: string, known: Iterable<string>): string | undefined => {
  if (word.length < minLength) return undefined
  let best: { other: string, alike: number } | undefined
  for (const other of known) {
    if (Math.abs(other.length - word.length) > 1 || other[0] !== word[0]) continue
    const alike = likeness(word, other)
    if (alike >= enough && alike > (best?.alike ?? 0)) best = { other, alike }
  }
  return best?.other
}

/** How many words may stand between two of a phrase: "nimm den Beitrag von der Website". */
const maxBetween = 5
/** Shorter parts of compounds say nothing: "ton" is in "Beton". */
const minPart = 4
/** How much a word counts that the person did not say, but means. */
const meant = 0.8
/** The same, where the word had to be guessed. */
const guessed = 0.4

export interface Meaning { terms: readonly string[], weight: number }

/** What a language does with words beside their endings. */
export interface Grammar {
  /** Whether one word may have several in it: "Warenkorbdienst". */
  hasCompounds?: true
  /** @returns the parts of a verb as they stand apart in a sentence: "brich den Build ab" */
  apart?: (verb: string) => [string, string] | undefined
  /** @returns a verb without the pronouns at its end: "bórralo" */
  bare?: (word: string) => string
}

/** Whether the stems of a phrase stand in a text in their order, with few others between. */
const isWithin = (phrase: readonly string[], text: readonly string[]): boolean => text.some((word, start) => {
  if (word !== phrase[0]) return false
  let at = start
  return phrase.slice(1).every((next) => {
    const found = text.slice(at + 1, at + 2 + maxBetween).indexOf(next)
    at += found + 1
    return found !== -1
  })
})

/** What the words of a language mean, in the English terms of tools. */
export class Language {
  readonly #byStem = new Map<string, string[]>()
  readonly #phrases: { stems: string[], term: string }[] = []
  readonly #functionWords: ReadonlySet<string>
  readonly #stem: (word: string) => string

  constructor (
    vocabulary: Vocabulary,
    functionWords: string,
    stemmer: (word: string) => string,
    private readonly grammar: Grammar = {}
  ) {
    this.#stem = (word) => fold(stemmer(word))
    this.#functionWords = new Set(functionWords.split(' '))
    for (const [term, forms] of Object.entries(vocabulary)) {
      for (const form of forms.split(' ')) this.#learn(form, stem(term))
    }
  }

  #learn (form: string, term: string): void {
    const stems = form.split('_').map(this.#stem)
    const [first = ''] = stems
    if (stems.length > 1) this.#phrases.push({ stems, term })
    else this.#byStem.set(first, [...new Set([...this.#byStem.get(first) ?? [], term])])
    const apart = stems.length === 1 ? this.grammar.apart?.(form) : undefined
    if (apart) this.#phrases.push({ stems: apart.map(this.#stem), term })
  }

  isFunctionWord (word: string): boolean {
    return this.#functionWords.has(word)
  }

  /** How much of a request is of this language. */
  fit (words: readonly string[]): number {
    return words.reduce((sum, word) => sum + (this.isFunctionWord(word) ? 1 : 0) +
      (this.#byStem.has(this.#stem(word)) ? 0.5 : 0), 0)
  }

  /** @returns what the words and phrases of a request may mean */
  meanings (words: readonly string[]): Meaning[] {
    const stems = words.map(this.#stem)
    const phrases = this.#phrases.filter((phrase) => isWithin(phrase.stems, stems))
    return [
      ...phrases.map(({ term }) => ({ terms: [term], weight: meant })),
      ...words.filter((word) => !this.isFunctionWord(word) || this.#byStem.has(this.#stem(word)))
        .flatMap((word) => this.#meaningsOf(word))
    ]
  }

  #meaningsOf (word: string): Meaning[] {
    const own = this.#stem(word)
    const known = this.#byStem.get(own) ?? this.#byStem.get(this.#stem(this.grammar.bare?.(word) ?? word))
    if (known) return [{ terms: known, weight: meant }]
    const parts = this.grammar.hasCompounds ? this.#partsOf(own) : []
    if (parts.length > 0) return parts
    const similar = findSimilar(own, this.#byStem.keys())
    return similar === undefined ? [] : [{ terms: this.#byStem.get(similar) ?? [], weight: guessed }]
  }

  /** @returns the meanings of the known words that a compound begins or ends with */
  #partsOf (compound: string): Meaning[] {
    return [...this.#byStem]
      .filter(([part]) => part.length >= minPart && (compound.endsWith(part) || compound.startsWith(part)))
      .map(([, terms]) => ({ terms, weight: meant }))
  }
}
