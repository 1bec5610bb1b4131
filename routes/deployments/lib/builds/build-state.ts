import type { Actor } from '../../../../db/audit.js'
import type { BuildRow } from '../../../../db/deployments/builds.js'
import { writeIn, type BuildChange, type WriteOptions } from '../../../../db/deployments/progress.js'
import type { Db } from '../../../../db/index.js'
import { HeldWork } from '../../../../lib/durable/kind.js'
import { redactText, namedSecret } from '../../../../lib/security/redaction.js'
import type { BuildStep, StepName } from '../../../../schemas/deployments/builds.js'
import type { NewBuildEvent } from '../../../../schemas/deployments/logs.js'
import type { Deps } from '../errors.js'

/** The longest line that a record keeps. */
export const maxLineBytes = 16_384

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= maxLineBytes) return text
  return `${Buffer.from(text).subarray(0, maxLineBytes).toString('utf8').replace(/\ufffd$/, '')}… [cut]`
}

/** Characters that are read: redaction shortens a line, and what is cut off here would rarely have been kept. */
const maxRead = 4 * maxLineBytes

/** @returns the text without what has the form of a credential, no longer than a line may be, and storable */
export const redactLine = (text: string): string => {
  const read = text.slice(0, maxRead).replaceAll('\0', '').toWellFormed()
  // A log line loses whatever has a secret's name, also what looks like a word.
  return cut(redactText(read).replace(namedSecret, '$<kept>[redacted]'))
}

/** The build was cancelled, and its deployment is undone. */
export class Cancelled extends Error {}

/** Something else came first, so nothing was deployed: by default, the target is not in the state that was approved. */
export class Superseded extends Error {
  constructor (message: string,
    readonly why: { reason: 'target_changed' | 'newer_push', by?: string } = { reason: 'target_changed' }) {
    super(message)
  }
}

/** The step took longer than it may. */
export class TimedOut extends Error {}

/** The step ended badly; the message is for people. */
export class StepFailed extends Error {
  constructor (message: string, readonly reason: 'step_failed' | 'deploy_rolled_back' = 'step_failed') {
    super(message)
  }
}

const maxLogBytes = 50 * 1_048_576

/** A build that this process holds. */
export class BuildState extends HeldWork<BuildRow> {
  constructor (private readonly deps: Pick<Deps, 'db' | 'streams'>, row: BuildRow) {
    super(deps.db, row)
  }

  /** A cancel was requested while it is being deployed. */
  get cancelling (): boolean {
    return this.row.status === 'cancelling'
  }

  /** Takes over a cancel that another process has stored, before this worker's next write. */
  cancelBy (actor: Actor | null): void {
    this.row = { ...this.row, status: 'cancelling', cancel_principal: actor }
  }

  /**
   * @param then what is written with it, in the same transaction
   * @throws LostLease when another process holds the build by now; then nothing is written
   */
  async write (change: BuildChange, events: NewBuildEvent[] = [], options: WriteOptions = {},
    then?: (trx: Db, row: BuildRow) => Promise<void>): Promise<void> {
    await this.commit(async (trx) => {
      const row = await writeIn(trx, this.row, change, events, options)
      if (row) await then?.(trx, row)
      return row
    })
    if (events.length > 0) this.deps.streams.wake(this.row.id)
  }

  /** Adds a line to the build's record, without secrets; what is beyond the limit is left out and said so. */
  async log (step: StepName, text: string): Promise<void> {
    if (this.row.log_truncated) return
    if (this.row.log_bytes >= maxLogBytes) return this.write({ log_truncated: true })
    await this.write({}, [{ event: 'log', data: { step, stream: 'system', text: redactLine(text) } }])
  }

  /** Adds lines at once, with a change of the row: where the log has been read to. */
  async logAll (step: StepName, stream: 'stdout' | 'system', texts: readonly string[], change: BuildChange): Promise<void> {
    if (texts.length === 0) return
    const isFull = this.row.log_truncated || this.row.log_bytes >= maxLogBytes
    const events = isFull
      ? []
      : texts.map((text): NewBuildEvent => ({ event: 'log', data: { step, stream, text: redactLine(text) } }))
    await this.write({ ...change, ...(isFull && { log_truncated: true }) }, events)
  }

  async writeStep (steps: BuildStep[], name: StepName, change: BuildChange = {}): Promise<void> {
    const step = steps.find((one) => one.name === name)
    await this.write({ ...change, steps }, step ? [{ event: 'step', data: { step } }] : [])
  }
}

/** What a step has to work with. */
export interface StepContext {
  deps: Deps
  state: BuildState
  /** Aborts when the step's time is over, the build is lost, or the instance stops. */
  signal: AbortSignal
  log: (text: string) => Promise<void>
}

/** Waits, unless the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
  const onAbort = () => {
    clearTimeout(timer)
    const reason: Error = signal.reason
    reject(reason)
  }
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', onAbort)
    resolve()
  }, ms)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
})
