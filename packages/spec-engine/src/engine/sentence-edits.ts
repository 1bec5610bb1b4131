import type { Citation, Requirement, SpecDocument } from '../schemas/document.js'
import { draftOf, toRequirement, unitsOf } from './compile.js'
import type { Source } from './material.js'

/** A sentence that a person decides, with the requirement that it makes word for word. */
export interface FoundSentence { input_id: string, char_start: number, char_end: number, requirement: Requirement }

/** @returns how an edit names a sentence: the input and where the sentence starts */
export const sentenceKey = ({ input_id: id, char_start: start }: Pick<Citation, 'input_id' | 'char_start'>): string => `${id}@${start}`

/** @returns the sentences of the inputs that the keys name; what is no sentence is not there */
export const findSentences = (inputs: readonly Source[], document: SpecDocument, keys: readonly string[],
  version: number): FoundSentence[] => {
  const wanted = new Set(keys)
  return unitsOf(inputs, document.settings.locale, document).flatMap((unit) => {
    const { source: { input_id }, start: char_start, end: char_end } = unit
    return wanted.has(sentenceKey({ input_id, char_start }))
      ? [{ input_id, char_start, char_end, requirement: toRequirement(draftOf(unit), [], version) }]
      : []
  })
}
