import { v4 as uuid } from 'uuid'
import { claimGeneration, listClaimable, listHeld, renewLeases } from '../../../db/pse/leases.js'
import type { Deps } from './deps.js'
import { Cancelled, GenerationState, LostGeneration, Stopping } from './generation-state.js'
import { runGeneration } from './run-generation.js'

const pollMs = 1_000
const renewMs = 10_000
const maxAtOnce = 4

interface Holding { state: GenerationState, ended: Promise<void> }
export interface GenerationKey { workspace_id: string, id: string }

/** Carries out generations under leases: those asked for here, and those that others left. */
export class GenerationWorker {
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
  }

  /** Takes a generation, if nobody holds it. @returns its end; undefined when there is none, or no room */
  async look ({ workspace_id, id }: GenerationKey): Promise<{ ended: Promise<void> } | undefined> {
    if (this.#stopping || this.#held.size + this.#claiming >= maxAtOnce) return undefined
    this.#claiming++
    try {
      const row = await claimGeneration(this.deps.db, workspace_id, id, this.instance, this.#leaseMs)
      return row && this.#hold(new GenerationState(this.deps, row))
    } finally {
      this.#claiming--
    }
  }

  /** What was asked for here is begun here, at once, where this instance works at all. */
  hurry (key: GenerationKey): void {
    if (this.#timers.length > 0) this.look(key).catch((error: unknown) => this.#warn(error))
  }

  /** A cancel that was made here is seen at once; one made elsewhere at the next look at the rows. */
  noticeCancel (id: string): void {
    this.#held.get(id)?.state.abort.abort(new Cancelled())
  }

  /** Hands over what is held: the next start, or another instance, goes on. */
  async stop (): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { state } of this.#held.values()) state.abort.abort(new Stopping())
    await Promise.all([...this.#held.values()].map(({ ended }) => ended))
  }

  get #leaseMs (): number { return this.deps.config.limits.lease_ms }

  #hold (state: GenerationState): { ended: Promise<void> } {
    const { id } = state.row
    const ended = runGeneration(this.deps, state).finally(() => this.#held.delete(id))
    this.#held.set(id, { state, ended })
    return { ended }
  }

  /** The rows decide: what is no longer ours is dropped, what is to be cancelled is told so. */
  async #compare (): Promise<void> {
    const before = [...this.#held.entries()]
    if (before.length === 0) return
    const rows = new Map((await listHeld(this.deps.db, this.instance)).map((row) => [row.id, row]))
    for (const [id, { state }] of before) {
      const row = rows.get(id)
      if (row?.lease_epoch !== state.row.lease_epoch) state.abort.abort(new LostGeneration())
      else if (row.cancel_requested_at !== null) state.abort.abort(new Cancelled())
    }
  }

  async #sweep (): Promise<void> {
    const room = maxAtOnce - this.#held.size - this.#claiming
    if (room <= 0) return
    for (const key of await listClaimable(this.deps.db, room)) await this.look(key)
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
    if (!this.#stopping) this.deps.log.warn({ reason: (error as Error).message }, 'a look at the generations failed')
  }
}
