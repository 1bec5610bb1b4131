import type { Bench } from '../bench.js'
import { median, number } from '../lib/numbers.js'
import { stewardEmbedded } from '../targets/steward.js'
import type { Target } from '../targets/target.js'
import { grid, sweep, type Aim, type Scenario } from './scenario.js'

interface Starts { empty: number, existing: number }

const measure = async (bench: Bench, target: Target): Promise<Starts> => {
  const storage = await bench.storage(target)
  const start = () => bench.with(target, storage, async (server) => server.readyMs)
  return { empty: await start(), existing: await start() }
}

const aims = (figures: Map<Target, Starts>): Aim[] => {
  const own = figures.get(stewardEmbedded)
  if (!own) return []
  const aim = (what: string, limit: number, ms: number) =>
    ({ what, limit: `at most ${number(limit)} ms`, measured: `${number(ms)} ms`, met: ms <= limit })
  return [aim('start on an existing embedded folder', 1500, own.existing), aim('on an empty one', 5000, own.empty)]
}

export const coldStart: Scenario = {
  key: 'start',
  title: 'From the spawn of the process to the first 200 of /ready',
  run: async (bench) => {
    const { results, notes } = await sweep(bench, (target) => measure(bench, target))
    const figures = new Map([...results].map(([target, starts]) => [target, {
      empty: median(starts.map(({ empty }) => empty)), existing: median(starts.map(({ existing }) => existing))
    }]))
    return {
      ...grid(figures, [
        { title: 'empty folder or database, ms', of: ({ empty }) => empty },
        { title: 'existing, ms', of: ({ existing }) => existing }
      ]),
      aims: aims(figures),
      notes
    }
  }
}
