import { on } from 'node:events'
import { pathToFileURL } from 'node:url'
import './unhooked.js'
import './app.js'
import { runForFile, watchFile, watchTimers } from './left-behind.js'
import { root, runWithin, type Test } from './tap.js'
import { takeUnbound, watchStatements } from './tenancy.js'

/**
 * A process of the suite. It runs the files that the runner (run.ts) sends it, one after another: Steward's modules are
 * read, compiled and warm for all but the first, and the files share one application (`workspace` in app.ts).
 */
export interface Result {
  file: string
  pass: number
  fail: number
  skip: number
  /** From its begin to its end. */
  ms: number
  /** Of this process and its threads. */
  cpuMs: number
  rssMb: number
  /** The first of its process pays for what all need: modules, and the application that they share. */
  isFirst: boolean
  left: string[]
}

const send = (message: object): void => { process.send?.(message) }

let isFirst = true

const runFile = async (t: Test, file: string, path: string): Promise<void> => {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const findLeft = watchFile(file)
  let own: Test | undefined
  await runForFile(file, () => t.test(file, async (t) => {
    own = t
    runWithin(t)
    await import(pathToFileURL(path).href)
  }))
  const left = [...await findLeft(), ...takeUnbound()]
  const { user, system } = process.cpuUsage(cpu)
  const { pass = 0, fail = 1, skip = 0 } = own?.assertTotals ?? {}
  const rssMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
  const ms = Math.round(performance.now() - began)
  const result: Result = { file, pass, fail, skip, ms, cpuMs: Math.round((user + system) / 1000), rssMb, isFirst, left }
  isFirst = false
  send(result)
}

// tap lets go of the channel, and a file may wait for what keeps no process alive: the embedded database, WebAssembly.
const alive = setInterval(() => undefined, 2 ** 30)
watchTimers()
watchStatements()
root.setTimeout(0)
root.test('files', { timeout: 0 }, async (t) => {
  for await (const [next] of on(process, 'message') as AsyncIterable<[{ file: string, path: string } | 'end']>) {
    if (next === 'end') break
    await runFile(t, next.file, next.path)
  }
  clearInterval(alive)
  process.disconnect()
})
send({ ready: true })
