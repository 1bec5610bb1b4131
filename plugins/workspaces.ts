import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hostsChannel, listOwn, type OwnRow } from '../db/account/workspaces.js'
import { readSettings, unreadSettings } from '../lib/account/settings.js'
import { nameOfHost, browserOrigin, originAt } from '../lib/http/addresses.js'
import { WorkspaceLimits, type OwnSettings, type WorkspaceRetention } from '../schemas/account/workspace-settings.js'
import { messageOf } from '../schemas/unknown.js'
import type { Limits } from './config.js'

/** What a workspace has of its own, and what follows from it. */
interface Own extends OwnRow { limits: Limits }

type Addressed = Pick<FastifyRequest, 'host' | 'hostname' | 'protocol'>

/** Between two looks at all workspaces while some could not be asked. */
const againMs = 1_000

const isLimit = (key: string): key is keyof WorkspaceLimits => key in WorkspaceLimits.properties

/** @returns the limits of a workspace: never more than the installation allows, even where that was lowered later */
const lowered = (limits: Limits, { limits: own = {} }: OwnSettings): Limits => {
  const made = { ...limits }
  for (const key of Object.keys(WorkspaceLimits.properties)) {
    const value = isLimit(key) ? own[key] : undefined
    if (isLimit(key) && value !== undefined) made[key] = Math.min(value, limits[key] ?? Infinity)
  }
  return made
}

/**
 * Which workspace a host name is of, and what a workspace has of its own. What was read holds until an instance
 * announces a change; should that be missed, a request that finds it old has it read again, behind itself.
 */
class Workspaces {
  #byHost = new Map<string, string>()
  #own = new Map<string, Own>()
  #readAt = 0
  #changed = false
  /** Some workspaces could not be asked: what was known of them holds on. */
  isPartial = false
  #reading: Promise<void> | undefined

  constructor (private readonly app: FastifyInstance) {}

  /** @returns the workspace of the request's host name; undefined = it is no workspace's, and restricts nothing */
  async of ({ host }: Addressed): Promise<string | undefined> {
    await this.#refresh()
    return this.#byHost.get(nameOfHost(host))
  }

  /** @returns the workspace of a request without credentials: the host name's, else the first */
  async workspaceOf (request: Addressed): Promise<string> {
    return await this.of(request) ?? this.app.home.workspace_id
  }

  /** @returns where a browser reaches the workspace, as far as is known */
  originOf (workspaceId: string): string {
    return originAt(this.app, this.#own.get(workspaceId)?.hosts ?? [])
  }

  /**
   * @returns where this browser reaches us, for a request that has asked `of`: cookies and redirects belong to a host.
   * Other names are not believed, but those of this machine: see `browserOrigin`.
   */
  browserOrigin (request: Addressed): string {
    const name = nameOfHost(request.host)
    return this.#byHost.has(name) ? originAt(this.app, [name], request.host) : browserOrigin(this.app, request)
  }

  /**
   * The limits that hold for whoever acts in the workspace, without waiting: a request has had changes read when its
   * credentials were checked, and background work follows at its next step.
   */
  limitsOf (workspaceId: string): Limits {
    this.#refreshSoon()
    return this.#own.get(workspaceId)?.limits ?? this.app.config.limits
  }

  /** @returns what the workspace has of its own, as of the last read; a request has had changes read */
  settingsOf (workspaceId: string): OwnSettings {
    return this.#own.get(workspaceId)?.settings ?? {}
  }

  /** @returns the encrypted key with which the workspace asks the model; undefined = the installation's */
  modelKeyOf (workspaceId: string): Buffer | undefined {
    return this.#own.get(workspaceId)?.model_api_key ?? undefined
  }

  /** @returns how the workspace asks a model of its own, encrypted; undefined = as the installation does */
  modelConnectionOf (workspaceId: string): Buffer | undefined {
    return this.#own.get(workspaceId)?.model_connection ?? undefined
  }

  /**
   * @param usual how long those keep it that say nothing, in days; without it they are left out
   * @returns the workspaces that keep this for a time, in days: as it is now, for sweeps are rare
   */
  async listKeeping (what: keyof WorkspaceRetention, usual?: number): Promise<{ id: string, days: number }[]> {
    await this.read()
    return [...this.#own.values()].flatMap(({ id, settings }) => {
      const days = settings.retention?.[what] ?? usual
      return days === undefined ? [] : [{ id, days }]
    })
  }

  /** Names or settings have changed: the next request reads them. */
  readonly forget = (): void => { this.#changed = true }

  /** Names or settings were changed here: whoever did may answer with what holds now. */
  async reread (): Promise<void> {
    this.#changed = true
    await this.#refresh()
  }

  /** Has them read, behind whoever needs them, where they have changed or are old. */
  #refreshSoon (): void {
    const holdsMs = this.isPartial ? againMs : this.app.config.limits.idle_look_ms
    if (!this.#changed && performance.now() - this.#readAt <= holdsMs) return
    this.read().catch((error: unknown) => this.app.log.warn({ reason: messageOf(error) }, 'workspaces not read'))
  }

  async #refresh (): Promise<void> {
    if (!this.#changed) this.#refreshSoon()
    // A change that is announced while they are read may not be in what is read.
    while (this.#changed) await this.read()
  }

  /** Reads them now; who finds a reading under way shares it. */
  readonly read = (): Promise<void> => {
    this.#reading ??= this.#load().finally(() => { this.#reading = undefined })
    return this.#reading
  }

  /** @returns what is known of workspaces that could not be asked: it holds on, and they are read again soon */
  #leftOut (asked: readonly string[] | undefined): [string, Own][] {
    this.isPartial = asked !== undefined
    const ids = new Set(asked)
    return asked ? [...this.#own].filter(([id]) => !ids.has(id)) : []
  }

  /** One workspace whose settings cannot be read keeps no other from being served. */
  #settingsOf ({ id, settings }: OwnRow): OwnSettings {
    const read = readSettings(settings)
    if (!read) this.app.log.error({ workspace_id: id }, 'the settings of a workspace cannot be read: change them')
    return read ?? unreadSettings
  }

  async #load (): Promise<void> {
    const wasChanged = this.#changed
    this.#changed = false
    this.#readAt = performance.now()
    try {
      const { rows, asked } = await listOwn(this.app.db)
      await this.app.databaseWorkers?.place()
      const { limits } = this.app.config
      this.#own = new Map([...this.#leftOut(asked), ...rows.map((row): [string, Own] => {
        const settings = this.#settingsOf(row)
        return [row.id, { ...row, settings, limits: lowered(limits, settings) }]
      })])
      this.#byHost = new Map([...this.#own.values()].flatMap(({ id, hosts }) =>
        hosts.map((name): [string, string] => [name, id])))
    } catch (error) {
      // Without a change what is known holds on: a server of some workspaces that is dead is not in the way of others.
      this.#changed ||= wasChanged
      throw error
    }
  }
}

declare module 'fastify' {
  interface FastifyInstance { workspaces: Workspaces }
}

export default fp(async (app) => {
  const workspaces = new Workspaces(app)
  app.decorate('workspaces', workspaces)
  await workspaces.read()
  // A request at a host name that nobody knows would be the first workspace's.
  if (workspaces.isPartial) throw new Error('A worker of the database does not answer: start when it does')
  // One process has the embedded database, and it forgets by itself what it changed.
  if (app.database.embedded) return
  app.addHook('onReady', async () => {
    await app.database.listen(hostsChannel, workspaces.forget, workspaces.forget)
      .catch((error: unknown) => app.log.warn({ reason: messageOf(error) }, 'changes of workspaces are not heard'))
  })
}, { name: 'workspaces', dependencies: ['config', 'db'] })
