/** The characters before a word that decide whether it begins a sentence. */
const maxBefore = 40
/** Blanks, marks and opening quotes at the end. */
const opening = /(?<![\s>#*_"“(-])[\s>#*_"“(-]*$/
const sentenceEnd = /[.!?…]["”’)]*$/

/** @returns whether a word at an offset begins a sentence, by the few characters before it */
export const beginsSentence = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - maxBefore), at)
  const from = before.search(opening)
  const between = before.slice(from)
  if (from === 0 || between.includes('\n')) return true
  return sentenceEnd.test(before.slice(0, from)) && /^"*\s/.test(between)
}
