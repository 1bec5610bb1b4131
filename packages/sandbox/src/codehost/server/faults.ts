export const FAULT_KINDS = [
  'rate_limit', 'secondary_limit', 'throttle', 'unauthorized', 'forbidden', 'not_found', 'error_500', 'error_502',
  'error', 'hang', 'drop', 'cut', 'slow', 'bad_json', 'foreign_next', 'redirect', 'huge', 'headers'
] as const

export type FaultKind = typeof FAULT_KINDS[number]

export interface FaultInput {
  kind: FaultKind
  /** Only this operation, such as `listCommits`; absent = every one but the control path. */
  operation?: string | undefined
  /** How many calls it hits; 0 = until the reset. */
  times?: number | undefined
  /** How many matching calls pass before. */
  after?: number | undefined
  /** slow: the delay. hang: cut after that. */
  delay_ms?: number | undefined
  /** A text that must occur in the path with its query, or in the login of the caller. */
  match?: string | undefined
  /** True carries out the operation, and breaks only its response. */
  executed?: boolean | undefined
  /** Seconds: the Retry-After of a limit; absent = none is sent. */
  retry_after?: number | undefined
  /** foreign_next, redirect: where it points. huge: bytes. error: the status. */
  url?: string | undefined
  bytes?: number | undefined
  status?: number | undefined
  message?: string | undefined
  /** error: its headers. headers: those that the operation's own response gets. */
  headers?: Record<string, string> | undefined
  /** error: more members of its body. */
  body?: Record<string, unknown> | undefined
}

export interface Fault extends FaultInput {
  id: number
  hits: number
  skipped: number
}

/** The armed faults, oldest first. */
export class Faults {
  #faults: Fault[] = []
  #count = 0

  add (input: FaultInput): Fault {
    const fault: Fault = { ...input, id: ++this.#count, hits: 0, skipped: 0 }
    this.#faults.push(fault)
    return fault
  }

  /** Returns the fault of this call, and counts the hit. */
  take (operation: string, text: string): Fault | undefined {
    this.#faults = this.#faults.filter(isLive)
    for (const fault of this.#faults) {
      if ((fault.operation && fault.operation !== operation) || (fault.match && !text.includes(fault.match))) continue
      if (fault.skipped < (fault.after ?? 0)) {
        fault.skipped++
        continue
      }
      fault.hits++
      return fault
    }
    return undefined
  }

  list (): Fault[] {
    return this.#faults.filter(isLive)
  }

  clear (): void {
    this.#faults = []
  }
}

const isLive = ({ times = 1, hits }: Fault): boolean => times === 0 || hits < times
