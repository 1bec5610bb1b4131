import { stemmer as stemEnglish } from '@orama/stemmers/english'

/** `listClusterServices` has three words. */
export const wordsOf = (text: string): string[] =>
  text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Without accents, which people leave out. */
export const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** @returns the stem of an English word, as Snowball has it */
export const stem = (word: string): string => fold(stemEnglish(word))

/**
 * What people say for what tools do and act on, by the English word that names, keywords and descriptions have. Words
 * are separated by spaces, and compared by their stems; `take_off` is a phrase, whose words stand in this order with at
 * most five others between.
 */
export type Vocabulary = Readonly<Record<string, string>>
