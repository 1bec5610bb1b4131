import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './lib/child.js'
import type { Databases } from './lib/databases.js'
import type { Window } from './lib/profile.js'
import { cpuMs, cpuOf, growth, rssKib } from './lib/usage.js'
import type { LoadClient } from './load/client-process.js'
import type { Job, Load } from './load/job.js'
import { prompt, type Script } from './protocol.js'
import type { Storage, Target } from './targets/target.js'

interface Parts {
  child: Child, client: LoadClient, databases: Databases | undefined, target: Target, storage: Storage, origin: string
}
interface Shape { concurrency: number, total?: number, durationMs?: number, rampMs?: number }

/** What one measured load cost and gave. CPU in ms, of the server and of its PostgreSQL backends. */
export interface Measure extends Load { cpuMs: number, postgresMs: number }

/** What a server costs that nobody asks: transactions a second, and shares of a core in %. */
export interface Rest { transactions: number, cpu: number, postgresCpu: number }

/** A running target, and the ways to put load on it. */
export class Server {
  /** From the spawn to the first 200 of /ready. */
  readyMs = NaN
  /** The time in which it was measured, start and warm-up left out. */
  window: Window | undefined

  constructor (readonly parts: Parts) {}

  async stock (): Promise<void> { await this.parts.target.stock?.(this.parts.origin) }
  rss (): Promise<number> { return rssKib(this.parts.child.pid) }

  streams (script: Partial<Script> & { tokens: number }, shape: Shape): Job {
    const body = JSON.stringify({ message: prompt({ rate: 0, tool: '', ...script }) })
    const { target: { chatPath, headers }, origin } = this.parts
    const expected = { tokens: script.tokens, tool: !!script.tool }
    return { kind: 'streams', origin, path: chatPath, headers, body, ...expected, ...shape }
  }

  list (shape: Shape): Job {
    const { target, origin } = this.parts
    return { kind: 'requests', origin, path: target.listPath ?? '/', headers: target.headers, ...shape }
  }

  /** The first answer of the list, to check that it holds what the load will ask for. */
  async firstPage (): Promise<{ items: unknown[], next_cursor: string | null }> {
    const { origin, target } = this.parts
    const response = await fetch(origin + target.listPath, { headers: target.headers })
    if (response.status !== 200) throw new Error(`the list answered ${response.status}: ${await response.text()}`)
    return await response.json() as { items: unknown[], next_cursor: string | null }
  }

  run (job: Job): Promise<Load> { return this.parts.client.run(job) }

  async measure (job: Job): Promise<Measure> {
    const { child } = this.parts
    const from = this.window?.from ?? process.hrtime.bigint()
    const [cpu, postgres] = [await cpuMs(child.pid), await cpuOf(await this.#backends())]
    const load = await this.run(job)
    this.window = { from, to: process.hrtime.bigint() }
    // What a server puts off until after the last byte is part of its price.
    await sleep(300)
    const used = await cpuMs(child.pid) - cpu
    const postgresMs = this.parts.storage.databaseUrl ? growth(postgres, await cpuOf(await this.#backends())) : NaN
    return { ...load, cpuMs: used, postgresMs }
  }

  /** Leaves the server alone for a while, then measures what it does by itself. */
  async rest (settleMs: number, ms: number): Promise<Rest> {
    const look = async () => ({
      at: performance.now(),
      cpu: await cpuMs(this.parts.child.pid),
      postgres: await cpuOf(await this.#backends()),
      transactions: await this.#transactions()
    })
    await sleep(settleMs)
    const before = await look()
    await sleep(ms)
    const after = await look()
    const passed = after.at - before.at
    return {
      transactions: (after.transactions - before.transactions) / passed * 1_000,
      cpu: (after.cpu - before.cpu) / passed * 100,
      postgresCpu: this.parts.storage.databaseUrl ? growth(before.postgres, after.postgres) / passed * 100 : NaN
    }
  }

  async #transactions (): Promise<number> {
    const { databases, storage } = this.parts
    return storage.databaseUrl && databases ? databases.transactions(storage.databaseUrl) : NaN
  }

  async #backends (): Promise<number[]> {
    const { databases, storage } = this.parts
    return storage.databaseUrl && databases ? databases.backends(storage.databaseUrl) : []
  }
}
