import { RE2JS } from 're2js'

const maxProgram = 2000

/** @returns an expression that runs in linear time, or the reason why it is invalid */
export const compileExpression = (pattern: string, caseSensitive: boolean): RE2JS | string => {
  try {
    const compiled = RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    if (compiled.matches('')) return 'matches the empty text'
    return compiled.programSize() > maxProgram ? 'is too large' : compiled
  } catch {
    return 'is no RE2 expression'
  }
}
