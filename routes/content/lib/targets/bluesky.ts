import { createHash } from 'node:crypto'
import { postMarks } from 'steward-prose-engine/text'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import type { NewPost, Posted, PostNetwork } from './deliver-thread.js'
import type { Deps } from './outcome.js'
import {
  imagesOfPost, type PostImage, makeSiteClient, requireAnswer, secretOf, type CallSite, SiteRefused
} from './site.js'

/** The base32 of the AT Protocol, whose letters sort as their values. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'
const keyLength = 13

/** @returns a TID: 53 bits of microseconds and 10 bits of a clock's id, as 13 letters */
const toTid = (micros: bigint, clock: bigint): string => {
  let rest = (micros << 10n) | clock
  let text = ''
  for (let at = 0; at < keyLength; at++) {
    text = `${letters[Number(rest & 31n)]}${text}`
    rest >>= 5n
  }
  return text
}

const maxPosts = 25

/**
 * The key under which a post is stored: the same for each attempt, and another for each publication.
 * @param index of the post in its thread; keys of later posts sort later
 */
export const recordKeyOf = (publicationId: string, at: Date, index: number): string => {
  const hash = createHash('sha256').update(publicationId).digest()
  // What a time in milliseconds leaves open comes from the publication.
  const within = hash.readUInt16BE(0) % (1_000 - maxPosts) + index
  return toTid(BigInt(at.getTime()) * 1_000n + BigInt(within), BigInt(hash.readUInt16BE(2) % 1_024))
}

type Feature =
  { $type: 'app.bsky.richtext.facet#link', uri: string } | { $type: 'app.bsky.richtext.facet#tag', tag: string }

/** What of a post is a link or a tag: positions are bytes of UTF-8. */
export interface Facet { index: { byteStart: number, byteEnd: number }, features: Feature[] }

const at = (text: string, start: number, part: string, feature: Feature): Facet => {
  const byteStart = Buffer.byteLength(text.slice(0, start))
  return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] }
}

/** Bluesky links nothing by itself: a post says which of its bytes are a link. */
export const facetsOf = (text: string): Facet[] => postMarks('bluesky', text).flatMap(({ kind, start, end }) => {
  const part = text.slice(start, end)
  if (kind === 'link') return [at(text, start, part, { $type: 'app.bsky.richtext.facet#link', uri: part })]
  return kind === 'tag' ? [at(text, start, part, { $type: 'app.bsky.richtext.facet#tag', tag: part.slice(1) })] : []
})

interface Session { accessJwt: string, did: string, handle: string }

const collection = 'app.bsky.feed.post'
const path = (method: string): string => `/xrpc/com.atproto.${method}`

const refTo = ({ id: uri, cid }: Posted) => ({ uri, cid })

/** Images are stored first; a record names them by what they are, so at each attempt alike. */
const embedOf = async (call: CallSite, images: readonly PostImage[]) => {
  const shown: object[] = []
  for (const { body, mediaType, alt, width, height } of images) {
    const answer = await call('POST', path('repo.uploadBlob'), body, { 'content-type': mediaType })
    const { blob: image } = requireAnswer(answer) as { blob: object }
    shown.push({ image, alt, aspectRatio: { width, height } })
  }
  return shown.length === 0 ? {} : { embed: { $type: 'app.bsky.embed.images', images: shown } }
}

const recordOf = ({ text, before }: NewPost, createdAt: string, lang: string) => {
  const [root, parent] = [before[0], before.at(-1)]
  const facets = facetsOf(text)
  return {
    $type: collection,
    text,
    createdAt,
    langs: [lang],
    ...(facets.length > 0 && { facets }),
    ...(root && parent && { reply: { root: refTo(root), parent: refTo(parent) } })
  }
}

const signIn = async (call: CallSite, identifier: string, password: string): Promise<Session> => {
  const answer = await call('POST', path('server.createSession'), { identifier, password })
  // The server answers a session; requireAnswer has refused errors.
  return requireAnswer(answer) as Session
}

/** The app's address of a record; its key is the last part of its own address. */
const urlOf = (handle: string, rkey: string): string => `https://bsky.app/profile/${handle}/post/${rkey}`

/**
 * Bluesky by the AT Protocol, with an app password. A post has the same key at each attempt and may only be created
 * (swapRecord null): the server answers a repetition as the first time, and refuses another text under the key.
 */
export const openBluesky = async (deps: Deps, row: PublicationRow, target: StoredTarget,
  content: Content): Promise<PostNetwork> => {
  const password = await secretOf(deps, row.workspace_id, target)
  const headers: Record<string, string> = {}
  const call = makeSiteClient(deps, target, () => headers)
  const { accessJwt, did, handle } = await signIn(call, target.config.username ?? '', password)
  headers.authorization = `Bearer ${accessJwt}`
  const at = row.publish_at ?? row.created_at
  return {
    recognizesMs: Infinity,
    recall: () => [],
    async post (post) {
      const rkey = recordKeyOf(row.id, at, post.index)
      const images = post.index === 0 ? await imagesOfPost(deps, row.workspace_id, 'bluesky', content) : []
      const record = {
        ...recordOf(post, at.toISOString(), content.locale), ...await embedOf(call, images)
      }
      const input = { repo: did, collection, rkey, record, swapRecord: null }
      const answer = await call('POST', path('repo.putRecord'), input)
      if (fieldsOf(answer.body).error === 'InvalidSwap') throw new SiteRefused(409, true)
      const { uri, cid } = requireAnswer(answer) as { uri: string, cid: string }
      return { id: uri, cid, url: urlOf(handle, rkey) }
    },
    async remove (uri) {
      const rkey = uri.split('/').at(-1)
      requireAnswer(await call('POST', path('repo.deleteRecord'), { repo: did, collection, rkey }))
    }
  }
}
