import { median, quantile } from '../lib/numbers.js'
import { cpuPerThousandTokens, mergeAll, postgresPerThousandTokens } from './merge.js'
import { aimToBase, errorCount, errorNotes, grid, sweep, type Scenario } from './scenario.js'

export const oneStream: Scenario = {
  key: 'S1',
  title: 'One stream at a time, 50 tokens as fast as possible',
  run: async (bench) => {
    const total = bench.options.quick ? 50 : 200
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.home(target), async (server) => {
        await server.run(server.streams({ tokens: 50 }, { concurrency: 20, total: 1000 }))
        const calls = await bench.modelCalls()
        const measure = await server.measure(server.streams({ tokens: 50 }, { concurrency: 1, total }))
        return { ...measure, calls: (await bench.modelCalls() - calls) / total }
      }))
    const figures = mergeAll(results)
    const calls = [...results].map(([target, measures]) => `${target.alias} ${measures.at(-1)?.calls}`)
    return {
      ...grid(figures, [
        { title: 'first p50 ms', of: ({ first }) => median(first), compared: true },
        { title: 'first p99 ms', of: ({ first }) => quantile(first, 0.99), compared: true },
        { title: 'whole p50 ms', of: ({ total }) => median(total), compared: true },
        { title: 'CPU ms/1,000 tokens', of: cpuPerThousandTokens, compared: true },
        { title: 'of PostgreSQL', of: postgresPerThousandTokens },
        { title: 'errors', of: ({ errors }) => errorCount(errors) }
      ]),
      aims: aimToBase(figures, 'first content event, p50', ({ first }) => median(first), 3),
      notes: [`model calls of a run: ${calls.join(', ')}`, ...notes, ...errorNotes(figures)]
    }
  }
}
