const KEPT = 2000

/** One request that reached the sandbox, with only the first characters of its token. */
export interface JournalEntry {
  sequence: number
  /** By the sandbox's clock. */
  at: string
  operation: string
  method: string
  path: string
  query: string
  login: string | null
  token: string | null
  conditional: boolean
  body: unknown
  status: number | null
  fault: string | null
}

export interface JournalFilter {
  operation?: string | undefined
  after?: number | undefined
}

/** The requests to the sandbox: the newest, and a count of each operation. */
export class Journal {
  #entries: JournalEntry[] = []
  #counts = new Map<string, number>()
  #sequence = 0

  add (entry: Omit<JournalEntry, 'sequence' | 'status' | 'fault'>): JournalEntry {
    const full = { ...entry, sequence: ++this.#sequence, status: null, fault: null }
    this.#entries.push(full)
    if (this.#entries.length > KEPT) this.#entries.splice(0, KEPT / 10)
    this.#counts.set(entry.operation, (this.#counts.get(entry.operation) ?? 0) + 1)
    return full
  }

  find ({ operation, after = 0 }: JournalFilter = {}): JournalEntry[] {
    return this.#entries.filter((one) => one.sequence > after && (!operation || one.operation === operation))
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
