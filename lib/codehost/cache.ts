import { CodehostBadResponse } from '../../schemas/codehost/errors.js'

/** The query that asks for the next page of a list. */
export interface Next { page?: number, after?: string, cursor?: string }

const maxLength = 8_192
const link = /<([^<>]*)>([^<>]*)/g

/**
 * Reads the next page's number or position out of a Link header. The link itself is never followed: it may name any
 * host, and the token would go along.
 * @returns null when there is no next page. @throws codehost_bad_response when it cannot be asked for
 */
const nextOf = (header: string): Next | null => {
  const found = [...header.slice(0, maxLength).matchAll(link)].find(([, , rest]) => /\brel="?next\b/.test(rest ?? ''))
  if (!found) return null
  const url = found[1] ?? ''
  const query = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').searchParams : undefined
  const page = query?.get('page') ?? ''
  if (/^[1-9]\d{0,8}$/.test(page)) return { page: Number(page) }
  for (const name of ['after', 'cursor'] as const) {
    const position = query?.get(name) ?? ''
    if (/^[\x21-\x7e]{1,200}$/.test(position)) return { [name]: position }
  }
  throw CodehostBadResponse('The code host does not say what the next page is')
}

type Headers = Readonly<Record<string, unknown>>

const numberOf = (value: unknown): number => value === undefined ? NaN : Number(value)

/**
 * @returns what to ask for after this answer. GitHub leaves the Link header out on an only page; of a host that is not
 * GitHub, and may not have that header at all, a full page is taken for not being the last.
 */
export const nextAfter = (data: unknown, headers: Headers, parameters: Headers): Next | null => {
  if (headers.link !== undefined) return nextOf(String(headers.link))
  const size = numberOf(parameters.per_page)
  if (!Array.isArray(data) || data.length === 0 || Number.isNaN(size)) return null
  const page = Number(parameters.page ?? 1)
  const total = numberOf(headers['x-total-count'])
  const more = Number.isNaN(total)
    ? headers['x-github-request-id'] === undefined && data.length === size
    : page * data.length < total
  return more ? { page: page + 1 } : null
}

/** What a URL answered to a token the last time, and by what the code host knows whether that still holds. */
export interface Held {
  data: unknown
  next: Next | null
  etag: string | undefined
  lastModified: string | undefined
  hidden: string[]
  bytes: number
  /** When the code host last confirmed it. */
  at: number
}

const maxBytes = 33_554_432

/** Answers by token and URL: what one person may see is never shown to another. The least recently used go first. */
export class AnswerCache {
  readonly #held = new Map<string, Held>()
  #bytes = 0

  find (key: string): Held | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held
  }

  keep (key: string, held: Held): void {
    this.drop(key)
    if (held.bytes > maxBytes / 8) return
    this.#held.set(key, held)
    this.#bytes += held.bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= maxBytes) return
      this.drop(oldest)
    }
  }

  drop (key: string): void {
    this.#bytes -= this.#held.get(key)?.bytes ?? 0
    this.#held.delete(key)
  }

  /** Removes the answers that a token got: they may not be shown any more. */
  forget (prefix: string): void {
    for (const key of this.#held.keys()) if (key.startsWith(prefix)) this.drop(key)
  }
}
