import { expireConfirmations, findExpired } from '../../../../db/agent/confirmations.js'
import {
  claimWaiting, closeParked, isSessionTaken, resumeParked, type Blocking
} from '../../../../db/agent/parked.js'
import {
  addActiveTime, listCancelRequested, releaseRun, requestCancel, runLeases, type CancelReason, type ClaimedRun
} from '../../../../db/agent/runs.js'
import { LostLease, LostTooOften, Stopping } from '../../../../lib/durable/kind.js'
import { Runner, type Claimed } from '../../../../lib/durable/runner.js'
import { Admission, type Slot } from './admission.js'
import { advanceRun } from './advance-run.js'
import { finishRun } from '../run/finish.js'
import { loadRun } from '../run/load-run.js'
import { Decided, parkRun, resumeLater } from '../run/park-run.js'
import { recordApproval, recordReleased, recordStarted } from '../run/record.js'
import type { Deps, RunState } from '../run/run-state.js'
import { Overloaded } from '../../../../schemas/errors.js'
import { messageOf, textIn } from '../../../../schemas/unknown.js'

const pollMs = 1_000
const drainMs = 10_000
const expireBatch = 20
/** Parking a run is one commit. */
const parkMs = 5_000
/** Of a run that becomes its session's live run, while others begin. */
const maxTries = 3
/** Questions say when they expire; those of other processes are seen so late at most. */
const expireLookMs = 60_000

/** A run that is cancelled goes on to its end; one that leaves this process does not. */
const throwIfLeft = ({ abort: { signal } }: RunState): void => {
  const reason: unknown = signal.reason
  if (reason instanceof Stopping || reason instanceof LostLease) throw reason
}

const run = async (deps: Deps, state: RunState): Promise<void> => {
  while ((await advanceRun(deps, state)) === 'go') throwIfLeft(state)
  if (state.calls.length === 0) return
  await addActiveTime(deps.db, state.key.workspace_id, state.key.run_id, Date.now() - state.startedAt)
}

const hold = async (deps: Deps, claimed: ClaimedRun): Promise<RunState | undefined> => {
  const state = await loadRun(deps, claimed)
  if (state) recordStarted(deps, state)
  else deps.log.error({ run_id: claimed.id }, 'a run has lost its session')
  return state
}

/** An unexpected error ends the run. */
const fail = (deps: Deps, state: RunState, error: unknown): Promise<void> => {
  if (error instanceof LostTooOften) {
    return finishRun(deps, state, {
      status: 'failed',
      reason: 'crash_loop',
      stopReason: null,
      error: { code: 'run_crashed', message: 'The run was taken over too often.', retryable: false }
    })
  }
  const err = { message: messageOf(error), stack: textIn(error, 'stack') }
  deps.log.error({ run_id: state.key.run_id, err }, 'a run failed')
  return finishRun(deps, state, {
    status: 'failed',
    reason: 'internal',
    stopReason: null,
    error: { code: 'internal', message: 'Something went wrong here.', retryable: true }
  })
}

/** What was sent and is not stored yet is stored with the release, so the next owner goes on behind it. */
const release = (deps: Deps, { channel, row }: RunState): Promise<boolean> =>
  channel.write([], async (rows, position) => {
    await deps.streams.save(rows)
    await releaseRun(deps.db, row, position)
    return true
  })

/** What the runs of this process take of its room. */
class Slots {
  readonly admission: Admission
  readonly #taken = new WeakMap<RunState, Slot>()

  constructor (atOnce: number) { this.admission = new Admission(atOnce) }

  keep (state: RunState, slot: Slot): void {
    slot.keep()
    this.#taken.set(state, slot)
  }

  leave (state: RunState): void {
    this.#taken.get(state)?.leave()
  }
}

const makeRunner = (deps: Deps, slots: Slots, onEnd: (state: RunState) => void): Runner<ClaimedRun, RunState> => {
  const { crash_attempts: maxLost, live_runs_per_instance: atOnce } = deps.config.limits
  return new Runner({
    name: 'runs',
    atOnce,
    maxLost,
    drainMs,
    leases: runLeases,
    hold: async (claimed) => {
      const state = await hold(deps, claimed)
      if (state) slots.keep(state, slots.admission.take())
      return state
    },
    run: (state) => run(deps, state),
    fail: (state, _error, thrown) => fail(deps, state, thrown),
    release: (state) => release(deps, state),
    after: async (state) => {
      slots.leave(state)
      state.channel.close()
      recordReleased(deps, state)
      onEnd(state)
    }
  }, { db: deps.db, database: deps.database, limits: deps.config.limits, log: deps.log })
}

/** Executes runs under leases: those begun here, and those that other processes left. */
export class Engine {
  readonly #runner: Runner<ClaimedRun, RunState>
  readonly #slots: Slots
  /** Parked runs that were decided about here while their session was not free, by session. */
  readonly #blocked = new Map<string, Set<string>>()

  constructor (
    private readonly deps: Deps,
    private readonly sweeps: boolean,
    /** Called when a run has left this process: it has ended, or waits. */
    onEnd: (state: RunState) => void = () => {}
  ) {
    this.#slots = new Slots(deps.config.limits.live_runs_per_instance)
    this.#runner = makeRunner(deps, this.#slots, (state) => {
      void this.#resumeBlocked(state).finally(() => onEnd(state))
    })
  }

  get instance (): string { return this.#runner.instance }

  /** @throws overloaded, with the time after which there will be room: at a proxy, another instance may have it now */
  requireRoom (): void {
    const { admission } = this.#slots
    if (!admission.isFull) return
    throw Overloaded('This instance executes as many runs as it may')
      .withHeaders({ 'retry-after': String(admission.secondsUntilRoom()) })
  }

  /** Admits a chat; its slot is given back unless a run begins. @throws as `requireRoom` */
  admit (): Slot {
    this.requireRoom()
    return this.#slots.admission.take()
  }

  start (): void {
    this.#runner.start(this.sweeps)
    this.#runner.whileHeld(pollMs, () => this.#stopCancelled())
    if (this.sweeps) this.#runner.watch(() => this.#expire(), expireLookMs)
  }

  /** Executes a run that began under this process's lease, in the slot of its chat if it has one. */
  execute (state: RunState, slot: Slot = this.#slots.admission.take()): Promise<void> {
    this.#slots.keep(state, slot)
    recordStarted(this.deps, state)
    return this.#runner.adopt(state).ended
  }

  /** Claims a run that a person waits for. @returns its end, undefined when another process has it */
  claim (workspaceId: string, runId: string): Promise<Claimed | undefined> {
    return this.#runner.claim({ workspace_id: workspaceId, id: runId }, true)
  }

  /** Goes on with a run that was decided about; with a parked one, when its session is free. @returns as `claim` */
  async wake (workspaceId: string, runId: string): Promise<Claimed | undefined> {
    const claimed = await this.claim(workspaceId, runId)
    if (claimed) return claimed
    return await this.resume(workspaceId, runId) === 'resumed' ? this.claim(workspaceId, runId) : undefined
  }

  /**
   * Makes a parked run ready that was decided about. The session's live run goes before, unless it waits itself: then
   * that one is parked.
   * @returns `blocked` when the session is not free; `idle` when there is nothing to resume
   */
  async resume (workspaceId: string, runId: string): Promise<'resumed' | 'blocked' | 'idle'> {
    const blocking = await this.#resumeOnce(workspaceId, runId)
    if (typeof blocking === 'boolean') return blocking ? 'resumed' : 'idle'
    if (blocking.status === 'awaiting_confirmation' && await this.park(workspaceId, blocking.id) === 'parked') {
      const again = await this.#resumeOnce(workspaceId, runId)
      if (typeof again === 'boolean') return again ? 'resumed' : 'idle'
    }
    const { session_id: sessionId } = blocking
    this.#blocked.set(sessionId, (this.#blocked.get(sessionId) ?? new Set()).add(runId))
    return 'blocked'
  }

  async #resumeOnce (workspaceId: string, runId: string): Promise<boolean | Blocking> {
    for (let tries = 1; ; tries++) {
      try {
        const resumed = await resumeParked(this.deps.db, { workspace_id: workspaceId, id: runId })
        if (resumed === true) this.deps.failpoint('park.resumed')
        return resumed
      } catch (error) {
        if (!isSessionTaken(error) || tries === maxTries) throw error
      }
    }
  }

  /** A run has left this process: what waited for its session goes on; what is missed here, by its job. */
  async #resumeBlocked ({ key: { workspace_id: workspaceId, session_id: sessionId } }: RunState): Promise<void> {
    const runs = this.#blocked.get(sessionId)
    if (!runs) return
    this.#blocked.delete(sessionId)
    for (const run of runs) {
      await this.wake(workspaceId, run).catch((error: unknown) => {
        this.deps.log.warn({ run_id: run, reason: messageOf(error) }, 'a parked run waits for its job')
      })
    }
  }

  /**
   * Lets a conversation go on without its run, which waits for approvals and goes on waiting.
   * @returns `work` when a decision came first: the run goes on. `other`: it waits for none
   */
  async park (workspaceId: string, runId: string): Promise<'parked' | 'work' | 'other'> {
    const { db, config: { limits: { lease_ms: longMs } } } = this.deps
    // The session is busy until the lease lapses, should this process die meanwhile.
    const leaseMs = Math.min(longMs, parkMs)
    const claimed = await claimWaiting(db, { workspace_id: workspaceId, id: runId }, { owner: this.instance, leaseMs })
    const state = claimed && await loadRun(this.deps, claimed)
    if (!state) return 'other'
    try {
      await parkRun(this.deps, state)
      return 'parked'
    } catch (error) {
      await releaseRun(db, state.row, claimed.position)
      if (!(error instanceof Decided)) throw error
      void this.claim(workspaceId, runId).catch(() => undefined)
      return 'work'
    } finally {
      state.channel.close()
    }
  }

  /** Requests the cancel of a run, in whichever process it is; claims it to close it when it only waits. */
  async requestCancel (
    workspaceId: string,
    userId: string,
    runId: string,
    reason: CancelReason
  ): Promise<void> {
    const requested = await this.deps.db.transaction().execute(async (trx) => {
      const row = await requestCancel(trx, workspaceId, userId, runId, reason)
      if (row?.status === 'parked') {
        await closeParked(trx, workspaceId, runId, reason)
        await resumeLater(this.deps, trx, workspaceId, runId)
      }
      return row
    })
    if (!requested) return
    this.#cancel(runId, reason)
    await (await this.wake(workspaceId, runId))?.ended
  }

  /** Lets runs come to an end for a while, then releases them: another process, or the next start, goes on. */
  stop (): Promise<void> {
    return this.#runner.stop()
  }

  /** Stops a run of this process at once; other processes find the request when they poll. */
  #cancel (runId: string, reason: string): void {
    const state = this.#runner.find(runId)
    if (!state || state.cancelled !== null) return
    state.cancelled = reason
    state.abort.abort(new Error(reason))
  }

  async #stopCancelled (): Promise<void> {
    for (const { id, reason } of await listCancelRequested(this.deps.db, this.instance, this.#runner.keys)) {
      this.#cancel(id, reason ?? 'user_cancel')
    }
  }

  /** @returns milliseconds until a question expires */
  async #expire (): Promise<number> {
    const { due, next_ms: nextMs } = await findExpired(this.deps.db, expireBatch)
    for (const { workspace_id: workspaceId, run_id: runId } of due) {
      const expired = await expireConfirmations(this.deps.db, workspaceId, runId,
        (trx) => resumeLater(this.deps, trx, workspaceId, runId))
      for (let i = 0; i < expired; i++) recordApproval(this.deps, 'expired', null)
    }
    return due.length > 0 ? pollMs : nextMs ?? Infinity
  }
}
