import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from './worker.js'

/** CPU of a quick file, at most, on the machine that test/timings.json is of. A file that needs more is deep. */
const quickMs = 4_000
/** What the first file of a process needs beside, at most. */
const startMs = 2_000
/** What a file's CPU and time may vary by from run to run. */
const noise = { cpu_ms: 300, ms: 3_000 }

const path = join(import.meta.dirname, '..', '..', 'test', 'timings.json')

/** `ms`: from its begin to its end; `over`: in so many runs in a row the file was above the limit. */
interface Timing { cpu_ms: number, ms: number, over?: number }
export type Timings = Record<string, Timing>

export const readTimings = (): Timings => existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as Timings : {}

/**
 * @returns how much slower this machine is now than that of the timings, by the middle one of all files. A faster one is not
 *   held against a file: its own figure counts
 */
const compare = (timings: Timings, results: Result[]): number => {
  const ratios = results.flatMap(({ file, cpuMs }) => timings[file] ? [cpuMs / timings[file].cpu_ms] : [])
  return Math.max(1, ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1)
}

/**
 * Records what the files of a whole suite took. Small changes are noise: the file of the repository keeps its line.
 * @param known files that there are: others are forgotten
 * @returns a line for each quick file that was above the limit twice in a row
 */
export const updateTimings = (timings: Timings, results: Result[], isQuick: boolean, known: Set<string>): string[] => {
  const slower = compare(timings, results)
  const grown: string[] = []
  for (const { file, ms, cpuMs, isFirst } of results) {
    const before = timings[file]
    const now = Math.max(1, Math.round(cpuMs / slower))
    const limit = quickMs + (isFirst ? startMs : 0)
    const over = isQuick && now > limit ? (before?.over ?? 0) + 1 : 0
    if (over > 1) grown.push(`${file}: ${now} ms of CPU, above ${limit} as the last time: rename it to .deep.ts`)
    const timing: Timing = { cpu_ms: now, ms: Math.max(1, Math.round(ms / slower)), ...(over > 0 && { over }) }
    const isNoise = before !== undefined && (['cpu_ms', 'ms'] as const).every((what) =>
      Math.abs(timing[what] - before[what]) < Math.max(noise[what], before[what] / 3))
    if (!isNoise || (before.over ?? 0) !== over) timings[file] = timing
  }
  const lines = Object.entries(timings).filter(([file]) => known.has(file)).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([file, timing]) => `  ${JSON.stringify(file)}: ${JSON.stringify(timing)}`)
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`)
  return grown
}
