import { Type, type Static } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { startSite, type SiteControl } from './site.js'

/** A post as the site stores it. */
export interface WordpressPost {
  id: number
  slug: string
  status: string
  title: string
  excerpt: string
  content: string
  modified_gmt: string
  categories: number[]
  author: number
  featured_media: number
  /** The address in the API's response, if a plugin of the site changes it. */
  link?: string
}

/** A file of the library. */
export interface WordpressMedia { id: number, slug: string, alt_text: string, mime_type: string, data: Buffer }

export interface WordpressSite extends SiteControl {
  posts: WordpressPost[]
  media: WordpressMedia[]
  /** Changes in the site's own editor. */
  edit: (id: number, change: Partial<WordpressPost>) => void
}

const Fields = Type.Object({
  title: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  excerpt: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  categories: Type.Optional(Type.Array(Type.Integer())),
  author: Type.Optional(Type.Integer()),
  featured_media: Type.Optional(Type.Integer())
})

/** What the site has beside its posts: ids by slug. */
const categories: Record<string, number> = { uncategorized: 1, news: 7, products: 9 }
const users: Record<string, number> = { editor: 1, ada: 4 }

const missing = { code: 'rest_post_invalid_id', message: 'Invalid post ID.', data: { status: 404 } }

/** The posts, and the site's own changes to them. */
class Posts {
  readonly all: WordpressPost[] = []
  #clock = Date.UTC(2026, 0, 1)

  add (fields: Static<typeof Fields>): WordpressPost {
    const { title = '', status = 'draft', excerpt = '', content = '', slug, ...terms } = fields
    const id = this.all.length + 1
    const free = this.#free(slug ?? String(id), id)
    const placed = { categories: [1], author: 1, featured_media: 0, ...terms }
    const post = { id, slug: free, status, title, excerpt, content, ...placed, modified_gmt: this.#now() }
    this.all.push(post)
    return post
  }

  find (id: number): WordpressPost | undefined {
    return this.all.find((one) => one.id === id)
  }

  change (post: WordpressPost, change: Static<typeof Fields>): void {
    const slug = this.#free(change.slug ?? post.slug, post.id)
    Object.assign(post, change, { slug, modified_gmt: this.#now() })
  }

  /** Times of the API are UTC without an offset, to the second. */
  #now (): string {
    this.#clock += 1_000
    return new Date(this.#clock).toISOString().slice(0, 19)
  }

  #free (slug: string, id: number): string {
    const taken = (slug: string) => this.all.some((post) => post.slug === slug && post.id !== id)
    let number = 2
    while (taken(`${slug}-${number}`)) number++
    return taken(slug) ? `${slug}-${number}` : slug
  }
}

const show = (post: WordpressPost) => ({
  ...post,
  link: post.link ?? `https://blog.example/${post.slug}/`,
  title: { raw: post.title, rendered: post.title },
  excerpt: { raw: post.excerpt, rendered: post.excerpt },
  content: { raw: post.content, rendered: post.content, protected: false }
})

const base = '/wp-json/wp/v2/posts'
const Query = Type.Object({ slug: Type.Optional(Type.String()), status: Type.Optional(Type.String()) })
const Params = Type.Object({ id: Type.Integer() })

const addRoutes = (plain: FastifyInstance, posts: Posts, authorization: string): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preHandler', async ({ headers }, reply) => {
    if (headers.authorization === authorization) return
    return reply.code(401).send({ code: 'rest_forbidden_context', message: 'Sorry', data: { status: 401 } })
  })
  app.get(base, { schema: { querystring: Query } }, async ({ query: { slug, status = 'publish' } }) =>
    posts.all.filter((post) => (slug === undefined || post.slug === slug) && status.split(',').includes(post.status))
      .map(show))
  app.post(base, { schema: { body: Fields } }, async ({ body }, reply) => reply.code(201).send(show(posts.add(body))))
  app.get(`${base}/:id`, { schema: { params: Params } }, async ({ params: { id } }, reply) => {
    const post = posts.find(id)
    return post ? show(post) : reply.code(404).send(missing)
  })
  app.post(`${base}/:id`, { schema: { params: Params, body: Fields } }, async ({ params: { id }, body }, reply) => {
    const post = posts.find(id)
    if (!post) return reply.code(404).send(missing)
    posts.change(post, body)
    return show(post)
  })
}

const NewMedia = Type.Object({
  slug: Type.Optional(Type.String()), alt_text: Type.Optional(Type.String()), title: Type.Optional(Type.String())
})

/** The library takes a file as the body of a request; its fields are in the address. */
const addMedia = (plain: FastifyInstance, files: WordpressMedia[]): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  const path = '/wp-json/wp/v2/media'
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.get(path, { schema: { querystring: Query } }, async ({ query: { slug } }) =>
    files.filter((one) => slug === undefined || one.slug === slug).map(({ data, ...shown }) => shown))
  app.post(path, { schema: { querystring: NewMedia } }, async ({ query, body, headers }, reply) => {
    if (!Buffer.isBuffer(body) || !/filename="[^"]+"/.test(headers['content-disposition'] ?? '')) {
      return reply.code(400).send({ code: 'rest_upload_no_data', message: 'No data supplied.', data: { status: 400 } })
    }
    const { slug = '', alt_text: alt = '' } = query
    const file = { id: 100 + files.length, slug, alt_text: alt, mime_type: headers['content-type'] ?? '', data: body }
    files.push(file)
    const { data, ...shown } = file
    return reply.code(201).send(shown)
  })
}

/** Lists of what has a slug. */
const addNamed = (plain: FastifyInstance): void => {
  const app = plain.withTypeProvider<TypeBoxTypeProvider>()
  for (const [path, known] of [['categories', categories], ['users', users]] as const) {
    app.get(`/wp-json/wp/v2/${path}`, { schema: { querystring: Query } }, async ({ query: { slug } }) =>
      Object.entries(known).filter(([name]) => slug === undefined || slug.split(',').includes(name))
        .map(([name, id]) => ({ id, slug: name, name })))
  }
}

/** The posts of WordPress's REST API (wp/v2), for one user with an application password. */
export const startWordpress = async (username: string, password: string): Promise<WordpressSite> => {
  const posts = new Posts()
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const media: WordpressMedia[] = []
  const control = await startSite((app) => {
    addRoutes(app, posts, authorization)
    addNamed(app)
    addMedia(app, media)
  })
  const edit = (id: number, change: Partial<WordpressPost>) => {
    const post = posts.find(id)
    if (post) posts.change(post, change)
  }
  return { ...control, posts: posts.all, media, edit }
}
