import type { OpenCall, RunState } from '../run/run-state.js'

type Numbered = Pick<OpenCall, 'step' | 'ordinal'>

/** @returns how a report cites a call of its run: by the turn and the position in it, which are stored with the call */
export const citationOf = ({ step, ordinal }: Numbered): string => `${step}.${ordinal + 1}`

/** @returns what a model that writes a report reads with each result */
export const citeNote = ({ firing }: Pick<RunState, 'firing'>, call: Numbered): string | undefined =>
  firing === null ? undefined : `Cite this result as [call:${citationOf(call)}]`
