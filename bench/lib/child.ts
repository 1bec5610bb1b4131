import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Child { process: ChildProcess, pid: number, log: string, spawnedAt: number }
export interface ChildSpec {
  script: URL
  env: Record<string, string>
  log: string
  nodeArgs?: string[]
  ipc?: boolean
}

const running = new Set<ChildProcess>()

/** A loopback port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts a Node process with a bare environment, so that the caller's own settings do not reach it. */
export const start = ({ script, env, log, nodeArgs = [], ipc = true }: ChildSpec): Child => {
  const output = openSync(log, 'a')
  const spawnedAt = performance.now()
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(script)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, output, ...(ipc ? ['ipc' as const] : [])]
  })
  closeSync(output)
  if (child.pid === undefined) throw new Error(`cannot start ${script}`)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return { process: child, pid: child.pid, log, spawnedAt }
}

const exited = (child: Child) => child.process.exitCode !== null || child.process.signalCode !== null
/** The end of what a process wrote. */
export const lastLines = (child: Child): string =>
  readFileSync(child.log, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-600)

/**
 * Waits until `url` answers 200.
 * @returns the time since the process was spawned, in ms
 * @throws when the process ends first, or after a minute
 */
export const ready = async (child: Child, url: string): Promise<number> => {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(5)) {
    if (exited(child)) throw new Error('the server ended at its start')
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === 200) return performance.now() - child.spawnedAt
  }
  throw new Error('not ready after a minute')
}

/** Ends a process, by force where it has not ended within 15 s. */
export const stop = async (child: Child): Promise<void> => {
  if (exited(child)) return
  const gone = once(child.process, 'exit')
  child.process.kill('SIGTERM')
  const timer = setTimeout(() => child.process.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(timer)
}

/** For the way out: ends whatever still runs. */
export const killAll = (): void => { for (const child of running) child.kill('SIGKILL') }
