import { postAddress } from 'steward-prose-engine/text'

type Feature =
  { $type: 'app.bsky.richtext.facet#link', uri: string } | { $type: 'app.bsky.richtext.facet#tag', tag: string }

/** What of a post is a link or a tag: positions are bytes of UTF-8. */
export interface Facet { index: { byteStart: number, byteEnd: number }, features: Feature[] }

const tag = /(^|\s)#([\p{L}\p{N}_]+)/gu
const maxTag = 64

const at = (text: string, start: number, part: string, feature: Feature): Facet => {
  const byteStart = Buffer.byteLength(text.slice(0, start))
  return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] }
}

/** Bluesky links nothing by itself: a post says which of its bytes are a link. */
export const facetsOf = (text: string): Facet[] => {
  const links = [...text.matchAll(postAddress)].map(({ 0: uri, index }) =>
    at(text, index, uri, { $type: 'app.bsky.richtext.facet#link', uri }))
  const tags = [...text.matchAll(tag)]
    .filter(([, , name = '']) => !/^\d+$/.test(name) && name.length <= maxTag)
    .map(({ 1: space = '', 2: name = '', index }) =>
      at(text, index + space.length, `#${name}`, { $type: 'app.bsky.richtext.facet#tag', tag: name }))
  return [...links, ...tags]
}
