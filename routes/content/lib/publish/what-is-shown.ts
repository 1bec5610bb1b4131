import type { Channel, ContentBody } from 'steward-prose-engine/schemas'
import type { Content } from '../../../../schemas/content/contents.js'
import type { TargetKind } from '../../../../schemas/content/targets.js'
import { ContentEmpty } from '../errors.js'
import { htmlOf } from '../texts/html-of.js'
import { postsOf } from '../targets/posts.js'
import { readText } from '../text/read-text.js'

type Written = Pick<Content, 'id' | 'channel'> & ContentBody

const takesHtml: readonly TargetKind[] = ['feed', 'wordpress', 'ghost', 'mail']
const takesPosts: readonly TargetKind[] = ['mastodon', 'bluesky', 'linkedin']

const withoutTags = (html: string): string => {
  let text = ''
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const close = open < 0 ? -1 : html.indexOf('>', open)
    if (close < 0) return text + html.slice(at)
    text += html.slice(at, open)
    at = close + 1
  }
}

/** @returns whether readers at a target of this kind would see anything; in HTML, raw HTML is left out */
export const isShown = async (kind: TargetKind, record: Written): Promise<boolean> => {
  const { channel, body_markdown, fields } = record
  if (takesPosts.includes(kind)) return postsOf(record).length > 0
  if ((await readText('textOf', channel, { body_markdown, fields })).trim() === '') return false
  if (!takesHtml.includes(kind)) return true
  const html = await htmlOf(record)
  return /<(?:img|input)\b/.test(html) || withoutTags(html).trim() !== ''
}

const whatToDo = (channel: Channel): string => channel === 'social'
  ? 'write its posts, fields.posts'
  : 'write body_markdown, as Markdown: raw HTML is shown by no feed or site'

/** @throws content_empty for a version that would be empty at one of the targets; text_too_complex, overloaded */
export const requireShown = async (targets: readonly { kind: TargetKind, name: string }[], number: number,
  record: Written): Promise<void> => {
  for (const { kind, name } of targets) {
    if (await isShown(kind, record)) continue
    const next = `${whatToDo(record.channel)}, have that version approved, and publish it`
    throw ContentEmpty(`Version ${number} has nothing that "${name}" (${kind}) could show: ${next}`)
  }
}
