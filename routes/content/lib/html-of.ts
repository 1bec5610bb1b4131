import type { Channel } from '../../../schemas/content/channels.js'
import type { ContentBody } from '../../../schemas/content/contents.js'
import { readText } from './text/read-text.js'

type Rendered = Pick<ContentBody, 'slug' | 'seo' | 'body_markdown' | 'fields'> & { id: string, channel: Channel }

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
  return readText('toHtml', channel, { body_markdown, fields }, position)
}
