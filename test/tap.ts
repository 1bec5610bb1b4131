import tap, { type Test } from 'tap'

export type { Test } from 'tap'

let current: Test = tap

/**
 * What a test file imports as `t`. Run by itself it is tap's own root; in a worker, which runs many files, each file
 * has a test of its own that ends, and tears down, before the next one begins.
 */
export { current as default }

/** The process's own root: what it tears down, it tears down when the process ends. */
export const root: Test = tap

/** @param t what the file that is read next takes for its root */
export const runWithin = (t: Test): void => { current = t }
