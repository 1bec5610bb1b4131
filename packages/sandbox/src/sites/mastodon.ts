import { Type, type Static } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { startSite, type SiteControl } from './site.js'

const NewStatus = Type.Object({
  media_ids: Type.Optional(Type.Array(Type.String())),
  status: Type.Optional(Type.String()),
  in_reply_to_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  language: Type.Optional(Type.String()),
  visibility: Type.Optional(Type.Union(['public', 'unlisted', 'private', 'direct'].map((word) => Type.Literal(word))))
})

/** An attachment, with its bytes. */
export interface MastodonMedia {
  id: string
  description: string | null
  mime_type: string
  data: Buffer
  polls: number
}

/** A status as the instance stores it. */
export interface MastodonStatus {
  media: MastodonMedia[]
  id: string
  text: string
  in_reply_to_id: string | null
  language: string | null
  visibility: string
}

export interface MastodonSite extends SiteControl {
  statuses: MastodonStatus[]
  /** How often an attachment says that it is still being worked on. */
  processing: (polls: number) => void
  /** The token is one no more. */
  revoke: () => void
  /** An hour later: the instance recognizes no key any more. */
  forgetKeys: () => void
}

const maxCharacters = 500
/** Every address counts as so many characters, however long it is. */
const urlCharacters = 23

/** As StatusLengthValidator: of an address so many characters, and of a handle not its domain. */
const lengthOf = (text: string): number => {
  const countable = text.replace(/https?:\/\/[^\s]*[^\s.,;:!?)\]]/g, 'x'.repeat(urlCharacters))
    .replace(/(^|[^/\w])@([a-z0-9_]+)@[\w.-]+\w/gi, '$1@$2')
  return [...new Intl.Segmenter().segment(countable)].length
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const account = {
  id: '1', username: 'editor', acct: 'editor', display_name: 'Editor', url: 'https://social.example/@editor', bot: false
}

const showMedia = ({ id, description, polls }: MastodonMedia) => {
  const url = polls > 0 ? null : `https://social.example/media/${id}`
  return { id, type: 'image', url, preview_url: url, remote_url: null, description, meta: {}, blurhash: null }
}

const show = ({ id, text, media, ...rest }: MastodonStatus) => ({
  id,
  ...rest,
  created_at: new Date(0).toISOString(),
  uri: `https://social.example/users/editor/statuses/${id}`,
  url: `https://social.example/@editor/${id}`,
  content: `<p>${escapeHtml(text)}</p>`,
  account,
  media_attachments: media.map(showMedia),
  mentions: [],
  tags: [],
  emojis: [],
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  sensitive: false,
  spoiler_text: ''
})

/** The statuses, and the keys that are remembered. */
class Statuses {
  readonly all: MastodonStatus[] = []
  readonly keys = new Map<string, MastodonStatus>()
  readonly media: MastodonMedia[] = []
  processing = 0
  isRevoked = false
  #next = 110_000

  add (input: Static<typeof NewStatus>, key: string | undefined): MastodonStatus {
    const status = {
      id: String(this.#next++),
      text: input.status ?? '',
      media: this.media.filter(({ id }) => input.media_ids?.includes(id)),
      in_reply_to_id: input.in_reply_to_id ?? null,
      language: input.language ?? null,
      visibility: String(input.visibility ?? 'public')
    }
    this.all.push(status)
    if (key !== undefined) this.keys.set(key, status)
    return status
  }

  remove (id: string): MastodonStatus | undefined {
    const at = this.all.findIndex((one) => one.id === id)
    return at < 0 ? undefined : this.all.splice(at, 1)[0]
  }
}

const missing = { error: 'Record not found' }
const Params = Type.Object({ id: Type.String() })

const whyInvalid = (text: string): string | undefined => {
  if (text.trim() === '') return 'Validation failed: Text can\'t be blank'
  return lengthOf(text) > maxCharacters ? 'Validation failed: Text character limit of 500 exceeded' : undefined
}

const maxMedia = 16_000_000
const maxAttached = 4

/** What a form has: one file, and fields. Its parts are separated as the header says. */
const readForm = (body: Buffer, contentType: string):
{ file?: Pick<MastodonMedia, 'data' | 'mime_type'>, description?: string } => {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? ''
  // Latin-1 has one character for each byte, and the text has none of its own outside of the parts.
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return Object.assign({}, ...parts.map((part) => {
    const at = part.indexOf('\r\n\r\n')
    const [head, data] = [part.slice(0, at), Buffer.from(part.slice(at + 4, -2), 'latin1')]
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? ''
    return name === 'file'
      ? { file: { data, mime_type: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? '' } }
      : { [name]: data.toString() }
  }))
}

const addMedia = (app: FastifyInstance, store: Statuses): void => {
  app.addContentTypeParser(/^multipart\/form-data/, { parseAs: 'buffer', bodyLimit: 2 * maxMedia },
    (_request, body, done) => done(null, body))
  app.post('/api/v2/media', async ({ body, headers }, reply) => {
    // The parser above makes a buffer of it.
    const { file, description = null } = readForm(body as Buffer, headers['content-type'] ?? '')
    if (!file || !/^image\/(?:png|jpeg|gif|webp)$/.test(file.mime_type)) {
      return reply.code(422).send({ error: 'Validation failed: File content type is invalid' })
    }
    const invalid = (why: string) => reply.code(422).send({ error: `Validation failed: ${why}` })
    if (file.data.length > maxMedia) return invalid('File file size is too large')
    if ((description ?? '').length > 1_500) return invalid('Description is too long')
    const made = { id: String(900 + store.media.length), description, ...file, polls: store.processing }
    store.media.push(made)
    return reply.code(made.polls > 0 ? 202 : 200).send(showMedia(made))
  })
  app.get<{ Params: { id: string } }>('/api/v1/media/:id', async ({ params: { id } }, reply) => {
    const found = store.media.find((one) => one.id === id)
    if (!found) return reply.code(404).send(missing)
    if (found.polls > 0) found.polls--
    return reply.code(found.polls > 0 ? 206 : 200).send(showMedia(found))
  })
}

const whyUnattachable = (store: Statuses, ids: readonly string[]): string | undefined => {
  if (ids.length > maxAttached) return `Validation failed: Cannot attach more than ${maxAttached} files`
  const found = ids.map((one) => store.media.find(({ id }) => id === one))
  if (found.some((one) => one === undefined)) return 'Validation failed: Media not found'
  const isBusy = found.some((one) => one && one.polls > 0)
  return isBusy ? 'Cannot attach files that have not finished processing. Try again in a moment!' : undefined
}

const addPosting = (app: FastifyInstance, store: Statuses): void => {
  app.withTypeProvider<TypeBoxTypeProvider>().post('/api/v1/statuses', { schema: { body: NewStatus } },
    async ({ body, headers }, reply) => {
      const key = headers['idempotency-key']?.toString()
      const known = key === undefined ? undefined : store.keys.get(key)
      if (known) return show(known)
      const ids = body.media_ids ?? []
      const { status = '' } = body
      // An image may stand without a text.
      const needsText = ids.length === 0 || status !== ''
      const error = whyUnattachable(store, ids) ?? (needsText ? whyInvalid(status) : undefined)
      if (error !== undefined) return reply.code(422).send({ error })
      const { in_reply_to_id: parent = null } = body
      if (parent !== null && !store.all.some(({ id }) => id === parent)) {
        return reply.code(404).send({ error: 'The post you are trying to reply to does not appear to exist.' })
      }
      return show(store.add(body, key))
    })
}

const addRoutes = (plain: FastifyInstance, store: Statuses, token: string): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preHandler', async ({ headers }, reply) => {
    if (headers.authorization === `Bearer ${token}` && !store.isRevoked) return
    return reply.code(401).send({ error: 'The access token is invalid' })
  })
  addPosting(plain, store)
  addMedia(plain, store)
  app.get('/api/v1/accounts/verify_credentials', async () => account)
  app.get('/api/v1/accounts/:id/statuses', { schema: { params: Params } }, async () => store.all.toReversed().map(show))
  app.get('/api/v1/statuses/:id', { schema: { params: Params } }, async ({ params: { id } }, reply) => {
    const found = store.all.find((one) => one.id === id)
    return found ? show(found) : reply.code(404).send(missing)
  })
  app.delete('/api/v1/statuses/:id', { schema: { params: Params } }, async ({ params: { id } }, reply) => {
    const removed = store.remove(id)
    return removed ? { ...show(removed), text: removed.text } : reply.code(404).send(missing)
  })
}

/** The statuses of Mastodon's client API, for one account with an access token. */
export const startMastodon = async (token: string): Promise<MastodonSite> => {
  const store = new Statuses()
  const control = await startSite((app) => addRoutes(app, store, token))
  return {
    ...control,
    statuses: store.all,
    forgetKeys: () => store.keys.clear(),
    processing: (polls) => { store.processing = polls },
    revoke: () => { store.isRevoked = true }
  }
}
