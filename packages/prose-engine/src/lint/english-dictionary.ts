import { readFileSync } from 'node:fs'
import nspell from 'nspell'
import { KeptAnswers } from './kept-answers.js'

export type Variant = 'en-GB' | 'en-US'
type Speller = Pick<ReturnType<typeof nspell>, 'correct'>

const packages: Record<Variant, string> = { 'en-GB': 'dictionary-en-gb', 'en-US': 'dictionary-en' }
const loaded = new Map<Variant, Speller>()

/** Loads a dictionary when a text first needs it: a tenth of a second and 30 MB. */
const dictionaryOf = (variant: Variant): Speller => {
  const known = loaded.get(variant)
  if (known) return known
  // The package exports its module, which reads both files when it is imported; here it is read when it is needed.
  const main = import.meta.resolve(packages[variant])
  const [aff, dic] = ['index.aff', 'index.dic'].map((name) => readFileSync(new URL(name, main)))
  if (!aff || !dic) throw new Error(`${packages[variant]} has no dictionary`)
  const speller = nspell({ aff, dic })
  loaded.set(variant, speller)
  return speller
}

const answers: Record<Variant, KeptAnswers<boolean>> = {
  'en-GB': new KeptAnswers((word) => dictionaryOf('en-GB').correct(word)),
  'en-US': new KeptAnswers((word) => dictionaryOf('en-US').correct(word))
}

/** @returns whether the dictionary of a variant has a word */
export const isCorrect = (word: string, variant: Variant): boolean => answers[variant].ask(word)
