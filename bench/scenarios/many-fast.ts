import { median, quantile } from '../lib/numbers.js'
import { clientLoad, cpuPerThousandTokens, mergeAll, postgresPerThousandTokens } from './merge.js'
import { aimToBase, errorCount, errorNotes, grid, sweep, type Scenario } from './scenario.js'

/** So many that what is measured is compiled: see the README. */
const warmUpStreams = 500

const script = { tokens: 500 }

export const manyFast: Scenario = {
  key: 'S2',
  title: '50 streams at once, 500 tokens each, as fast as possible',
  run: async (bench) => {
    const total = 50 * (bench.options.quick ? 4 : 8)
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.home(target), async (server) => {
        await server.run(server.streams(script, { concurrency: 50, total: warmUpStreams }))
        return server.measure(server.streams(script, { concurrency: 50, total }))
      }))
    const figures = mergeAll(results)
    return {
      ...grid(figures, [
        { title: 'first p50 ms', of: ({ first }) => median(first), compared: true },
        { title: 'first p99 ms', of: ({ first }) => quantile(first, 0.99) },
        { title: 'CPU ms/1,000 tokens', of: cpuPerThousandTokens, compared: true },
        { title: 'of PostgreSQL', of: postgresPerThousandTokens },
        { title: 'tokens/s', of: ({ tokens, wallMs }) => 1000 * tokens / wallMs },
        { title: 'client load', of: clientLoad },
        { title: 'errors', of: ({ errors }) => errorCount(errors) }
      ]),
      aims: aimToBase(figures, 'CPU per token', cpuPerThousandTokens, 2),
      notes: [...notes, ...errorNotes(figures)]
    }
  }
}
