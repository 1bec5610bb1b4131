import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from './worker.js'

/** CPU of a quick file, at most, on the machine that test/timings.json is of. A file that needs more is deep. */
const quickMs = 4_000
/** What a file's CPU may vary by from run to run. */
const noiseMs = 300

const path = join(import.meta.dirname, '..', '..', 'test', 'timings.json')

/** `over`: in so many runs in a row the file was above the limit. */
export type Timings = Record<string, { cpu_ms: number, over?: number }>

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
  for (const { file, cpuMs } of results) {
    const before = timings[file]
    const now = Math.max(1, Math.round(cpuMs / slower))
    const over = isQuick && now > quickMs ? (before?.over ?? 0) + 1 : 0
    if (over > 1) grown.push(`${file}: ${now} ms of CPU, above ${quickMs} as the last time: rename it to .deep.ts`)
    const isNoise = before !== undefined && Math.abs(now - before.cpu_ms) < Math.max(noiseMs, before.cpu_ms / 3)
    if (!isNoise || (before.over ?? 0) !== over) timings[file] = { cpu_ms: now, ...(over > 0 && { over }) }
  }
  const lines = Object.entries(timings).filter(([file]) => known.has(file)).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([file, timing]) => `  ${JSON.stringify(file)}: ${JSON.stringify(timing)}`)
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`)
  return grown
}
