import { pruneBuilds } from '../../../db/deployments/builds.js'
import { claimBuild, listClaimable, listHeld, renewLeases, type AppKey } from '../../../db/deployments/leases.js'
import { LeasedWork } from '../../../plugins/leased-work.js'
import { BuildState } from './build-state.js'
import type { Deps } from './call-route.js'
import { reapLost } from './reap.js'
import { runBuild } from './run-build.js'

const reapMs = 30_000
const atOnce = 2
const keptBuilds = 50
const keptGood = 10

type Row = Awaited<ReturnType<typeof listHeld>>[number]

type BuildWork = LeasedWork<AppKey, BuildState, Row>

const makeWork = (deps: Deps): BuildWork => {
  const work: BuildWork = new LeasedWork({
    name: 'builds',
    atOnce,
    claim: async (app, owner, leaseMs) => {
      const row = await claimBuild(deps.db, app, owner, leaseMs)
      return row && new BuildState(deps, row)
    },
    run: (state) => runBuild(deps, state),
    after: async ({ row: { workspace_id, app_id } }) => {
      await pruneBuilds(deps.db, workspace_id, app_id, keptBuilds, keptGood)
      await work.look({ workspace_id, app_id })
    },
    listClaimable: (limit) => listClaimable(deps.db, limit),
    listHeld: (owner) => listHeld(deps.db, owner),
    renew: (owner, ids, leaseMs) => renewLeases(deps.db, owner, ids, leaseMs),
    notice: (state, row) => {
      if (row.status === 'cancelling') state.cancelBy(row.cancel_principal)
    }
  }, { leaseMs: deps.config.limits.lease_ms, log: deps.log })
  return work
}

/** Carries out builds under leases: those asked for here, and those that others left. */
export class BuildEngine {
  readonly #work: BuildWork

  constructor (private readonly deps: Deps) {
    this.#work = makeWork(deps)
  }

  /** Who holds what this process holds. */
  get instance (): string { return this.#work.instance }

  start (): void {
    this.#work.start()
    this.#work.every(Math.min(reapMs, this.deps.config.limits.lease_ms), () => this.reap())
    this.reap().catch((error: unknown) => this.#work.warn(error))
  }

  /** Looks whether the app has a build to carry out. @returns its end; undefined when there is none, or no room */
  look (app: AppKey): Promise<{ ended: Promise<void> } | undefined> {
    return this.#work.look(app)
  }

  /** A cancel that was made here is seen at once; one made elsewhere at the next look at the rows. */
  noticeCancel (): void {
    this.#work.noticeCancel()
  }

  /**
   * Ends the builds of lost workers and starts what waited behind them. After a database that was away, leases have
   * lapsed of workers that live: they have the time of a lease to say so.
   */
  async reap (): Promise<void> {
    if (this.#work.calmMs < this.deps.config.limits.lease_ms) return
    for (const app of await reapLost(this.deps)) await this.look(app)
  }

  /** Hands over what is held: the next start, or another instance, goes on. */
  stop (): Promise<void> {
    return this.#work.stop()
  }
}
