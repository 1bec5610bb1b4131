import { v4 as uuid } from 'uuid'
import { expireConfirmations, listExpired } from '../../../db/agent/confirmations.js'
import {
  addActiveTime,
  claimRun,
  listCancelRequested,
  listClaimable,
  releaseRun,
  renewLeases,
  requestCancel
} from '../../../db/agent/runs.js'
import { isDatabaseTrouble } from '../../../db/trouble.js'
import { advanceRun } from './advance-run.js'
import { finishRun } from './finish.js'
import { loadRun } from './load-run.js'
import { tellApproval, tellLeft, tellStarted } from './tell.js'
import { LostRun, type Deps, type RunState } from './run-state.js'

const pollMs = 1_000
const drainMs = 10_000
const claimBatch = 20

/** Positions skipped at a takeover: more than the last owner can have told without storing it. */
const takeoverGap = 1_048_576

interface Held {
  state: RunState
  ended: Promise<void>
}

/** Executes runs under leases: those begun here, and those that others left. */
export class Engine {
  readonly instance = uuid()
  readonly #held = new Map<string, Held>()
  readonly #timers: NodeJS.Timeout[] = []
  #stopping = false

  constructor (
    private readonly deps: Deps,
    private readonly sweeps: boolean
  ) {}

  get liveRuns (): number {
    return this.#held.size
  }

  start (): void {
    const { lease_ms } = this.deps.config.limits
    this.#every(Math.min(lease_ms / 3, 10_000), () => this.#renew())
    this.#every(pollMs, () => this.#stopCancelled())
    if (this.sweeps) this.#every(pollMs, () => this.#sweep())
  }

  /** Executes a run that this process holds. */
  execute (state: RunState): Promise<void> {
    const { run_id } = state.key
    tellStarted(this.deps, state)
    const ended = this.#run(state).finally(() => {
      this.#held.delete(run_id)
      state.channel.close()
      tellLeft(this.deps, state)
    })
    this.#held.set(run_id, { state, ended })
    return ended
  }

  /** Takes a run if nobody works on it. @returns its end, undefined when somebody else has it */
  async claim (workspaceId: string, runId: string): Promise<{ ended: Promise<void> } | undefined> {
    if (this.#stopping) return undefined
    const { deps } = this
    const { limits } = deps.config
    const claimed = await claimRun(deps.db, workspaceId, runId, this.instance, limits.lease_ms, takeoverGap)
    if (!claimed) return undefined
    const state = await loadRun(deps, claimed)
    if (!state) {
      deps.log.error({ run_id: runId }, 'a run has lost its session')
      return undefined
    }
    const crashed = claimed.attempts > limits.crash_attempts
    return { ended: crashed ? this.#giveUp(state) : this.execute(state) }
  }

  /** Stops a run of this process at once; for others, the row says it and their poll sees it. */
  cancel (runId: string, reason: string): void {
    const held = this.#held.get(runId)
    if (!held || held.state.cancelled !== null) return
    held.state.cancelled = reason
    held.state.abort.abort(new Error(reason))
  }

  /** Asks a run of the user to stop, wherever it is; takes it to close it when it only waits. */
  async requestCancel (
    workspaceId: string,
    userId: string,
    runId: string,
    reason: 'user_cancel' | 'superseded' | 'session_deleted'
  ): Promise<void> {
    const asked = await requestCancel(this.deps.db, workspaceId, userId, runId, reason)
    if (!asked) return
    this.cancel(runId, reason)
    await (
      await this.claim(workspaceId, runId)
    )?.ended
  }

  /** Lets runs come to an end for a while, then gives them back: another instance, or the next start, goes on. */
  async stop (): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    const all = Promise.all([...this.#held.values()].map(({ ended }) => ended))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      all,
      new Promise((resolve) => {
        timer = setTimeout(resolve, drainMs)
      })
    ])
    clearTimeout(timer)
    for (const { state } of this.#held.values()) state.abort.abort(new Error('shutdown'))
    await all
  }

  async #run (state: RunState): Promise<void> {
    try {
      while ((await advanceRun(this.deps, state)) === 'go' && !this.#leaves(state));
      if (this.#leaves(state)) await this.#release(state)
      else await this.#keepTime(state)
    } catch (error) {
      if (error instanceof LostRun) return this.deps.log.warn({ run_id: state.key.run_id }, 'lost the lease of a run')
      if (this.#leaves(state)) return this.#release(state)
      await this.#fail(state, error)
    }
  }

  #leaves (state: RunState): boolean {
    return this.#stopping && state.abort.signal.aborted && state.cancelled === null
  }

  async #release (state: RunState): Promise<void> {
    const { workspace_id, run_id, epoch } = state.key
    await state.channel.write([], async (rows, position) => {
      await this.deps.streams.save(rows)
      await releaseRun(this.deps.db, workspace_id, run_id, epoch, position)
      return true
    }).catch((error: unknown) => this.#warn(state, error))
  }

  async #keepTime (state: RunState): Promise<void> {
    if (state.calls.length === 0) return
    await addActiveTime(this.deps.db, state.key.workspace_id, state.key.run_id, Date.now() - state.startedAt)
  }

  /** What was not foreseen ends the run; if not even that can be stored, the lease lapses and another tries. */
  async #fail (state: RunState, error: unknown): Promise<void> {
    this.deps.log.error(
      { run_id: state.key.run_id, err: { message: (error as Error).message, stack: (error as Error).stack } },
      'a run failed'
    )
    if (isDatabaseTrouble(error)) return
    await finishRun(this.deps, state, {
      status: 'failed',
      reason: 'internal',
      stopReason: null,
      error: { code: 'internal', message: 'Something went wrong here.', retryable: true }
    }).catch((again: unknown) => this.#warn(state, again))
  }

  /** If the end cannot be stored, the lease lapses and another tries. */
  async #giveUp (state: RunState): Promise<void> {
    await finishRun(this.deps, state, {
      status: 'failed',
      reason: 'crash_loop',
      stopReason: null,
      error: { code: 'run_crashed', message: 'The run was taken over too often.', retryable: false }
    }).catch((error: unknown) => this.#warn(state, error)).finally(() => state.channel.close())
  }

  #warn ({ key: { run_id } }: RunState, error: unknown): void {
    this.deps.log.error({ run_id, reason: (error as Error).message }, 'a run was not ended, or not given back')
  }

  async #renew (): Promise<void> {
    if (this.#held.size === 0) return
    const before = [...this.#held.values()]
    const ids = [...this.#held.keys()]
    const epochs = await renewLeases(this.deps.db, this.instance, ids, this.deps.config.limits.lease_ms)
    for (const { state } of before) {
      if (!this.#held.has(state.key.run_id) || epochs.get(state.key.run_id) === state.key.epoch) continue
      // Ended or parked meanwhile, or taken over: in either case its next write is fenced.
      if (state.channel.closed) continue
      state.abort.abort(new LostRun())
    }
  }

  async #stopCancelled (): Promise<void> {
    if (this.#held.size === 0) return
    for (const run of await listCancelRequested(this.deps.db, this.instance)) {
      this.cancel(run.id, run.reason ?? 'user_cancel')
    }
  }

  async #sweep (): Promise<void> {
    for (const due of await listExpired(this.deps.db, claimBatch)) {
      const expired = await expireConfirmations(this.deps.db, due.workspace_id, due.run_id)
      for (let i = 0; i < expired; i++) tellApproval(this.deps, 'expired', null)
    }
    const room = this.deps.config.limits.live_runs_per_instance - this.#held.size
    if (room <= 0) return
    for (const run of await listClaimable(this.deps.db, Math.min(claimBatch, room))) {
      // A process that was stalled finds its own leases lapsed: it still has the run, and renews.
      if (!this.#held.has(run.id)) await this.claim(run.workspace_id, run.id)
    }
  }

  /** A truth that is looked at again and again; one look at a time. */
  #every (ms: number, look: () => Promise<void>): void {
    let busy = false
    this.#timers.push(
      setInterval(() => {
        if (busy) return
        busy = true
        look()
          .catch((error: unknown) => this.deps.log.warn({ reason: (error as Error).message }, 'sweep failed'))
          .finally(() => {
            busy = false
          })
      }, ms).unref()
    )
  }
}
