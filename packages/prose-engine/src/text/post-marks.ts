import { postAddress } from './post-length.js'

/** What networks make of a part of a post: offsets are UTF-16 units. */
export interface PostMark { kind: 'link' | 'tag' | 'mention' | 'plain_mention', start: number, end: number }

const tag = /(?<![^\s(])#([\p{L}\p{N}_]+)/gu
const maxTag = 64
const handle = /(?<![\p{L}\p{N}_/@.])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?(?:@[\p{L}\p{N}.-]*[\p{L}\p{N}])?/gu

/**
 * @param network where it is posted. Bluesky and LinkedIn link a person only by an identity that a post does not have;
 *   Mastodon links what looks like a handle
 * @returns the links, tags and mentions of a post, in order; nothing within an address is one
 */
export const postMarks = (network: string, text: string): PostMark[] => {
  const links = [...text.matchAll(postAddress)]
    .map(({ 0: all, index }): PostMark => ({ kind: 'link', start: index, end: index + all.length }))
  const isFree = ({ start }: PostMark) => !links.some((link) => link.start <= start && start < link.end)
  const tags = [...text.matchAll(tag)].filter(({ 1: name = '' }) => !/^[\p{N}_]+$/u.test(name) && name.length <= maxTag)
    .map(({ 0: all, index }): PostMark => ({ kind: 'tag', start: index, end: index + all.length }))
  const kind = network === 'mastodon' ? 'mention' as const : 'plain_mention' as const
  const mentions = [...text.matchAll(handle)]
    .map(({ 0: all, index }): PostMark => ({ kind, start: index, end: index + all.length }))
  return [...links, ...[...tags, ...mentions].filter(isFree)].sort((one, other) => one.start - other.start)
}
