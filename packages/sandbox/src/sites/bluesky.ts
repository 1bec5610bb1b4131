import { createHash } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { startSite, type SiteControl } from './site.js'

const Ref = Type.Object({ uri: Type.String(), cid: Type.String() })
const Facet = Type.Object({
  index: Type.Object({ byteStart: Type.Integer({ minimum: 0 }), byteEnd: Type.Integer({ minimum: 0 }) }),
  features: Type.Array(Type.Object({ $type: Type.String() }, { additionalProperties: true }))
})
const Blob = Type.Object({
  $type: Type.Literal('blob'), ref: Type.Object({ $link: Type.String() }), mimeType: Type.String(), size: Type.Integer()
})
const Embed = Type.Object({
  $type: Type.Literal('app.bsky.embed.images'),
  images: Type.Array(Type.Object({
    image: Blob,
    alt: Type.String(),
    aspectRatio: Type.Optional(Type.Object({
      width: Type.Integer({ minimum: 1 }), height: Type.Integer({ minimum: 1 })
    }))
  }), { maxItems: 4 })
})
const Post = Type.Object({
  embed: Type.Optional(Embed),
  $type: Type.Literal('app.bsky.feed.post'),
  text: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  langs: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  facets: Type.Optional(Type.Array(Facet)),
  reply: Type.Optional(Type.Object({ root: Ref, parent: Ref }))
}, { additionalProperties: true })
const Named = { repo: Type.String(), collection: Type.Literal('app.bsky.feed.post') }
const NewRecord = Type.Object({ ...Named, rkey: Type.Optional(Type.String()), record: Post })
/** Validation would turn null, which says that there may be none, into a text. */
const Swap = Type.Optional(Type.Unsafe<string | null>({}))
const PutRecord = Type.Object({ ...Named, rkey: Type.String(), record: Post, swapRecord: Swap })
const Key = Type.Object({ ...Named, rkey: Type.String() })
type Post = Static<typeof Post>

/** A post as the server stores it. */
export interface BlueskyPost { uri: string, cid: string, rkey: string, value: Post }

export interface BlueskyBlob extends Static<typeof Blob> { data: Buffer }

export interface BlueskySite extends SiteControl { posts: BlueskyPost[], blobs: BlueskyBlob[] }

/** Refusals of the protocol: 400 with a name. */
class Refused extends Error {
  constructor (readonly code: string, message: string) { super(message) }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((part) => letters[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

/** A CID of version 1 with the codes of DAG-CBOR and SHA-256; the hash is of JSON, which suffices to compare. */
const cidOf = (value: Post): string => cid(0x71, JSON.stringify(value))

const cid = (codec: number, data: string | Buffer): string => {
  const hash = createHash('sha256').update(data).digest()
  return `b${base32(Buffer.concat([Buffer.from([1, codec, 0x12, 0x20]), hash]))}`
}

const tid = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/
const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const [maxGraphemes, maxBytes] = [300, 3_000]
const maxBlob = 2_000_000

const requireValid = ({ text, facets = [] }: Post, rkey: string): void => {
  const invalid = (why: string) => new Refused('InvalidRequest', `Invalid app.bsky.feed.post record: ${why}`)
  if (!tid.test(rkey)) throw invalid('the record key is no TID')
  if (Buffer.byteLength(text) > maxBytes || [...new Intl.Segmenter().segment(text)].length > maxGraphemes) {
    throw invalid('Record/text must not be longer than 300 graphemes')
  }
  const bytes = Buffer.byteLength(text)
  if (facets.some(({ index: { byteStart, byteEnd } }) => byteEnd > bytes || byteStart >= byteEnd)) {
    throw invalid('a facet is outside of the text')
  }
}

/** The records of one account. */
class Records {
  readonly all: BlueskyPost[] = []
  readonly blobs: BlueskyBlob[] = []

  /** A blob is named by its bytes, with the code of raw data. */
  store (data: Buffer, mimeType: string): BlueskyBlob {
    const blob = { $type: 'blob' as const, ref: { $link: cid(0x55, data) }, mimeType, size: data.length, data }
    this.blobs.push(blob)
    return blob
  }

  find (rkey: string): BlueskyPost | undefined {
    return this.all.find((one) => one.rkey === rkey)
  }

  put (rkey: string, value: Post, swap: string | null | undefined): BlueskyPost {
    requireValid(value, rkey)
    for (const { image } of value.embed?.images ?? []) {
      if (!this.blobs.some(({ ref }) => ref.$link === image.ref.$link)) {
        throw new Refused('BlobNotFound', `Could not find blob: ${image.ref.$link}`)
      }
      if (image.size > maxBlob) throw new Refused('BlobTooLarge', `This file is too large. It is ${image.size} bytes`)
    }
    const [current, cid] = [this.find(rkey), cidOf(value)]
    if (current?.cid === cid) return current
    if (swap !== undefined && swap !== (current?.cid ?? null)) {
      throw new Refused('InvalidSwap', `Record was at ${current?.cid ?? null}`)
    }
    const post = { uri: `at://${did}/app.bsky.feed.post/${rkey}`, cid, rkey, value }
    if (current) Object.assign(current, post)
    else this.all.push(post)
    return post
  }

  remove (rkey: string): void {
    const at = this.all.findIndex((one) => one.rkey === rkey)
    if (at >= 0) this.all.splice(at, 1)
  }
}

const xrpc = (method: string): string => `/xrpc/com.atproto.${method}`
const commit = { cid: `b${base32(Buffer.from([1, 0x71, 0x12, 0x20, ...Buffer.alloc(32)]))}`, rev: '3l4n6tqfvks2b' }

interface Account { handle: string, password: string, token: string }

const addSessions = (app: FastifyInstance, { handle, password, token }: Account): void => {
  const session = { accessJwt: token, refreshJwt: `${token}.refresh`, handle, did, active: true }
  const Login = Type.Object({ identifier: Type.String(), password: Type.String() })
  app.withTypeProvider<TypeBoxTypeProvider>().post(xrpc('server.createSession'), { schema: { body: Login } },
    async ({ body }, reply) => [handle, did].includes(body.identifier) && body.password === password
      ? session
      : reply.code(401).send({ error: 'AuthenticationRequired', message: 'Invalid identifier or password' }))
  app.get(xrpc('server.getSession'), async () => ({ handle, did, active: true }))
}

const addReads = (app: FastifyInstance, store: Records): void => {
  app.withTypeProvider<TypeBoxTypeProvider>().get(xrpc('repo.getRecord'), { schema: { querystring: Key } },
    async ({ query: { rkey } }) => {
      const found = store.find(rkey)
      if (!found) throw new Refused('RecordNotFound', `Could not locate record: ${rkey}`)
      const { uri, cid, value } = found
      return { uri, cid, value }
    })
  app.get(xrpc('repo.listRecords'), async () =>
    ({ records: store.all.map(({ uri, cid, value }) => ({ uri, cid, value })) }))
}

const addBlobs = (app: FastifyInstance, store: Records): void => {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: 5 * maxBlob }, (_request, body, done) =>
    done(null, body))
  app.post(xrpc('repo.uploadBlob'), async ({ body, headers }) => {
    // The parser above makes a buffer of it.
    const { data: _, ...blob } = store.store(body as Buffer, headers['content-type'] ?? '')
    return { blob }
  })
}

const addWrites = (plain: FastifyInstance, store: Records): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  const answer = ({ uri, cid }: BlueskyPost) => ({ uri, cid, commit, validationStatus: 'valid' })
  app.post(xrpc('repo.putRecord'), { schema: { body: PutRecord } }, async ({ body: { rkey, record, swapRecord } }) =>
    answer(store.put(rkey, record, swapRecord)))
  app.post(xrpc('repo.createRecord'), { schema: { body: NewRecord } }, async ({ body: { rkey, record } }) =>
    answer(store.put(rkey ?? `3l${Date.now().toString().slice(-8).replace(/[0189]/g, 'a')}222`, record, undefined)))
  app.post(xrpc('repo.deleteRecord'), { schema: { body: Key } }, async ({ body: { rkey } }) => {
    store.remove(rkey)
    return { commit }
  })
}

const addRoutes = (app: FastifyInstance, store: Records, account: Account): void => {
  app.setErrorHandler((error, _request, reply) => error instanceof Refused
    ? reply.code(400).send({ error: error.code, message: error.message })
    : reply.code(400).send({ error: 'InvalidRequest', message: String(error) }))
  app.addHook('preHandler', async ({ headers, url }, reply) => {
    if (url === xrpc('server.createSession') || headers.authorization === `Bearer ${account.token}`) return
    return reply.code(401).send({ error: 'AuthenticationRequired', message: 'Authentication Required' })
  })
  addSessions(app, account)
  addReads(app, store)
  addWrites(app, store)
  addBlobs(app, store)
}

/** The posts of one account at a server of the AT Protocol, with an app password. */
export const startBluesky = async (handle: string, password: string): Promise<BlueskySite> => {
  const store = new Records()
  const control = await startSite((app) => addRoutes(app, store, { handle, password, token: 'sandbox.access.token' }))
  return { ...control, posts: store.all, blobs: store.blobs }
}
