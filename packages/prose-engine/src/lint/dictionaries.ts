import { readFile } from 'node:fs/promises'
import { createHunspellFromStrings, type Hunspell } from 'hunspell-wasm'
import { KeptAnswers } from './kept-answers.js'

/** A dictionary of a language other than English, as Hunspell reads it: with the compounds of German. */
export interface Speller { isCorrect: (word: string) => boolean, suggest: (word: string) => string[] }

const spellers = new Map<string, Promise<Speller | undefined>>()
/** Those that are loaded; undefined: there is none. */
const loaded = new Map<string, Speller | undefined>()

/** Those who write ss for ß find no right word with it in the dictionary of Germany. */
const apart = new Set(['de-ch', 'de-li'])

/** @returns the packages that may have a dictionary of a locale, the closest first */
const packagesOf = (locale: string): string[] => {
  const lowered = locale.toLowerCase()
  const [language = ''] = lowered.split('-')
  return (apart.has(lowered) ? [lowered] : [lowered, language]).map((name) => `dictionary-${name}`)
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT')

/** @returns the address of a package's module; undefined where it is not installed */
const addressOf = (name: string): string | undefined => {
  try {
    return import.meta.resolve(name)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const spellerOf = (hunspell: Hunspell): Speller => {
  const words = new KeptAnswers((word) => hunspell.testSpelling(word))
  const suggestions = new KeptAnswers((word) => hunspell.getSpellingSuggestions(word))
  return { isCorrect: (word) => words.ask(word), suggest: (word) => suggestions.ask(word) }
}

const read = async (locale: string): Promise<Speller | undefined> => {
  for (const name of packagesOf(locale)) {
    const main = addressOf(name)
    if (main === undefined) continue
    // The package's own module reads both files when it is imported, and into bytes.
    const files = ['index.aff', 'index.dic'].map((file) => readFile(new URL(file, main), 'utf8'))
    const [aff, dic] = await Promise.all(files)
    if (aff && dic) return spellerOf(await createHunspellFromStrings(aff, dic))
  }
  return undefined
}

/**
 * Loads the dictionary of a locale when a text first needs it: a sixth of a second and 30 MB. It is that of the package
 * `dictionary-<locale>`, or `dictionary-<language>`, where one is installed; English has its own.
 */
export const loadDictionary = async (locale: string): Promise<void> => {
  if (/^en\b/.test(locale) || !/^[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/.test(locale)) return
  const known = spellers.get(locale) ?? read(locale)
  spellers.set(locale, known)
  loaded.set(locale, await known)
}

/** @returns the dictionary of a locale, if there is one and it is loaded */
export const dictionaryFor = (locale: string): Speller | undefined => loaded.get(locale)
