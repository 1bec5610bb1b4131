import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'

const token = 'bench-admin-token-0123456789-abcdefghijklmnop'
const headers = { authorization: `Bearer ${token}` }

interface Storage { DATA_DIR?: string | undefined, DATABASE_URL?: string | undefined }

/**
 * Starts a Steward of its own without a worker and without a limit of requests.
 * @param storage by default an embedded database that is empty, and is removed when it stops
 */
export const startSteward = async ({ DATA_DIR, DATABASE_URL }: Storage = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-bench-'))
  const app = await build(readConfig({
    DATA_DIR: DATA_DIR ?? folder,
    ...(DATABASE_URL && { DATABASE_URL }),
    ADMIN_TOKEN: token,
    SECRET_KEY: randomUUID() + randomUUID(),
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    LIMITS: JSON.stringify({ requests_per_minute: 1_000_000 })
  }))
  await app.ready()

  /** @throws for an answer that is not a success */
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.payload}`)
    return answer.json()
  }

  const stop = async (): Promise<void> => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { app, call, stop }
}

/** @returns how many milliseconds each of so many goes took, the shortest first */
export const timesOf = async (times: number, work: () => unknown): Promise<number[]> => {
  const all: number[] = []
  for (let time = 0; time < times; time++) {
    const from = performance.now()
    await work()
    all.push(performance.now() - from)
  }
  return all.toSorted((a, b) => a - b)
}
