import { table } from '../../bench/lib/table.js'
import { areas } from '../task.js'
import type { Verdict } from './judge.js'

/** A task and its tries. */
export interface Result { id: string, area: string, rounds: Verdict[] }

const passes = ({ rounds }: Result): number => rounds.filter(({ problems }) => problems.length === 0).length
const isPassed = (result: Result): boolean => passes(result) === result.rounds.length

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const round = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 })

const costOf = (results: Result[]): number | null => {
  const costs = results.flatMap(({ rounds }) => rounds.map(({ talk }) => talk.cost))
  return costs.reduce<number | null>((sum, cost) => sum === null || cost === null ? null : sum + cost, 0)
}
const dollars = (cost: number | null): string => cost === null ? 'unknown' : cost.toFixed(4)

/** @returns turns, calls, approvals and tokens of a mean round, and the cost of all rounds */
const figures = (results: Result[]): string[] => {
  const talks = results.flatMap(({ rounds }) => rounds.map(({ talk }) => talk))
  const of = (value: (talk: typeof talks[number]) => number) => round(mean(talks.map(value)))
  return [of(({ turns }) => turns), of(({ calls }) => calls), of(({ proposals }) => proposals.length),
    of(({ tokensIn }) => tokensIn), of(({ tokensOut }) => tokensOut), dollars(costOf(results))]
}

const names = ['turns', 'calls', 'asked', 'tokens in', 'tokens out', 'USD']

/** @returns a line for each task */
export const describeTasks = (results: Result[], rounds: number): string => table(
  ['task', 'area', 'passed', `pass^${rounds}`, ...names],
  results.map((result) => [result.id, result.area, `${passes(result)}/${result.rounds.length}`,
    isPassed(result) ? 'yes' : 'NO', ...figures([result])]))

/** @returns a line for each area, and one for all */
export const describeAreas = (results: Result[], rounds: number): string => {
  const line = (name: string, of: Result[]) =>
    [name, String(of.length), `${of.filter(isPassed).length}/${of.length}`, ...figures(of)]
  const groups = areas.map((area) => [area, results.filter((result) => result.area === area)] as const)
  return table(['area', 'tasks', `pass^${rounds}`, ...names],
    [...groups.filter(([, of]) => of.length > 0).map(([area, of]) => line(area, of)), line('all', results)])
}

/** @returns why each try failed that did */
export const describeFailures = (results: Result[]): string => results.flatMap(({ id, rounds }) =>
  rounds.flatMap(({ problems, talk }, at) => problems.length === 0
    ? []
    : [`- ${id}, round ${at + 1}: ${problems.join('; ')}\n  It ended with: ${talk.reply.slice(0, 300)}`])).join('\n')

export const allPassed = (results: Result[]): boolean => results.every(isPassed)
