import type { Channel } from '../../../schemas/content/channels.js'
import type { ContentBody } from '../../../schemas/content/contents.js'
import { readText } from './text/thread.js'

type Rendered = Pick<ContentBody, 'slug' | 'seo' | 'body_markdown' | 'fields'> & { id: string, channel: Channel }

/** @returns the address of a record, if a site is known where it is or will be */
export const addressOf = ({ slug, seo }: Pick<ContentBody, 'slug' | 'seo'>, site: string | undefined):
string | undefined => seo.canonical ?? (site === undefined ? undefined : `${site.replace(/\/$/, '')}/${slug}`)

/**
 * What readers of a record get to read, as HTML; its ids are of this record alone.
 * @param site what links without a host are relative to, where the page is not on that site itself
 * @throws text_too_complex, overloaded
 */
export const htmlOf = (record: Rendered, site?: string): Promise<string> => {
  const { id, channel, body_markdown, fields } = record
  const position = { prefix: `c${id.slice(-8)}-`, base: site && addressOf(record, site) }
  return readText('toHtml', channel, { body_markdown, fields }, position)
}
