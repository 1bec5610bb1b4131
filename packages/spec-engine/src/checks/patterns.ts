import { RE2JS, RE2JSException } from 're2js'

/** Cache of users' compiled patterns, by expression and case; sized for the standards of a busy workspace. */
const maxHeld = 2_000
const held = new Map<string, RE2JS>()

/** Nested repetitions enlarge the program, not the running time; this limits the memory. */
const maxProgram = 5_000

/**
 * Compiles a user's expression for the linear-time engine.
 * @throws Error with the reason: not an RE2 expression, or one that unfolds to too many steps
 */
export const compilePattern = (pattern: string, ignoreCase = true): RE2JS => {
  const key = `${ignoreCase ? 'i' : 's'}${pattern}`
  const known = held.get(key)
  if (known) return known
  const made = compile(pattern, ignoreCase)
  if (held.size >= maxHeld) held.clear()
  held.set(key, made)
  return made
}

const compile = (pattern: string, ignoreCase: boolean): RE2JS => {
  try {
    const made = RE2JS.compile(pattern, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
    if (made.programSize() > maxProgram) throw new Error('it unfolds to too many steps')
    return made
  } catch (error) {
    // The library's messages name the part of the expression that is wrong.
    if (error instanceof RE2JSException) throw new Error(error.message, { cause: error })
    throw error
  }
}

export const isFound = (pattern: RE2JS, text: string): boolean => pattern.matcher(text).find()

export const firstMatch = (pattern: RE2JS, text: string): string | undefined => {
  const matcher = pattern.matcher(text)
  return matcher.find() ? matcher.group() ?? undefined : undefined
}

/** @returns how often the pattern is found, up to a limit */
export const countMatches = (pattern: RE2JS, text: string, limit: number): number => {
  const matcher = pattern.matcher(text)
  let count = 0
  while (count < limit && matcher.find()) count++
  return count
}
