import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ended, exits, UsageError } from './exits.js'

/** What opens one server: a token that a person made, or what a sign-in gave. */
export interface Credentials {
  token: string
  /** Of a sign-in; milliseconds since 1970. */
  expires_at?: number
  refresh_token?: string
  client_id?: string
  token_endpoint?: string
  revocation_endpoint?: string
}

interface Stored { default?: string, servers: Record<string, Credentials> }

/** @returns the address as the file has it: no slash at its end. @throws UsageError */
export const serverOf = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${JSON.stringify(address)} is no address such as https://steward.example.com`)
  }
  return url.href.replace(/\/$/, '')
}

/** The file of the credentials, which only its owner can read. */
export class CredentialsFile {
  readonly path: string

  constructor (env: Record<string, string | undefined>) {
    const home = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(env.HOME ?? homedir(), '.config')
    this.path = join(home, 'steward', 'credentials.json')
  }

  read (): Stored {
    if (!existsSync(this.path)) return { servers: {} }
    if (process.platform !== 'win32' && (statSync(this.path).mode & 0o077) !== 0) {
      throw new Ended(exits.failed, `${this.path} can be read by others: chmod 600 it, and make new tokens`)
    }
    try {
      // Written below, by this command alone.
      return JSON.parse(readFileSync(this.path, 'utf8')) as Stored
    } catch {
      throw new Ended(exits.failed, `${this.path} is no JSON: remove it, and sign in again`)
    }
  }

  #write (stored: Stored): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const next = `${this.path}.${process.pid}`
    rmSync(next, { force: true })
    writeFileSync(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(next, 0o600)
    renameSync(next, this.path)
  }

  keep (server: string, credentials: Credentials): void {
    const stored = this.read()
    this.#write({ default: stored.default ?? server, servers: { ...stored.servers, [server]: credentials } })
  }

  setDefault (server: string): void {
    this.#write({ ...this.read(), default: server })
  }

  forget (server: string): void {
    const { default: chosen, servers } = this.read()
    const { [server]: _gone, ...others } = servers
    const next = chosen === server ? Object.keys(others)[0] : chosen
    this.#write({ ...(next !== undefined && { default: next }), servers: others })
  }

  /** Has one process at a time do something, such as use a refresh token that is valid once. */
  async locked<T> (act: () => Promise<T>): Promise<T> {
    const lock = `${this.path}.lock`
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    for (let tries = 0; ; tries++) {
      try {
        writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
        break
      } catch (error) {
        // A process that was killed leaves its lock: no refresh takes half a minute.
        const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
        if (age > 30_000) rmSync(lock, { force: true })
        else if (tries > 400) throw error
        await new Promise((resolve) => { setTimeout(resolve, 100) })
      }
    }
    try {
      return await act()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}
