import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../schemas/thrown.js'

/** A pid alone may be reused after a reboot; with its start time it names one process. */
const startTime = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
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

const holderOf = (file: string): number | undefined => {
  const [pid, started] = readFileSync(file, 'utf8').split(' ')
  const holder = Number(pid)
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid || !isAlive(holder)) return undefined
  const current = startTime(holder)
  return current === undefined || !started || current === started ? holder : undefined
}

const tryCreate = (file: string): boolean => {
  try {
    writeFileSync(file, `${process.pid} ${startTime(process.pid) ?? ''}`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
}

/**
 * Takes the embedded database's folder for this process. PGlite has no lock of its own: two writers lose rows.
 * @returns a function that gives the folder back
 * @throws Error with one line that names the process that holds it
 */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'database.lock')
  if (!tryCreate(file)) {
    const holder = holderOf(file)
    if (holder) throw new Error(`${folder} is in use by process ${holder}; stop it, or set another DATA_DIR`)
    rmSync(file, { force: true })
    if (!tryCreate(file)) throw new Error(`${folder} is being opened by another process`)
  }
  return () => rmSync(file, { force: true })
}
