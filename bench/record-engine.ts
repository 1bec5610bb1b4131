import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { listToNumber } from '../db/record/chain.js'
import { median } from './lib/numbers.js'
import { startSteward, timesOf } from './lib/steward.js'

/** `chained` is what Steward does; `recorded` writes entries that nobody numbers; `bare` writes none. */
export const recordModes = ['bare', 'recorded', 'chained'] as const
export type RecordMode = typeof recordModes[number]

/** What one process measured of direct writes by the route that makes a project. */
export interface RecordFigures {
  /** Of one at a time, until its answer. */
  aloneMs: number
  /** Of twenty at once. */
  perSecond: number
  /** Of this process, of those twenty at once, until all of them are numbered where they are. */
  cpuMs: number
}

const warmUp = 1_000
const alone = 500
const crowd = 3_000
const atOnce = 20
const { MODE: mode, DATA_DIR, DATABASE_URL } = process.env
const { app, call, stop } = await startSteward({ DATA_DIR, DATABASE_URL })

if (mode !== 'chained') app.unnumbered.number = () => undefined
if (mode === 'bare') {
  const insertInto = app.db.insertInto.bind(app.db)
  const nothing = { values: () => ({ execute: async () => [] }) }
  // The record calls these two methods of what it is given, and nothing else.
  app.db.insertInto = ((table: never) => table === 'audit' ? nothing : insertInto(table)) as typeof insertInto
}

const write = () => call('POST', '/account/projects', { name: randomUUID() })

const writeAtOnce = async (count: number): Promise<void> => {
  let left = count
  const go = async () => { while (left-- > 0) await write() }
  await Promise.all(Array.from({ length: atOnce }, go))
}

const numbered = async (): Promise<void> => {
  if (mode !== 'chained') return
  while ((await listToNumber(app.db)).length > 0) await sleep(20)
}

await writeAtOnce(warmUp)
await numbered()
const times = await timesOf(alone, write)
await numbered()
const before = process.cpuUsage()
const [ms = 0] = await timesOf(1, () => writeAtOnce(crowd))
await numbered()
const { user, system } = process.cpuUsage(before)
await stop()

const figures: RecordFigures = {
  aloneMs: median(times), perSecond: crowd / ms * 1_000, cpuMs: (user + system) / 1_000 / crowd
}
process.stdout.write(JSON.stringify(figures))
