import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { isRecord } from '../anthropic/validate/shape.js'
import { startSite, type SiteControl } from './site.js'

const Text = Type.Union([Type.String(), Type.Null()])
const Post = Type.Object({
  title: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  html: Type.Optional(Text),
  custom_excerpt: Type.Optional(Text),
  meta_title: Type.Optional(Text),
  meta_description: Type.Optional(Text),
  canonical_url: Type.Optional(Text),
  codeinjection_head: Type.Optional(Text),
  status: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String())
})
const Posts = Type.Object({ posts: Type.Array(Post, { minItems: 1, maxItems: 1 }) })

export type GhostPost = Static<typeof Post> & { id: string, slug: string, updated_at: string, status: string }

export interface GhostSite extends SiteControl {
  posts: GhostPost[]
  /** Changes in the site's own editor. */
  edit: (id: string, change: Partial<GhostPost>) => void
}

const decode = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** As Ghost does: the key's id as kid, HS256 by its secret, for /admin/, no older than five minutes. */
const isAllowed = (header: string | undefined, key: string): boolean => {
  const [id = '', secret = ''] = key.split(':')
  const [head = '', claims = '', signature = ''] = (header ?? '').replace(/^Ghost /, '').split('.')
  const [first, second] = [decode(head), decode(claims)]
  if (!header?.startsWith('Ghost ') || !isRecord(first) || !isRecord(second)) return false
  const own = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  const now = Date.now() / 1000
  return first.alg === 'HS256' && first.kid === id && second.aud === '/admin/' && Number(second.exp) > now &&
    Number(second.exp) - Number(second.iat) <= 300 && given.length === own.length && timingSafeEqual(given, own)
}

const problem = (type: string, message: string) => ({ errors: [{ type, message, code: null }] })

const missing = problem('NotFoundError', 'Resource not found error, cannot read post.')
const collision = problem('UpdateCollisionError', 'Saving failed! Someone else is editing this post.')

const card = /(<!--kg-card-begin: html-->[^]*?<!--kg-card-end: html-->)/

/** With source=html, Ghost makes its own document of the HTML: only HTML cards keep ids. */
const convert = (html: string): string => html.split(card)
  .map((part) => part.startsWith('<!--kg-card-begin') ? part : part.replace(/(<[^>]*?) id="[^"]*"/g, '$1')).join('')

const converted = ({ html }: Static<typeof Post>) => typeof html === 'string' ? { html: convert(html) } : {}

/** The posts, and the site's own changes to them. */
class Store {
  readonly all: GhostPost[] = []
  #clock = Date.UTC(2026, 0, 1)

  add (input: Static<typeof Post> = {}): GhostPost {
    const id = randomBytes(12).toString('hex')
    const slug = input.slug ?? id
    const taken = this.all.filter((post) => post.slug === slug || post.slug.startsWith(`${slug}-`)).length
    const free = taken === 0 ? slug : `${slug}-${taken + 1}`
    const post = { status: 'draft', ...input, ...converted(input), id, slug: free, updated_at: this.#now() }
    this.all.push(post)
    return post
  }

  change (post: GhostPost, input: Partial<GhostPost> = {}): void {
    Object.assign(post, input, converted(input), { updated_at: this.#now() })
  }

  #now (): string {
    this.#clock += 1_000
    return new Date(this.#clock).toISOString()
  }
}

const show = (post: GhostPost) => ({ posts: [{ ...post, url: `https://ghost.example/${post.slug}/` }] })

const base = '/ghost/api/admin/posts'
const Params = Type.Object({ id: Type.String() })

const addReads = (app: FastifyInstance, { all }: Store): void => {
  const answer = (post: GhostPost | undefined) =>
    post ? { status: 200, body: show(post) } : { status: 404, body: missing }
  app.get<{ Params: { id: string } }>(`${base}/:id/`, async ({ params: { id } }, reply) => {
    const { status, body } = answer(all.find((post) => post.id === id))
    return reply.code(status).send(body)
  })
  app.get<{ Params: { slug: string } }>(`${base}/slug/:slug/`, async ({ params: { slug } }, reply) => {
    const { status, body } = answer(all.find((post) => post.slug === slug))
    return reply.code(status).send(body)
  })
}

const addRoutes = (plain: FastifyInstance, store: Store, key: string): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preHandler', async ({ headers }, reply) => {
    if (isAllowed(headers.authorization, key)) return
    return reply.code(401).send(problem('UnauthorizedError', 'Invalid token'))
  })
  addReads(plain, store)
  app.post(`${base}/`, { schema: { body: Posts } }, async ({ body: { posts: [input] } }, reply) =>
    reply.code(201).send(show(store.add(input))))
  app.put(`${base}/:id/`, { schema: { params: Params, body: Posts } }, async ({ params, body }, reply) => {
    const post = store.all.find(({ id }) => id === params.id)
    const [input] = body.posts
    if (!post) return reply.code(404).send(missing)
    if (input?.updated_at !== post.updated_at) return reply.code(409).send(collision)
    store.change(post, input)
    return show(post)
  })
}

/** The posts of Ghost's Admin API, for one integration's key. */
export const startGhost = async (key: string): Promise<GhostSite> => {
  const store = new Store()
  const control = await startSite((app) => addRoutes(app, store, key))
  const edit = (id: string, change: Partial<GhostPost>) => {
    const post = store.all.find((one) => one.id === id)
    if (post) store.change(post, change)
  }
  return { ...control, posts: store.all, edit }
}
