import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../schemas/unknown.js'

/** How long a start waits for a holder, which may be dying: the kernel takes a while to end a process of 1 GB. */
const waitMs = 5_000
const pollMs = 50

interface ProcessState {
  /** It has ended, and its parent has not asked how. It holds no file, and its pid stays in use. */
  isZombie: boolean
  /** A pid alone may be reused after a reboot; with its start time it names one process. */
  started: string | undefined
}

/** @returns undefined where the system does not tell */
const readState = (pid: number): ProcessState | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields of proc(5) from the third on: the second is a name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = '', threads, started] = [fields[0], fields[17], fields[19]]
    // The first thread of a process may have ended before the others.
    return { isZombie: /[ZX]/.test(state) && Number(threads) <= 1, started }
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @returns the living process that the file names; undefined also for a file that is gone */
const findHolder = (file: string): number | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
  const [pid, started] = text.split(' ')
  const holder = Number(pid)
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid || !isAlive(holder)) return undefined
  const state = readState(holder)
  if (state?.isZombie) return undefined
  return state === undefined || !started || state.started === started ? holder : undefined
}

const tryCreate = (file: string): boolean => {
  try {
    writeFileSync(file, `${process.pid} ${readState(process.pid)?.started ?? ''}`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
}

/** @returns the holder that is still there at the end of the wait */
const waitForHolder = async (file: string): Promise<number | undefined> => {
  const end = performance.now() + waitMs
  let holder = findHolder(file)
  while (holder !== undefined && performance.now() < end) {
    await sleep(pollMs)
    holder = findHolder(file)
  }
  return holder
}

/**
 * Takes the embedded database's folder for this process. PGlite has no lock of its own: two writers lose rows.
 * @returns a function that gives the folder back
 * @throws Error with one line that names the process that holds it, and goes on doing so for 5 s
 */
export const lockFolder = async (folder: string): Promise<() => void> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'database.lock')
  if (!tryCreate(file)) {
    const holder = await waitForHolder(file)
    if (holder) throw new Error(`${folder} is in use by process ${holder}; stop it, or set another DATA_DIR`)
    rmSync(file, { force: true })
    if (!tryCreate(file)) throw new Error(`${folder} is being opened by another process`)
  }
  return () => rmSync(file, { force: true })
}
