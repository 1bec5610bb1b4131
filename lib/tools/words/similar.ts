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
export const findSimilar = (word: string, known: Iterable<string>): string | undefined => {
  if (word.length < minLength) return undefined
  let best: { other: string, alike: number } | undefined
  for (const other of known) {
    if (Math.abs(other.length - word.length) > 1 || other[0] !== word[0]) continue
    const alike = likeness(word, other)
    if (alike >= enough && alike > (best?.alike ?? 0)) best = { other, alike }
  }
  return best?.other
}
