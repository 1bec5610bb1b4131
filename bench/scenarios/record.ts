import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from '../bench.js'
import { median, number, ratio } from '../lib/numbers.js'
import type { RecordFigures, RecordMode } from '../record-engine.js'
import type { Target } from '../targets/target.js'
import { sweep, type Report, type Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../record-engine.js', import.meta.url))

const modes: Record<RecordMode, string> = {
  bare: 'nothing recorded', recorded: 'an entry each', chained: 'an entry each, numbered and linked'
}
// The keys of a record of modes are modes.
const modeNames = Object.keys(modes) as RecordMode[]

type Round = Record<RecordMode, RecordFigures>

/** Each in a process and a database of its own, one after the other. */
const measure = async (bench: Bench, target: Target): Promise<Round> => {
  const found: Partial<Round> = {}
  for (const mode of modeNames) {
    const { folder, databaseUrl = '' } = await bench.storage(target)
    const env = { ...process.env, MODE: mode, DATA_DIR: folder, DATABASE_URL: databaseUrl }
    const { stdout } = await run(process.execPath, [script], { env })
    found[mode] = JSON.parse(stdout) as RecordFigures
  }
  // All modes were measured.
  return found as Round
}

const rowOf = (label: string, mode: RecordMode, rounds: readonly Round[]): string[] => {
  const of = (which: RecordMode, field: keyof RecordFigures) => median(rounds.map((round) => round[which][field]))
  const compared = (field: keyof RecordFigures) => [number(of(mode, field)), ratio(of(mode, field), of('bare', field))]
  return [label, modes[mode], ...compared('aloneMs'), ...compared('perSecond'), ...compared('cpuMs')]
}

const reportOn = (results: Map<Target, Round[]>, notes: string[]): Report => ({
  columns: ['target', 'what', 'alone, p50 ms', 'to none', '20 at once, writes/s', 'to none', 'CPU ms/write', 'to none'],
  rows: [...results].flatMap(([{ label }, rounds]) => modeNames.map((mode) => rowOf(label, mode, rounds))),
  aims: [],
  notes
})

export const record: Scenario = {
  key: 'record',
  title: 'A direct write without the record, with it, and with its chain',
  run: async (bench) => {
    const targets = bench.targets.filter(({ key }) => key.startsWith('steward-'))
    const { results, notes } = await sweep(bench, (target) => measure(bench, target), targets)
    return reportOn(results, notes)
  }
}
