/** Levels of brackets and of `if`. People write three. */
export const maxNesting = 50

/** What matters of a text: strings, comments, brackets, words. Whatever comes first is consumed whole. */
const token = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|\/\/[^\n]*|[([{]|[)\]}]|;|\w+/g

/**
 * Looks through a text before anything parses it: a parser that calls itself for each level has an end of its stack.
 * In time that is proportional to its length.
 * @returns where it is nested too deeply
 */
export const findTooDeep = (text: string): number | undefined => {
  let brackets = 0
  // Each one is in the branch of the one before, until the policy ends.
  let conditions = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '(' || found === '[' || found === '{') brackets += 1
    else if (found === ')' || found === ']' || found === '}') brackets -= 1
    else if (found === ';') brackets = conditions = 0
    else if (found === 'if') conditions += 1
    else continue
    if (brackets > maxNesting || conditions > maxNesting) return index
  }
  return undefined
}
