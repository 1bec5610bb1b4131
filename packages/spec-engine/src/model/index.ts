export * from './answers.js'
export type { Answers, PartResult } from './assemble.js'
export { partChars, type Line, type Part } from './number.js'
