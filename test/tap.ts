import tap, { type Test } from 'tap'

let current: Test = tap

/** What a test file in the bundle imports as `tap`: in a batch, each file's root is a test of its own. */
export { current as default }

/** The process's own root. */
export const root: Test = tap

/** @param t what the file that is read next takes for its root */
export const within = (t: Test): void => { current = t }
