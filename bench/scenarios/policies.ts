import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { number } from '../lib/numbers.js'
import type { PolicyFigures } from '../policy-engine.js'
import type { Aim, Report, Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../policy-engine.js', import.meta.url))

const limits = { judgeMs: 1, replayMs: 2_000 }

const aim = (what: string, limit: number, measured: number): Aim =>
  ({ what, limit: `below ${number(limit)} ms`, measured: `${number(measured)} ms`, met: measured < limit })

const reportOn = ({ policies, decisions, judge, replay, write }: PolicyFigures): Report => ({
  columns: ['what', 'ms'],
  rows: [
    [`a write judged by ${policies} policies, p50`, number(judge.p50Ms)],
    ['the same, p99', number(judge.p99Ms)],
    [`a draft replayed over ${number(decisions)} decisions, the first time`, number(replay.firstMs)],
    [`the same, then (${number(replay.judged)} judged)`, number(replay.ms)],
    ['a direct write without policies', number(write.noneMs)],
    [`a direct write with ${policies} policies`, number(write.manyMs)]
  ],
  aims: [
    aim(`a write judged by ${policies} policies, warm`, limits.judgeMs, judge.p50Ms),
    aim(`a replay over ${number(decisions)} decisions`, limits.replayMs, replay.firstMs)
  ],
  notes: []
})

export const policies: Scenario = {
  key: 'policies',
  title: 'Writes under a hundred policies, and a draft replayed, on the embedded database',
  run: async () => {
    const { stdout } = await run(process.execPath, [script])
    return reportOn(JSON.parse(stdout) as PolicyFigures)
  }
}
