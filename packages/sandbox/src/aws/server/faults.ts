import type { Account } from '../core/world.js'

export const FAULT_KINDS = [
  'throttle', 'access_denied', 'expired_token', 'error_500', 'html_503', 'error', 'hang', 'drop', 'slow', 'stale'
] as const

export type FaultKind = typeof FAULT_KINDS[number]

export interface FaultInput {
  kind: FaultKind
  service?: string | undefined
  operation?: string | undefined
  /** How many calls it hits; 0 = until the reset. */
  times?: number | undefined
  /** How many matching calls pass before. */
  after?: number | undefined
  /** slow: the delay. hang: the time until the cut. stale: how long, in real time, reads return the old state. */
  delay_ms?: number | undefined
  /** A text that must occur in account, region, access key or parameters. */
  match?: string | undefined
  /** True carries out the operation, and breaks only its response. */
  executed?: boolean | undefined
  /** kind `error`: what to answer. */
  code?: string | undefined
  message?: string | undefined
  status?: number | undefined
}

export interface Fault extends FaultInput {
  id: number
  hits: number
  skipped: number
  /** The state that a stale read returns. */
  snapshot?: Map<string, Account>
  until?: number
}

export interface FaultSubject {
  service: string
  operation: string
  /** The text that `match` searches; computed only if needed. */
  text: () => string
}

/** The armed faults, oldest first. */
export class Faults {
  #faults: Fault[] = []
  #count = 0

  add (input: FaultInput, accounts: Map<string, Account>): Fault {
    const fault: Fault = { ...input, id: ++this.#count, hits: 0, skipped: 0 }
    if (input.kind === 'stale') {
      fault.snapshot = structuredClone(accounts)
      if (input.delay_ms !== undefined) fault.until = Date.now() + input.delay_ms
    }
    this.#faults.push(fault)
    return fault
  }

  /** Returns the fault of this call, and counts the hit. */
  take (subject: FaultSubject): Fault | undefined {
    this.#faults = this.#faults.filter(isLive)
    for (const fault of this.#faults) {
      if (!concerns(fault, subject)) continue
      if (fault.skipped < (fault.after ?? 0)) {
        fault.skipped++
        continue
      }
      fault.hits++
      return fault
    }
    return undefined
  }

  list (): Omit<Fault, 'snapshot'>[] {
    return this.#faults.filter(isLive).map(({ snapshot, ...fault }) => fault)
  }

  clear (): void {
    this.#faults = []
  }
}

function isLive (fault: Fault): boolean {
  if (fault.until !== undefined) return Date.now() < fault.until
  const times = fault.times ?? 1
  return times === 0 || fault.hits < times
}

function concerns (fault: Fault, { service, operation, text }: FaultSubject): boolean {
  return (!fault.service || fault.service === service) &&
    (!fault.operation || fault.operation === operation) &&
    (!fault.match || text().includes(fault.match))
}
