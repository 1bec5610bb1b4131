import { median, quantile } from '../lib/numbers.js'
import type { Measure, Server } from '../server-under-test.js'
import type { Target } from '../targets/target.js'
import { clientLoad, cpuPerThousandTokens, mergeAll, postgresPerThousandTokens } from './merge.js'
import { aimToBase, errorCount, errorNotes, grid, sweep, type Report, type Scenario } from './scenario.js'

/** Streams before a fresh server is measured, and before a warm one is: see the README. */
const freshAfter = 500
const warmAfter = 2_500

const script = { tokens: 500 }

/** The same load on the same server, young and when V8 has compiled what it will compile. */
interface Ages<T> { fresh: T, warm: T }

const measure = async (server: Server, counts: Ages<number>): Promise<Ages<Measure>> => {
  const streams = (count: number) => server.streams(script, { concurrency: 50, total: count })
  await server.run(streams(freshAfter))
  const fresh = await server.measure(streams(counts.fresh))
  await server.run(streams(warmAfter - freshAfter - counts.fresh))
  return { fresh, warm: await server.measure(streams(counts.warm)) }
}

const mergeAges = (results: Map<Target, Ages<Measure>[]>): Map<Target, Ages<Measure>> => {
  const of = (age: keyof Ages<Measure>) =>
    mergeAll(new Map([...results].map(([target, rounds]) => [target, rounds.map((ages) => ages[age])])))
  const [fresh, warm] = [of('fresh'), of('warm')]
  return new Map([...warm].flatMap(([target, measured]) => {
    const young = fresh.get(target)
    return young ? [[target, { fresh: young, warm: measured }] as const] : []
  }))
}

const cpuWarm = ({ warm }: Ages<Measure>) => cpuPerThousandTokens(warm)

const report = (figures: Map<Target, Ages<Measure>>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: 'first p50 ms', of: ({ warm }) => median(warm.first), compared: true },
    { title: 'first p99 ms', of: ({ warm }) => quantile(warm.first, 0.99) },
    { title: 'CPU ms/1,000 tokens', of: cpuWarm, compared: true },
    { title: `after ${freshAfter} streams`, of: ({ fresh }) => cpuPerThousandTokens(fresh), compared: true },
    { title: 'of PostgreSQL', of: ({ warm }) => postgresPerThousandTokens(warm) },
    { title: 'tokens/s', of: ({ warm: { tokens, wallMs } }) => 1000 * tokens / wallMs },
    { title: 'client load', of: ({ warm }) => clientLoad(warm) },
    { title: 'errors', of: ({ warm, fresh }) => errorCount(warm.errors) + errorCount(fresh.errors) }
  ]),
  aims: aimToBase(figures, 'CPU per token', cpuWarm, 1.5),
  notes: [...notes, ...(['fresh', 'warm'] as const).flatMap((age) =>
    errorNotes(new Map([...figures].map(([target, ages]) => [target, ages[age]]))))]
})

export const manyFast: Scenario = {
  key: 'S2',
  title: '50 streams at once, 500 tokens each, as fast as possible',
  run: async (bench) => {
    const counts = bench.options.quick ? { fresh: 200, warm: 1_000 } : { fresh: 400, warm: 1_000 }
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.home(target), (server) => measure(server, counts)))
    return report(mergeAges(results), [`after ${warmAfter} streams, and after ${freshAfter}`, ...notes])
  }
}
