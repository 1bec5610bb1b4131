import { createHash } from 'node:crypto'
import type { Channel, ContentBody } from 'steward-prose-engine/schemas'
import { readText } from '../text/read-text.js'

/** A cache of rendered texts: the least recently used go first, beyond a number of characters. */
export class KeptTexts {
  #chars = 0
  readonly #kept = new Map<string, string>()
  readonly #pending = new Map<string, Promise<string>>()

  constructor (readonly maxChars: number) {}

  /** @returns the text of a key; concurrent calls share one `make`. @throws what `make` throws */
  async get (key: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const pending = this.#pending.get(key) ?? make().then((text) => this.#keep(key, text))
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return pending
  }

  #keep (key: string, text: string): string {
    this.#kept.set(key, text)
    this.#chars += text.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#chars <= this.maxChars) break
      this.#kept.delete(oldest)
      this.#chars -= length
    }
    return text
  }
}

type Rendered = Pick<ContentBody, 'slug' | 'seo' | 'body_markdown' | 'fields'> & { id: string, channel: Channel }

const keptChars = 8_000_000
/** The same text in the same position is the same HTML, so this never goes stale. */
const kept = new KeptTexts(keptChars)

/** @returns plain text as HTML that shows it */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @returns the address of a record, if the site of its brand is known */
export const addressOf = ({ slug, seo }: Pick<ContentBody, 'slug' | 'seo'>, site: string | undefined):
string | undefined => seo.canonical ?? (site === undefined ? undefined : `${site.replace(/\/$/, '')}/${slug}`)

/**
 * Renders a record for readers as HTML; its ids are unique to the record.
 * @param site the base of links without a host, where the page is not on that site itself
 * @throws text_too_complex, overloaded
 */
export const htmlOf = (record: Rendered, site?: string): Promise<string> => {
  const { id, channel, body_markdown, fields } = record
  const position = { prefix: `c${id.slice(-8)}-`, base: site && addressOf(record, site) }
  const key = createHash('sha256').update(JSON.stringify([channel, body_markdown, fields, position])).digest('base64')
  return kept.get(key, () => readText('toHtml', channel, { body_markdown, fields }, position))
}
