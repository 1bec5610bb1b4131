export { ExtractionError } from './errors.js'
export type { ExtractionCode } from './errors.js'
export { firstOf } from './extraction.js'
export type { Extraction } from './extraction.js'
export { decodeText, requireProse, sniff, textType } from './sniff.js'
export type { ExtractionAnswer, ExtractionWork } from './worker.js'

/**
 * What reads one file: a script for a process of its own, which is sent ExtractionWork, answers with ExtractionAnswer, and
 * ends when it takes more than it may.
 */
export const childScript = new URL('./child.js', import.meta.url)
