import { isCorrect } from './english-dictionary.js'
import { isTradeWord } from './trade-words.js'
import type { Speller } from './dictionaries.js'

/** What German makes of English verbs: "gepullt", "auszuchecken", "committest", "trackenden". */
const verbStart = /^(?:ab|an|auf|aus|durch|ein|um|vor|weg|zu)?(?:ge|zu)?/
const verbEnd = /(?:end(?:e[mnrs]?)?|test|ten|te|est|st|et|en|t|n)$/
/** Adjectives that every noun may begin: "systemweite", "dateibasierter". */
const adjectiveEnd = /(?:ähnlich|artig|basiert|bezogen|fähig|frei|gebunden|gesteuert|los|orientiert|spezifisch|weise|weit)(?:e[mnrs]?)?$/
const minStem = 3
const minCompound = 10

const isEnglish = (word: string): boolean =>
  word.length >= minStem && (isTradeWord(word) || isCorrect(word, 'en-US') || isCorrect(word, 'en-GB'))

/** @returns an English verb may double its last letter, or lose its e: "stoppen", "mergen" */
const isEnglishVerb = (stem: string): boolean =>
  isEnglish(stem) || isEnglish(`${stem}e`) || (stem.at(-1) === stem.at(-2) && isEnglish(stem.slice(0, -1)))

const isVerb = (plain: string): boolean => {
  const end = plain.replace(verbEnd, '')
  if (end === plain) return false
  // "get" begins as a participle does.
  return isEnglishVerb(end) || isEnglishVerb(end.replace(verbStart, ''))
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** @returns whether German makes a word of others so that no dictionary has it, and it is right */
export const isGermanMade = (written: string, speller: Speller): boolean => {
  const plain = written.toLowerCase()
  const noun = capital(plain.replace(adjectiveEnd, ''))
  if (noun !== capital(plain) && noun.length >= minStem && speller.isCorrect(noun)) return true
  // The first part of a compound whose others stand behind a bracket or a quotation mark: "Versionsverwaltungs".
  if (plain.length >= minCompound && plain.endsWith('s') && speller.isCorrect(written.slice(0, -1))) return true
  return isVerb(plain)
}
