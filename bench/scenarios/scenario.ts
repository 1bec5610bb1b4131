import type { Bench } from '../bench.js'
import { number, ratio } from '../lib/numbers.js'
import { baseKey } from '../targets/index.js'
import type { Target } from '../targets/target.js'

/** A figure of the issue, and what was measured. */
export interface Aim { what: string, limit: string, measured: string, met: boolean }
export interface Report { columns: string[], rows: string[][], aims: Aim[], notes: string[] }
export interface Scenario {
  key: string
  title: string
  /** For what waits long: it is not part of a run of everything. */
  onlyWhenNamed?: true
  run: (bench: Bench) => Promise<Report>
}

export interface Swept<T> { results: Map<Target, T[]>, notes: string[] }

/**
 * Measures every target once, then all of them again, so that a machine that becomes slower in between slows all.
 * A target that fails is left out of the rounds that follow and named in the notes.
 */
export const sweep = async <T>(
  bench: Bench, measure: (target: Target) => Promise<T>, targets = bench.targets
): Promise<Swept<T>> => {
  const results = new Map<Target, T[]>()
  const failed = new Map<Target, string>()
  for (let round = 0; round < bench.options.rounds; round += 1) {
    for (const target of targets.filter((target) => !failed.has(target))) {
      try {
        results.set(target, [...results.get(target) ?? [], await measure(target)])
      } catch (error) {
        failed.set(target, `${target.label}: ${(error as Error).message}`)
      }
    }
  }
  return { results, notes: [...failed.values()] }
}

/** A column: a figure of each target, with its ratio to (ii) where `compared`. */
export interface Column<M> { title: string, of: (measure: M) => number, compared?: boolean }

export const base = <M>(figures: Map<Target, M>): M | undefined =>
  [...figures].find(([target]) => target.key === baseKey)?.[1]

/** Rows of all targets; a compared column is followed by its ratio. */
export const grid = <M>(figures: Map<Target, M>, columns: Column<M>[]): Pick<Report, 'columns' | 'rows'> => {
  const reference = base(figures)
  const cells = (measure: M, { of, compared }: Column<M>) => [
    number(of(measure)), ...(compared ? [ratio(of(measure), reference && of(reference))] : [])
  ]
  return {
    columns: ['target', ...columns.flatMap(({ title, compared }) => compared ? [title, 'to (ii)'] : [title])],
    rows: [...figures].map(([{ label }, measure]) => [label, ...columns.flatMap((column) => cells(measure, column))])
  }
}

/** How Steward on PostgreSQL stands to (ii); none when one of the two was not measured. */
export const aimToBase = <M>(
  figures: Map<Target, M>, what: string, of: (measure: M) => number, times: number, side: 'most' | 'least' = 'most'
): Aim[] => {
  const own = [...figures].find(([target]) => target.key === 'steward-pg')?.[1]
  const reference = base(figures)
  if (own === undefined || reference === undefined) return []
  const quotient = of(own) / of(reference)
  const met = side === 'most' ? quotient <= times : quotient >= times
  return [{ what, limit: `at ${side} ×${times}`, measured: ratio(of(own), of(reference)), met }]
}

export const errorCount = (errors: Record<string, number>): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0)

/** Errors by name, for the notes below a table. */
export const errorNotes = <M extends { errors: Record<string, number> }>(figures: Map<Target, M>): string[] =>
  [...figures].filter(([, { errors }]) => errorCount(errors) > 0)
    .map(([target, { errors }]) => `${target.label}: ${JSON.stringify(errors)}`)
