import { Badge } from '../../../parts/badge'
import { sayProblem, toProblem } from '../../../parts/problem-words'
import { sayKnown } from '../../../texts/say'

/** Names of people, by their ids. */
export type Names = Record<string, string>

const bad = new Set(['failed', 'unknown', 'rejected', 'expired', 'denied', 'timed_out', 'superseded', 'cancelled'])
const open = new Set(['pending', 'approved', 'sent', 'edited'])

/** @returns the state of a write, or why a request was refused: then it is the code of the error */
export const describeOutcome = (outcome: string): string =>
  sayKnown(`state.${outcome}`) ?? sayProblem(toProblem({ code: outcome }))

export const Outcome = ({ of: outcome }: { of: string }) => {
  const isKnown = sayKnown(`state.${outcome}`) !== undefined
  const tone = bad.has(outcome) || !isKnown ? 'bad' : open.has(outcome) ? 'warn' : 'good'
  return <Badge tone={tone}>{describeOutcome(outcome)}</Badge>
}
