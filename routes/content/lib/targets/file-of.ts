import { stringify } from 'yaml'
import { textOf } from 'steward-prose-engine/markdown'
import type { Content } from '../../../../schemas/content/contents.js'

/** @returns the file: metadata and the fields of the channel as front matter, then the text */
export const fileOf = (content: Content): string => {
  const { title, slug, summary, locale, channel, network, fields, seo, id, version } = content
  const own = { ...(network !== null && { network }), ...(Object.keys(fields).length > 0 && { fields }) }
  const front = { title, slug, summary, locale, channel, ...own, seo, content_id: id, version }
  return `---\n${stringify(front)}---\n\n${textOf(channel, content)}`
}
