import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { findEnabled, findEnabledVersion, findJudging } from '../db/account/policies.js'
import { findLastGrant } from '../db/agent/grants.js'
import { policiesChannel } from '../db/policies-channel.js'
import { judge } from '../lib/policies/judge.js'
import { loadSet, type EnabledSet } from '../lib/policies/in-process.js'
import { inputOf, type JudgedPlan } from '../lib/policies/policy-input.js'
import type { PolicyTool } from '../lib/policies/policy-schema.js'
import type { Principal } from '../lib/security/principal.js'
import type { PolicyVerdict } from '../schemas/account/policies.js'
import { messageOf } from '../schemas/unknown.js'

/** What is known of a workspace. */
interface Known {
  /** undefined: none was ever enabled, or what was enabled last is empty. */
  enabled: EnabledSet | undefined
  /** The version that was enabled last; 0 = none. */
  version: number
  /** Until when some grant may hold, in the milliseconds of Date. */
  grantsUntil: number
  readAt: number
}

/** A write that is to be judged. */
export interface Judged {
  principal: Principal
  tool: PolicyTool
  plan: JudgedPlan
  tainted: boolean
  trigger: boolean
}

const maxKnown = 10_000

const unreadable = (version: number): PolicyVerdict => ({
  outcome: 'forbid',
  reason: `Version ${version} of the policies cannot be read by this release, so nothing is allowed`,
  requirement: null,
  policies: [],
  errors: []
})

/**
 * The policies that hold in each workspace. What was read holds until an instance announces a change; should that be
 * missed, whoever finds it old has it read again, behind itself.
 */
class Policies {
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<Known>>()
  /** How often something was forgotten: what was read before is old. */
  #changes = 0

  constructor (private readonly app: FastifyInstance) {}

  /**
   * Where none is known the row decides, so that the first write after a missed notification is judged, too. Only
   * writes ask, and one process with the embedded database hears itself.
   * @returns the set that holds; undefined = the workspace has none
   */
  async of (workspaceId: string): Promise<EnabledSet | undefined> {
    const { enabled, version } = await this.#find(workspaceId)
    if (enabled || this.app.database.embedded) return enabled
    if (await findEnabledVersion(this.app.db, workspaceId) === version) return undefined
    this.forget(workspaceId)
    return (await this.#find(workspaceId)).enabled
  }

  /** Whether a grant may hold: the rows decide. */
  async mayHaveGrants (workspaceId: string): Promise<boolean> {
    return (await this.#find(workspaceId)).grantsUntil > Date.now()
  }

  /** It has changed: whoever asks next reads it. @param workspaceId '' or undefined = of all workspaces */
  readonly forget = (workspaceId?: string): void => {
    this.#changes += 1
    if (workspaceId) this.#known.delete(workspaceId)
    else this.#known.clear()
  }

  /** @returns what the policies say of a write; undefined where the workspace has none */
  async judge ({ principal, tool, plan, tainted, trigger }: Judged): Promise<PolicyVerdict | undefined> {
    const { workspace_id: workspaceId, user_id: userId } = principal
    if (!await this.of(workspaceId)) return undefined
    const { version, groups, now: at } = await findJudging(this.app.db, workspaceId, userId)
    const held = await this.of(workspaceId)
    // Another instance has enabled one, and the notification is on its way.
    if (held?.version !== version) this.forget(workspaceId)
    const enabled = await this.of(workspaceId)
    if (!enabled) return undefined
    if (!enabled.set) return unreadable(enabled.version)
    return judge(enabled.set, enabled.version, inputOf(principal, tool, plan, { groups, tainted, trigger, at }))
  }

  async #find (workspaceId: string): Promise<Known> {
    const known = this.#known.get(workspaceId)
    if (!known) return this.#read(workspaceId)
    if (performance.now() - known.readAt > this.app.config.limits.idle_look_ms) this.#readSoon(workspaceId, known)
    return known
  }

  #readSoon (workspaceId: string, known: Known): void {
    known.readAt = performance.now()
    this.#read(workspaceId).catch((error: unknown) =>
      this.app.log.warn({ reason: messageOf(error) }, 'policies not read'))
  }

  #read (workspaceId: string): Promise<Known> {
    const reading = this.#reading.get(workspaceId) ?? this.#load(workspaceId)
      .finally(() => { this.#reading.delete(workspaceId) })
    this.#reading.set(workspaceId, reading)
    return reading
  }

  async #load (workspaceId: string): Promise<Known> {
    for (;;) {
      const changes = this.#changes
      const readAt = performance.now()
      const [row, until] = await Promise.all([
        findEnabled(this.app.db, workspaceId), findLastGrant(this.app.db, workspaceId)
      ])
      const known: Known = {
        enabled: row && await loadSet(row), version: row?.version ?? 0, grantsUntil: until?.getTime() ?? 0, readAt
      }
      // A change that is announced while they are read may not be in what was read.
      if (changes !== this.#changes) continue
      if (this.#known.size >= maxKnown) this.#known.clear()
      this.#known.set(workspaceId, known)
      return known
    }
  }
}

declare module 'fastify' {
  interface FastifyInstance { policies: Policies }
}

export default fp(async (app) => {
  const policies = new Policies(app)
  app.decorate('policies', policies)
  // One process has the embedded database, and it forgets by itself what it changed.
  if (app.database.embedded) return
  app.addHook('onReady', async () => {
    await app.database.listen(policiesChannel, policies.forget, () => policies.forget())
      .catch((error: unknown) => app.log.warn({ reason: messageOf(error) }, 'changes of policies are not heard'))
  })
}, { name: 'policies', dependencies: ['config', 'db', 'tools'] })
