import type { Bench } from '../bench.js'
import { median, number } from '../lib/numbers.js'
import type { Rest } from '../server-under-test.js'
import { stewardPg } from '../targets/steward.js'
import type { Target } from '../targets/target.js'
import { grid, sweep, type Aim, type Scenario } from './scenario.js'

/** After the start: what begins once, and what is only loaded when the server has nothing else to do. */
const settleMs = 20_000

const aims = (figures: Map<Target, Rest>): Aim[] => {
  const own = figures.get(stewardPg)
  if (!own) return []
  const aim = (what: string, most: number, unit: string, measured: number) =>
    ({ what, limit: `at most ${most}${unit}`, measured: `${number(measured)}${unit}`, met: measured <= most })
  return [aim('transactions a second, idle', 1, '', own.transactions), aim('CPU, idle', 0.3, ' %', own.cpu)]
}

export const idle: Scenario = {
  key: 'idle',
  title: 'What an instance costs that nobody asks',
  run: async (bench: Bench) => {
    const ms = bench.options.quick ? 20_000 : 60_000
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.storage(target), (server) => server.rest(settleMs, ms)))
    const of = (rests: Rest[], figure: keyof Rest) => median(rests.map((rest) => rest[figure]))
    const figures = new Map([...results].map(([target, rests]) => [target, {
      transactions: of(rests, 'transactions'), cpu: of(rests, 'cpu'), postgresCpu: of(rests, 'postgresCpu')
    }]))
    return {
      ...grid(figures, [
        { title: 'transactions a second', of: ({ transactions }) => transactions },
        { title: 'CPU, % of a core', of: ({ cpu }) => cpu },
        { title: 'of PostgreSQL', of: ({ postgresCpu }) => postgresCpu }
      ]),
      aims: aims(figures),
      notes: [...notes, `${ms / 1_000} s, after ${settleMs / 1_000} s`]
    }
  }
}
