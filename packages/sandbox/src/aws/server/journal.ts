const KEPT = 5000

export interface JournalSession { name: string, source_identity: string | null, tags: Record<string, string> }

/** One request that reached the sandbox. */
export interface JournalEntry {
  sequence: number
  /** By the sandbox's clock. */
  at: string
  service: string
  operation: string
  account_id: string | null
  region: string | null
  access_key_id: string | null
  /** What the caller's session says of itself; null for callers without one. */
  session: JournalSession | null
  params: Record<string, unknown>
  request_id: string
  /** Whether the operation was carried out, whatever response the client got. */
  executed: boolean
  status: number | null
  error: string | null
  fault: string | null
  /** What was answered, while answers are recorded; of an answer that is not JSON null. */
  answer?: unknown
}

export interface JournalFilter {
  service?: string | undefined
  operation?: string | undefined
  after?: number | undefined
}

/** The requests to the sandbox: the newest in full, and a count of each operation. */
export class Journal {
  /** Whether answers are kept, too. */
  keepsAnswers = false
  #entries: JournalEntry[] = []
  #counts = new Map<string, number>()
  #sequence = 0

  add (entry: Omit<JournalEntry, 'sequence' | 'executed' | 'status' | 'error' | 'fault'>): JournalEntry {
    const full = { ...entry, sequence: ++this.#sequence, executed: false, status: null, error: null, fault: null }
    this.#entries.push(full)
    if (this.#entries.length > KEPT) this.#entries.splice(0, KEPT / 10)
    const name = `${entry.service}:${entry.operation}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    return full
  }

  find ({ service, operation, after = 0 }: JournalFilter = {}): JournalEntry[] {
    return this.#entries.filter((one) => one.sequence > after &&
      (!service || one.service === service) && (!operation || one.operation === operation))
  }

  /** How often each operation was received since the last reset. */
  counts (): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  clear (): void {
    this.#entries = []
    this.#counts.clear()
    this.#sequence = 0
  }
}
