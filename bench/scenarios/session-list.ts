import type { Bench } from '../bench.js'
import { median, number, quantile } from '../lib/numbers.js'
import type { Measure } from '../server-under-test.js'
import type { Storage, Target } from '../targets/target.js'
import { mergeMeasures, perSecond } from './merge.js'
import { errorCount, errorNotes, grid, sweep, type Aim, type Report, type Scenario } from './scenario.js'

/** `most`, a million, only without --quick: they take minutes to make. */
interface Round { few: Measure, many: Measure, most?: Measure }
interface Lists extends Round { errors: Record<string, number> }

/** A storage with so many sessions: the first by the API, as a user makes it, the others beside it. */
const fill = async (bench: Bench, target: Target, sessions: number): Promise<Storage> => {
  const storage = await bench.storage(target)
  await bench.with(target, storage, (server) => server.run(server.streams({ tokens: 5 }, { concurrency: 1, total: 1 })))
  await bench.seed(target, storage, 1, sessions)
  return storage
}

const measure = (bench: Bench, target: Target, storage: Storage): Promise<Measure> =>
  bench.with(target, storage, async (server) => {
    const page = await server.firstPage()
    if (page.items.length !== 20 || !page.next_cursor) throw new Error(`the list holds ${page.items.length} items`)
    const durationMs = bench.options.quick ? 1500 : 4000
    await server.run(server.list({ concurrency: 50, durationMs: durationMs / 2 }))
    return server.measure(server.list({ concurrency: 50, durationMs }))
  })

const merge = (rounds: Round[]): Lists => {
  const few = mergeMeasures(rounds.map((round) => round.few))
  const many = mergeMeasures(rounds.map((round) => round.many))
  const measured = rounds.flatMap(({ most }) => most ?? [])
  const most = measured.length > 0 ? mergeMeasures(measured) : undefined
  return { few, many, ...(most && { most }), errors: { ...few.errors, ...many.errors, ...most?.errors } }
}

const flatness = ({ few, many }: Lists) => perSecond(many) / perSecond(few)

const flat = (figures: Map<Target, Lists>): Aim[] => [...figures]
  .filter(([{ key }]) => key.startsWith('steward'))
  .map(([target, lists]) => ({
    what: `list of ${target.label}, 10,000 to 100 sessions`,
    limit: 'at least ×0.8',
    measured: `×${number(flatness(lists))}`,
    met: flatness(lists) >= 0.8
  }))

const million = {
  title: '1,000,000: requests/s', of: ({ most }: Lists) => most ? perSecond(most) : Number.NaN, compared: true
}

const report = (figures: Map<Target, Lists>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: '100: requests/s', of: ({ few }) => perSecond(few) },
    { title: '10,000: requests/s', of: ({ many }) => perSecond(many), compared: true },
    { title: '10,000 to 100', of: flatness },
    ...([...figures.values()].some(({ most }) => most) ? [million] : []),
    { title: 'p50 ms', of: ({ many }) => median(many.first), compared: true },
    { title: 'p99 ms', of: ({ many }) => quantile(many.first, 0.99) },
    { title: 'CPU ms/request', of: ({ many }) => many.cpuMs / many.finished, compared: true },
    { title: 'of PostgreSQL', of: ({ many }) => many.postgresMs / many.finished },
    { title: 'errors', of: ({ errors }) => errorCount(errors) }
  ]),
  aims: flat(figures),
  notes: [...notes, ...errorNotes(figures)]
})

export const sessionList: Scenario = {
  key: 'S5',
  title: 'The first 20 of 10,000 sessions, 50 connections',
  run: async (bench) => {
    const storages = new Map<Target, { few: Storage, many: Storage, most?: Storage }>()
    const { results, notes } = await sweep(bench, async (target) => {
      const filled = async () => ({
        few: await fill(bench, target, 100),
        many: await fill(bench, target, 10_000),
        ...(!bench.options.quick && target.needsPostgres && { most: await fill(bench, target, 1_000_000) })
      })
      const { few, many, most } = storages.get(target) ?? await filled()
      storages.set(target, { few, many, ...(most && { most }) })
      return {
        few: await measure(bench, target, few),
        many: await measure(bench, target, many),
        ...(most && { most: await measure(bench, target, most) })
      }
    }, bench.targets.filter(({ listPath }) => listPath))
    return report(new Map([...results].map(([target, rounds]) => [target, merge(rounds)])), notes)
  }
}
