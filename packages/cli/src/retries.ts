import type { FollowRequest, Problem } from 'steward-client'
import { Ended, exits } from './exits.js'
import type { Terminal } from './terminal.js'
import { oneLine } from './text.js'

/** So many attempts in a row that reach nothing take half a minute, a restart of Steward less. */
const mostInRow = 8

/** @returns what follows a stream needs, so that it ends where Steward is gone, and does not ask for ever */
export const patience = (terminal: Terminal): Required<Pick<FollowRequest, 'onOpen' | 'onBreak'>> => {
  let inRow = 0
  return {
    onOpen: () => { inRow = 0 },
    onBreak: (_failures: number, problem: Problem | undefined) => {
      inRow++
      const reason = oneLine(problem?.message ?? '')
      if (inRow >= mostInRow) throw new Ended(exits.unreachable, `The connection broke ${inRow} times. ${reason}`)
      if (inRow === 1) terminal.note(`The connection broke, and is made again. ${reason}`.trimEnd())
    }
  }
}
