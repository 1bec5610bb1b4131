import type { IncomingHttpHeaders } from 'node:http'

const maxEntries = 200
const maxBytes = 64 * 1024 * 1024
const secret = new Set(['x-api-key', 'authorization', 'cookie', 'proxy-authorization',
  'x-amz-security-token'])

/** One received request, and its outcome. */
export interface JournalEntry {
  request_id: string
  at: string
  method: string
  path: string
  headers: Record<string, unknown>
  body: unknown
  status?: number
  answered_by?: 'script' | 'assistant'
  fault?: string
  outcome?: string
}

/** The last received requests, without their secrets. */
export class Journal {
  #entries: { entry: JournalEntry, bytes: number }[] = []
  #bytes = 0

  add (entry: Omit<JournalEntry, 'at' | 'headers'>, headers: IncomingHttpHeaders): JournalEntry {
    const bytes = Number(headers['content-length'] ?? 0)
    const kept = { at: new Date().toISOString(), ...entry, headers: withoutSecrets(headers) }
    this.#entries.push({ entry: kept, bytes })
    this.#bytes += bytes
    while (this.#entries.length > 1 && (this.#entries.length > maxEntries || this.#bytes > maxBytes)) {
      this.#bytes -= this.#entries.shift()?.bytes ?? 0
    }
    return kept
  }

  /** The entries, oldest first; with a text, only those whose body contains it. */
  list (match?: string) {
    const entries = this.#entries.map(({ entry }) => entry)
    if (!match) return entries
    const escaped = JSON.stringify(match).slice(1, -1)
    return entries.filter(({ body }) => JSON.stringify(body)?.includes(escaped))
  }

  clear () {
    this.#entries = []
    this.#bytes = 0
  }
}

const withoutSecrets = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name)))
