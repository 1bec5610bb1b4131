import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** A body of the API or of a sandbox's control path, which a task reads as its schema says. */
type Body = Record<string, unknown>

/** A Steward that listens, on sandboxes of its own, as its first admin has it. */
export interface World {
  app: Awaited<ReturnType<typeof build>>
  url: string
  token: string
  /** Calls an operation. @throws when it fails */
  call: <T = Body>(method: Method, path: string, body?: object) => Promise<T>
  get: <T = Body>(path: string) => Promise<T>
  /** Calls a control path of a sandbox: what others do at the provider, and what is there. */
  steer: <T = Body>(provider: 'aws' | 'codehost', method: Method, path: string, body?: object) => Promise<T>
  close: () => Promise<void>
}

const token = 'eval-admin-token-0123456789-abcdefghijklmnop'

/** One person holds all conversations. */
const limits = JSON.stringify({
  requests_per_minute: 1_000_000, live_runs_per_user: 1_000, waiting_runs_per_user: 1_000
})

const send = async <T>(url: string, method: Method, body: object | undefined, headers: Record<string, string> = {}):
Promise<T> => {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as T // As its schema says.
}

/** @param environment names the model, and the database if it is not an embedded one of its own */
export const startWorld = async (environment: Record<string, string>): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-eval-'))
  const app = await build(readConfig({
    DATA_DIR: folder,
    ADMIN_TOKEN: token,
    SECRET_KEY: 'eval-secret-key-0123456789-abcdefghijklmnop',
    LOG_LEVEL: 'silent',
    PORT: '0',
    LIMITS: limits,
    ...environment
  }), false)
  await app.listen({ host: '127.0.0.1', port: 0 })
  // It listens on TCP.
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const authorization = `Bearer ${token}`
  return {
    app,
    url,
    token,
    call: (method, path, body) => send(url + path, method, body, { authorization, prefer: 'wait=10' }),
    get: (path) => send(url + path, 'GET', undefined, { authorization }),
    steer: (provider, method, path, body) => send(String(app.sandbox.control[provider]) + path, method, body),
    close: async () => {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** What an earlier task has set going ends first, on the provider's clock: else it is found among what the next one did. */
const endWork = async ({ app, steer }: World): Promise<void> => {
  for (const end = Date.now() + 120_000; ; await sleep(250)) {
    const { rows: [live] } = await sql<{ count: number }>`select (
      (select count(*) from deployment_build where finished_at is null) +
      (select count(*) from service_deployment where finished_at is null))::int as count`.execute(app.db)
    if (live?.count === 0) return
    if (Date.now() > end) throw new Error('A deployment of an earlier task does not end')
    await steer('aws', 'POST', '/clock', { advance_ms: 10_000 })
  }
}

/** Sets the providers back to their first state; what Steward stores stays. */
export const resetProviders = async (world: World): Promise<void> => {
  await endWork(world)
  const { steer } = world
  await Promise.all([steer('aws', 'POST', '/reset'), steer('codehost', 'POST', '/reset')])
}
