import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { startWordpress } from 'steward-sandbox/sites'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, publisherOf } from './actors.js'

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { post, put } = actor(app)
const password = 'abcd EFGH 1234 ijkl MNOP 5678'
const wordpress = await startWordpress('editor', password)
t.teardown(() => wordpress.close())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
/** A server of images: one, and a page that says it is one. */
const images = createServer((request, response) => {
  if (request.url === '/tap.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  if (request.url === '/page.png') return response.writeHead(200, { 'content-type': 'image/png' }).end('<html>')
  response.writeHead(404).end()
})
await new Promise<void>((resolve) => { images.listen(0, '127.0.0.1', resolve) })
t.teardown(() => images.close())
// A TCP server that listens has an AddressInfo.
const origin = `http://127.0.0.1:${(images.address() as AddressInfo).port}`

const target = (config: object) => ({
  kind: 'wordpress', name: 'Blog', config: { url: wordpress.url, username: 'editor', ...config }, secret: password
})
const publish = async (title: string, config: object, more: object = {}) => {
  const project = await makeOpenProject(app, title, { publish_targets: [target(config)], min_score: 0 })
  const { id, slug } = await makeContent(app, project, { title, ...more })
  await approve(app, id)
  const send = async (input: object = {}) => {
    await post(`/${id}/publish`, input)
    await work(id)
  }
  await send()
  return { id, send, newest: () => newest(id), at: () => wordpress.posts.find((one) => one.slug === slug) }
}
const { work, newest } = publisherOf(app)

t.test('a post is in its categories, by its author, with the first image of the record as its own', async (t) => {
  const media = [{ url: `${origin}/tap.png`, alt: 'One tap' }]
  const placed = await publish('Placed', { categories: ['products', 'news'], author: 'ada' }, { media })
  t.match(await placed.newest(), { state: 'succeeded' })
  t.match(placed.at(), { status: 'publish', categories: [9, 7], author: 4, featured_media: wordpress.media[0]?.id })
  const [kept] = wordpress.media
  t.match(kept, { alt_text: 'One tap', mime_type: 'image/png', slug: /^steward-[0-9a-f]{24}$/ })
  t.same(kept?.data, png)

  await put(`/${placed.id}`, { title: 'Placed', body_markdown: 'Another text about it.', media })
  await approve(app, placed.id)
  wordpress.loseAnswers(1)
  await placed.send()
  t.match(await placed.newest(), { state: 'unknown' })
  await work(placed.id)
  t.match(await placed.newest(), { state: 'succeeded' })
  t.equal(wordpress.media.length, 1, 'the same bytes are in the library once')
})

t.test('what the site does not have is named, and nothing is posted', async (t) => {
  for (const [title, config, error] of [
    ['Nowhere', { categories: ['news', 'nowhere'] }, 'category_not_found'],
    ['Nobody', { author: 'eve' }, 'author_not_found']
  ] as const) {
    const made = await publish(title, config)
    t.match(await made.newest(), { state: 'failed', error })
    t.equal(made.at(), undefined)
  }
  for (const [title, path, error] of [
    ['Page', 'page.png', 'image_unreadable'], ['Missing', 'none.png', 'image_not_found']
  ] as const) {
    const made = await publish(title, {}, { media: [{ url: `${origin}/${path}`, alt: 'An image' }] })
    t.match(await made.newest(), { state: 'failed', error })
    t.equal(made.at(), undefined)
  }
})

t.test('a draft is made once, and stays public when an editor of the site has published it', async (t) => {
  const project = await makeOpenProject(app, 'Draft', { publish_targets: [target({ draft: true })], min_score: 0 })
  const { id } = await makeContent(app, project, { title: 'Drafted' })
  await approve(app, id)
  wordpress.loseAnswers(1)
  await post(`/${id}/publish`)
  await work(id)
  await work(id)
  t.match(await newest(id), { state: 'succeeded' })
  const at = () => wordpress.posts.filter(({ slug }) => slug.startsWith('drafted'))
  t.match(at(), [{ status: 'draft' }])
  t.equal(at().length, 1, 'the lost answer made no second one')

  wordpress.edit(at()[0]?.id ?? 0, { status: 'publish' })
  await put(`/${id}`, { title: 'Drafted', body_markdown: 'The next text.' })
  await approve(app, id)
  await post(`/${id}/publish`, { overwrite: true })
  await work(id)
  t.match(at(), [{ status: 'publish', content: /The next text/ }])
})
