import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { freePort, lastLines, ready, start, stop, type Child } from './lib/child.js'
import type { Databases } from './lib/databases.js'
import type { Options } from './lib/options.js'
import { summarize } from './lib/profile.js'
import { LoadClient } from './load/client-process.js'
import type { Storage, Target } from './targets/target.js'
import { Server } from './server-under-test.js'

/** What all scenarios share: the model server, the load client, the storage and the targets. */
export class Bench {
  readonly #model: Child
  readonly #client: LoadClient
  readonly #databases: Databases | undefined
  readonly #homes = new Map<string, Promise<Storage>>()
  #count = 0
  #closed: Promise<void> | undefined
  /** What `--profile` found, one text for each server that was measured. */
  readonly profiles: string[] = []

  private constructor (
    readonly folder: string, readonly options: Options, readonly targets: Target[], readonly modelUrl: string,
    model: Child, client: LoadClient, databases: Databases | undefined
  ) {
    this.#model = model
    this.#client = client
    this.#databases = databases
  }

  static async start (folder: string, options: Options, targets: Target[], databases: Databases | undefined) {
    const port = await freePort()
    const log = (name: string) => join(folder, `${name}.log`)
    const script = new URL('./model-server.js', import.meta.url)
    const model = start({ script, env: { PORT: String(port) }, log: log('model') })
    const client = new LoadClient(log('client'))
    await ready(model, `http://127.0.0.1:${port}/calls`)
    return new Bench(folder, options, targets, `http://127.0.0.1:${port}`, model, client, databases)
  }

  /** A new, empty folder, and a database where the target needs one. */
  async storage (target: Target): Promise<Storage> {
    this.#count += 1
    const folder = join(this.folder, `${target.key}-${this.#count}`)
    mkdirSync(folder)
    const storage = { folder, databaseUrl: target.needsPostgres ? await this.#databases?.create() : undefined }
    await target.prepare?.(storage, this.#databases)
    return storage
  }

  async seed (target: Target, storage: Storage, have: number, want: number): Promise<void> {
    await target.seed?.(storage, have, want, this.#databases)
  }

  /** The storage that a target keeps for the whole run. */
  home (target: Target): Promise<Storage> {
    const known = this.#homes.get(target.key) ?? this.storage(target)
    this.#homes.set(target.key, known)
    return known
  }

  /** Starts a target on a storage, hands it to `work` and stops it, whatever happens. */
  async with<T> (target: Target, storage: Storage, work: (server: Server) => Promise<T>): Promise<T> {
    const port = await freePort()
    const profile = join(storage.folder, `profile-${port}`)
    const nodeArgs = this.options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    const env = { ...target.env(storage, this.modelUrl), PORT: String(port) }
    const log = join(storage.folder, 'server.log')
    const child = start({ script: target.script, env, log, ipc: target.ipc, nodeArgs })
    const origin = `http://127.0.0.1:${port}`
    const server = new Server({ child, client: this.#client, databases: this.#databases, target, storage, origin })
    try {
      server.readyMs = await ready(child, `${origin}/ready`)
      return await work(server)
    } catch (error) {
      throw new Error(`${(error as Error).message} [log: ${lastLines(child)}]`, { cause: error })
    } finally {
      await stop(child)
      if (this.options.profile && server.window) this.profiles.push(summarize(profile, server.window))
    }
  }

  /** Hands the database of a storage to `work`. */
  async query<T> ({ databaseUrl }: Storage, work: (client: Client) => Promise<T>): Promise<T> {
    if (!this.#databases || !databaseUrl) throw new Error('the storage has no database')
    return this.#databases.run(databaseUrl, work)
  }

  /** How often a model was called so far. */
  async modelCalls (): Promise<number> {
    const response = await fetch(`${this.modelUrl}/calls`)
    return Number(await response.text())
  }

  /** Ends the helpers and drops the databases; a second call waits for the first. */
  close (): Promise<void> {
    this.#closed ??= Promise.all([stop(this.#model), stop(this.#client.child)]).then(() => this.#databases?.close())
    return this.#closed
  }
}
