import { v4 as uuid } from 'uuid'
import { pruneBuilds } from '../../../db/deployments/builds.js'
import { claimBuild, listClaimable, listHeld, renewLeases, type AppKey } from '../../../db/deployments/leases.js'
import { BuildState, LostBuild, Stopping } from './build-state.js'
import type { Deps } from './call-route.js'
import { reapLost } from './reap.js'
import { runBuild } from './run-build.js'

const pollMs = 1_000
const renewMs = 10_000
const reapMs = 30_000
const maxAtOnce = 2
const keptBuilds = 50
const keptGood = 10

interface Holding { state: BuildState, ended: Promise<void> }

/** Carries out builds under leases: those asked for here, and those that others left. */
export class BuildEngine {
  readonly instance = uuid()
  readonly #held = new Map<string, Holding>()
  readonly #timers: NodeJS.Timeout[] = []
  #claiming = 0
  #stopping = false

  constructor (private readonly deps: Deps) {}

  start (): void {
    this.#every(Math.min(renewMs, this.#leaseMs / 3), () => renewLeases(this.deps.db, this.instance, this.#leaseMs))
    this.#every(pollMs, () => this.#compare())
    this.#every(pollMs, () => this.#sweep())
    this.#every(Math.min(reapMs, this.#leaseMs), () => this.reap())
    this.reap().catch((error: unknown) => this.#warn(error))
  }

  /** Looks whether the app has a build to carry out. @returns its end; undefined when there is none, or no room */
  async look (app: AppKey): Promise<{ ended: Promise<void> } | undefined> {
    if (this.#stopping || this.#held.size + this.#claiming >= maxAtOnce) return undefined
    this.#claiming++
    try {
      const row = await claimBuild(this.deps.db, app, this.instance, this.#leaseMs)
      return row && this.#hold(new BuildState(this.deps, row))
    } finally {
      this.#claiming--
    }
  }

  /** A cancel that was made here is seen at once; one made elsewhere at the next look at the rows. */
  noticeCancel (): void {
    if (this.#held.size > 0) this.#compare().catch((error: unknown) => this.#warn(error))
  }

  /** Ends the builds of lost workers and starts what waited behind them. */
  async reap (): Promise<void> {
    for (const app of await reapLost(this.deps)) await this.look(app)
  }

  /** Hands over what is held: the next start, or another instance, goes on. */
  async stop (): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { state } of this.#held.values()) state.abort.abort(new Stopping())
    await Promise.all([...this.#held.values()].map(({ ended }) => ended))
  }

  get #leaseMs (): number { return this.deps.config.limits.lease_ms }

  #hold (state: BuildState): { ended: Promise<void> } {
    const { workspace_id, app_id, id } = state.row
    const ended = runBuild(this.deps, state).finally(() => this.#held.delete(id))
    this.#held.set(id, { state, ended })
    ended.then(() => pruneBuilds(this.deps.db, workspace_id, app_id, keptBuilds, keptGood))
      .then(() => this.look({ workspace_id, app_id })).catch((error: unknown) => this.#warn(error))
    return { ended }
  }

  /** The rows decide: what is no longer ours is dropped, what is to be cancelled is told so. */
  async #compare (): Promise<void> {
    const before = [...this.#held.entries()]
    if (before.length === 0) return
    const rows = new Map((await listHeld(this.deps.db, this.instance)).map((row) => [row.id, row]))
    for (const [id, { state }] of before) {
      const row = rows.get(id)
      if (row?.lease_epoch !== state.row.lease_epoch) state.abort.abort(new LostBuild())
      else if (row.status === 'cancelling') state.cancelBy(row.cancel_principal)
    }
  }

  async #sweep (): Promise<void> {
    const room = maxAtOnce - this.#held.size - this.#claiming
    if (room <= 0) return
    for (const app of await listClaimable(this.deps.db, room)) await this.look(app)
  }

  /** A truth that is looked at again and again; one look at a time. */
  #every (ms: number, look: () => Promise<void>): void {
    let busy = false
    this.#timers.push(setInterval(() => {
      if (busy) return
      busy = true
      look().catch((error: unknown) => this.#warn(error)).finally(() => { busy = false })
    }, ms).unref())
  }

  #warn (error: unknown): void {
    if (!this.#stopping) this.deps.log.warn({ reason: (error as Error).message }, 'a look at the builds failed')
  }
}
