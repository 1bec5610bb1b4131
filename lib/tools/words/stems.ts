import { stemmer as stemEnglish } from '@orama/stemmers/english'

/** `listClusterServices` has three words. */
export const wordsOf = (text: string): string[] =>
  text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Without accents, which people leave out. */
export const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** @returns the stem of an English word, as Snowball has it */
export const stem = (word: string): string => fold(stemEnglish(word))
