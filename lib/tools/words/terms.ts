import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'
import { english } from './english.js'
import { french } from './french.js'
import { functionWords } from './function-words.js'
import { german } from './german.js'
import { germanGrammar, spanishGrammar } from './grammar.js'
import { japanese } from './japanese.js'
import { Language, type Meaning } from './language.js'
import { spanish } from './spanish.js'
import { stem, wordsOf } from './stems.js'

const ofTools = new Language(english, functionWords.english, stemEnglish)

const languages: readonly Language[] = [
  ofTools,
  new Language(german, functionWords.german, stemGerman, germanGrammar),
  new Language(french, functionWords.french, stemFrench),
  new Language(spanish, functionWords.spanish, stemSpanish, spanishGrammar)
]

const japaneseForms = Object.entries(japanese).flatMap(([term, forms]) =>
  forms.split(' ').map((form) => ({ form, meaning: { terms: [stem(term)], weight: 0.8 } })))

const isJapanese = (text: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)

/** Of the language that most of the request's words are of; of several, where that leaves it open. */
const meaningsOf = (request: string, words: readonly string[]): Meaning[] => {
  const fits = languages.map((language) => language.fit(words))
  const best = Math.max(...fits)
  const spoken = languages.filter((_, index) => fits[index] === best)
  const text = request.toLowerCase()
  return [
    ...spoken.flatMap((language) => language.meanings(words)),
    ...isJapanese(request) ? japaneseForms.filter(({ form }) => text.includes(form)).map(({ meaning }) => meaning) : []
  ]
}

/** @returns the stems of the words of an English text, without those that say nothing */
export const stemsOf = (text: string): string[] =>
  wordsOf(text).filter((word) => !ofTools.isFunctionWord(word)).map(stem)

/** @returns the stems of what a request says, and of what it means in English, each with how much it counts (0 to 1) */
export const termsOf = (request: string): Map<string, number> => {
  const terms = new Map<string, number>()
  const count = (term: string, weight: number) => terms.set(term, Math.max(terms.get(term) ?? 0, weight))
  for (const term of stemsOf(request)) count(term, 1)
  for (const { terms: several, weight } of meaningsOf(request, wordsOf(request))) {
    // A word that may mean several things says less of each.
    for (const term of several) count(term, weight / Math.sqrt(several.length))
  }
  return terms
}
