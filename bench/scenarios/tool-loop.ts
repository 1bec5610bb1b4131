import { median, quantile } from '../lib/numbers.js'
import type { Measure } from '../server-under-test.js'
import type { Target } from '../targets/target.js'
import { mergeMeasures, perSecond } from './merge.js'
import { aimToBase, errorCount, errorNotes, grid, sweep, type Report, type Scenario } from './scenario.js'

/** So long that what is measured is compiled: see the README. */
const warmUpMs = 5_000

const script = { tokens: 50, tool: 'listProjects' }

interface Loops { alone: Measure, crowd: Measure, errors: Record<string, number> }

const merge = (rounds: { alone: Measure, crowd: Measure }[]): Loops => {
  const alone = mergeMeasures(rounds.map((round) => round.alone))
  const crowd = mergeMeasures(rounds.map((round) => round.crowd))
  return { alone, crowd, errors: { ...alone.errors, ...crowd.errors } }
}

const report = (figures: Map<Target, Loops>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: 'first event p50 ms', of: ({ alone }) => median(alone.tool), compared: true },
    { title: 'p99', of: ({ alone }) => quantile(alone.tool, 0.99) },
    { title: 'content p50', of: ({ alone }) => median(alone.first), compared: true },
    { title: 'whole p50', of: ({ alone }) => median(alone.total), compared: true },
    { title: '50 at once: loops/s', of: ({ crowd }) => perSecond(crowd), compared: true },
    { title: 'CPU ms/loop', of: ({ crowd }) => crowd.cpuMs / crowd.finished, compared: true },
    { title: 'of PostgreSQL', of: ({ crowd }) => crowd.postgresMs / crowd.finished },
    { title: 'errors', of: ({ errors }) => errorCount(errors) }
  ]),
  aims: [
    ...aimToBase(figures, 'first event of a tool loop, p50', ({ alone }) => median(alone.tool), 4),
    ...aimToBase(figures, 'tool loops/s', ({ crowd }) => perSecond(crowd), 0.25, 'least')
  ],
  notes: [...notes, ...errorNotes(figures)]
})

export const toolLoop: Scenario = {
  key: 'S4',
  title: 'A tool call, then 50 tokens, one at a time and 50 at once',
  run: async (bench) => {
    const [total, durationMs] = bench.options.quick ? [50, 2000] : [200, 5000]
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.home(target), async (server) => {
        await server.stock()
        await server.run(server.streams(script, { concurrency: 50, durationMs: warmUpMs }))
        const alone = await server.measure(server.streams(script, { concurrency: 1, total }))
        return { alone, crowd: await server.measure(server.streams(script, { concurrency: 50, durationMs })) }
      }))
    return report(new Map([...results].map(([target, rounds]) => [target, merge(rounds)])), notes)
  }
}
