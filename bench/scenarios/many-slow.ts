import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.js'
import { median, quantile } from '../lib/numbers.js'
import type { OpenCount } from '../load/job.js'
import type { Measure, Server } from '../server-under-test.js'
import type { Target } from '../targets/target.js'
import { clientLoad, cpuPerThousandTokens, mergeMeasures, postgresPerThousandTokens } from './merge.js'
import { aimToBase, errorCount, errorNotes, grid, sweep, type Aim, type Report, type Scenario } from './scenario.js'

interface Crowd extends Measure { openKib: number, peakKib: number, atOnce: number }
interface Sample { at: number, kib: number }

const shapeOf = ({ options }: Bench) =>
  options.quick ? { streams: 500, tokens: 15 } : { streams: 2000, tokens: 50 }

const watch = async (server: Server, work: Promise<unknown>): Promise<Sample[]> => {
  const samples: Sample[] = []
  const ended = work.then(() => true, () => true)
  while (!await Promise.race([ended, sleep(100, false)])) samples.push({ at: Date.now(), kib: await server.rss() })
  return samples
}

/** Growth per stream, at the times when (nearly) as many were open as ever. */
const perOpenStream = (samples: Sample[], open: OpenCount[], before: number): number => {
  const most = Math.max(...open.map(({ count }) => count))
  const full = open.filter(({ count }) => count >= 0.95 * most)
  return median(full.map(({ at, count }) => {
    const near = samples.reduce((best, sample) => Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best)
    return (near.kib - before) / count
  }))
}

const measure = async (server: Server, streams: number, tokens: number): Promise<Crowd> => {
  await server.run(server.streams({ tokens: 50 }, { concurrency: 10, total: 50 }))
  await sleep(1000)
  const before = await server.rss()
  const job = server.streams({ tokens, rate: 5 }, { concurrency: streams, total: streams, rampMs: streams / 2 })
  const work = server.measure(job)
  const samples = await watch(server, work)
  const load = await work
  const peak = Math.max(...samples.map(({ kib }) => kib))
  return {
    ...load,
    openKib: perOpenStream(samples, load.open, before),
    peakKib: (peak - before) / streams,
    atOnce: Math.max(...load.open.map(({ count }) => count))
  }
}

const mergeCrowds = (crowds: Crowd[]): Crowd => ({
  ...mergeMeasures(crowds),
  openKib: median(crowds.map(({ openKib }) => openKib)),
  peakKib: median(crowds.map(({ peakKib }) => peakKib)),
  atOnce: Math.min(...crowds.map(({ atOnce }) => atOnce))
})

const noErrors = (figures: Map<Target, Crowd>): Aim[] => [...figures]
  .filter(([{ key }]) => key.startsWith('steward'))
  .map(([{ label }, { errors }]) => {
    const count = errorCount(errors)
    return { what: `errors of ${label}`, limit: 'none', measured: String(count), met: count === 0 }
  })

const report = (figures: Map<Target, Crowd>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: 'open at once', of: ({ atOnce }) => atOnce },
    { title: 'KiB/stream', of: ({ openKib }) => openKib, compared: true },
    { title: 'peak', of: ({ peakKib }) => peakKib, compared: true },
    { title: 'first p50 ms', of: ({ first }) => median(first), compared: true },
    { title: 'first p99 ms', of: ({ first }) => quantile(first, 0.99) },
    { title: 'CPU ms/1,000 tokens', of: cpuPerThousandTokens, compared: true },
    { title: 'of PostgreSQL', of: postgresPerThousandTokens },
    { title: 'client load', of: clientLoad },
    { title: 'errors', of: ({ errors }) => errorCount(errors) }
  ]),
  aims: [...aimToBase(figures, 'memory per open stream', ({ openKib }) => openKib, 1.5), ...noErrors(figures)],
  notes: [...notes, ...errorNotes(figures)]
})

export const manySlow: Scenario = {
  key: 'S3',
  title: '2,000 streams at once, 5 tokens/s for 10 s',
  run: async (bench) => {
    const { streams, tokens } = shapeOf(bench)
    const { results, notes } = await sweep(bench, async (target) =>
      bench.with(target, await bench.home(target), (server) => measure(server, streams, tokens)))
    const figures = new Map([...results].map(([target, crowds]) => [target, mergeCrowds(crowds)]))
    return report(figures, [`${streams} streams of ${tokens} tokens, opened within ${streams / 2} ms`, ...notes])
  }
}
