import { createHash } from 'node:crypto'
import type { Channel, ContentBody } from 'steward-prose-engine/schemas'
import { KeptTexts } from './kept-texts.js'
import { readText } from '../text/read-text.js'

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
