import { randomBytes } from 'node:crypto'
import { imageSize } from 'image-size'
import t from '../../tap.js'
import { startGhost, startWordpress } from 'steward-sandbox/sites'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, approve, makeContent, makeOpenProject, missing } from './actors.js'
import { gif, jpeg, makePng, photo, png, textChunk, webp } from './image-bytes.js'

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, remove, json } = actor(app)
const password = 'abcd EFGH 1234 ijkl MNOP 5678'
const key = `${'a1'.repeat(12)}:${'0f'.repeat(32)}`
const [wordpress, ghost] = await Promise.all([startWordpress('editor', password), startGhost(key)])
t.teardown(() => Promise.all([wordpress.close(), ghost.close()]))

const project = await makeOpenProject(app, 'Images', {
  min_score: 0,
  publish_targets: [
    { kind: 'feed', name: 'Feed', config: { public: true } },
    { kind: 'wordpress', name: 'Blog', config: { url: wordpress.url, username: 'editor' }, secret: password },
    { kind: 'ghost', name: 'News', config: { url: ghost.url }, secret: key }
  ]
})
const add = (data: string, more: object = {}) => post('/images', { project_id: project, data, ...more })
const pathOf = (url: string): string => new URL(url).pathname
const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url: pathOf(url), headers })

t.test('an image is what its bytes are, with the size that they say, and the same bytes are one', async (t) => {
  const made = await add(png)
  t.match([made.statusCode, made.json()], [201, {
    project_id: project, media_type: 'image/png', width: 1, height: 1, size: 70, url: /\/content\/images\/[\da-f-]{36}\.png$/
  }])
  t.equal(made.headers.location, made.json().url)
  t.equal((await add(png)).json().id, made.json().id)
  t.match((await add(gif)).json(), { media_type: 'image/gif', width: 2, height: 3, url: /\.gif$/ })
})

t.test('what is no image is refused by its content', async (t) => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const [data, status, code, why] of [
    [base64('<!doctype html><img src=x>'), 422, 'image_unreadable', 'no_image'],
    [base64(svg), 422, 'image_unreadable', 'no_image'],
    [Buffer.from(png, 'base64').subarray(0, 10).toString('base64'), 422, 'image_unreadable', 'image_broken'],
    ['no base64!', 422, 'image_unreadable', 'not_base64'],
    [Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(5 * 1_048_576)]).toString('base64'), 422,
      'image_too_large', 'image_too_large']
  ] as const) {
    t.match((await add(data)).json(), { status, code, errors: [{ pointer: '/data', code: why }] }, why)
  }
  t.match((await add(png, { project_id: missing })).json(), { status: 404, code: 'not_found' })
})

t.test('strangers see an image from when a text that has it is published, and every src leads to one', async (t) => {
  const { url } = (await add(png)).json()
  const hidden = (await add(gif)).json().url
  t.equal((await open(url)).statusCode, 401, 'nobody but people of the workspace')
  t.equal((await open(url.replace(/[\da-f]{12}\.png/, '000000000000.png'))).statusCode, 401, 'nor whether it is there')
  const own = await open(url, asAdmin)
  t.match([own.statusCode, own.headers['content-type'], own.headers['cache-control']],
    [200, 'image/png', 'private, no-cache'])
  t.equal((await open(url.replace('.png', '.svg'), asAdmin)).statusCode, 404)

  const body_markdown = `A tap: ![One tap](${url})`
  const blind = await makeContent(app, project, { title: 'Blind', body_markdown: `A tap: ![](${url})` })
  await post(`/${blind.id}/transitions`, { to: 'in_review' })
  t.match((await post(`/${blind.id}/transitions`, { to: 'approved' })).json(), { code: 'content_checks_failed' },
    'an image without a text is not approved')

  const { id, slug } = await makeContent(app, project, {
    title: 'Seen', body_markdown, media: [{ url, alt: 'One tap', width: 1, height: 1 }]
  })
  for (const { problems } of (await json(`/${id}/renderings`)).items) t.same(problems, [])
  t.equal((await open(url)).statusCode, 401, 'a preview publishes nothing')
  await approve(app, id)
  await post(`/${id}/publish`)
  for (const { id: publication_id } of (await json(`/${id}/publications`)).items) {
    await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
  }
  await app.jobs.drain()
  t.same((await json(`/${id}/publications`)).items.map(({ state }: { state: string }) => state),
    ['succeeded', 'succeeded', 'succeeded'])

  const pages = [
    JSON.parse((await app.inject({ url: `/content/feeds/${project}.json` })).payload).items[0].content_html,
    wordpress.posts.find((one) => one.slug === slug)?.content,
    ghost.posts.find((one) => one.slug === slug)?.html
  ]
  for (const page of pages) {
    const sources = [...String(page).matchAll(/<img src="([^"]+)" alt="One tap">/g)].map(([, src = '']) => src)
    t.same(sources, [url])
    for (const source of sources) {
      const seen = await open(source)
      t.match([seen.statusCode, seen.headers['content-type'], seen.headers['x-content-type-options']],
        [200, 'image/png', 'nosniff'])
      t.equal(seen.rawPayload.toString('base64'), png)
    }
  }
  t.match(wordpress.media, [{ alt_text: 'One tap', mime_type: 'image/png' }], 'the featured image, from the store')
  t.equal((await open(hidden)).statusCode, 401, 'other images stay hidden')
})

t.test('what nobody sees of a photo is not stored: place, camera, comments, what is behind its end', async (t) => {
  const made = await add(photo().toString('base64'))
  t.match([made.statusCode, made.json()], [201, { media_type: 'image/jpeg', width: 6, height: 8 }],
    'turned by a quarter, as browsers show it')
  const { rawPayload: kept } = await open(made.json().url, asAdmin)
  t.equal(made.json().size, kept.length)
  for (const word of ['GPS', 'Photoshop', 'script', 'by-line', '<html']) t.notOk(kept.includes(word), word)
  t.match(kept.subarray(0, 12).toString('latin1'), /^\xff\xd8\xff\xe1..Exif\0\0$/s, 'how to turn it is left')
  t.equal(kept.at(-1), 0xd9)
  const upright = (await add(photo(1).toString('base64'))).json()
  t.match(upright, { width: 8, height: 6 })
  t.notOk((await open(upright.url, asAdmin)).rawPayload.includes('Exif'))

  const noted = makePng(2, 1, [textChunk('Comment\0<script>alert(1)</script>')])
  const polyglot = Buffer.concat([noted, Buffer.from('PK\x03\x04 and <html><script>alert(2)</script>')])
  const png2 = (await add(polyglot.toString('base64'))).json()
  t.same((await open(png2.url, asAdmin)).rawPayload, makePng(2, 1))
  t.equal((await open((await add(webp)).json().url, asAdmin)).rawPayload.toString('base64'), webp)
})

t.test('a small file that claims a huge size, or ends before its end, is refused', async (t) => {
  for (const [data, code, why] of [
    [makePng(30_000, 30_000), 'image_too_large', 'image_too_wide'],
    [makePng(16_385, 1), 'image_too_large', 'image_too_wide'],
    [makePng(8_000, 8_000), 'image_too_large', 'image_too_wide'],
    [makePng(2, 2).subarray(0, 50), 'image_unreadable', 'image_broken'],
    [Buffer.concat([Buffer.from(gif, 'base64').subarray(0, 20), Buffer.from([7])]), 'image_unreadable', 'image_broken']
  ] as const) {
    t.match((await add(data.toString('base64'))).json(), { code, errors: [{ pointer: '/data', code: why }] }, why)
  }
})

t.test('an image whose pixels are not what its header says, or that ends too early, is refused', async (t) => {
  const whole = makePng(400, 300, [], randomBytes(120_000))
  const cut = Buffer.from(jpeg, 'base64').subarray(0, -60)
  const short = Buffer.from(webp, 'base64').subarray(0, -30)
  const more = Buffer.from(gif, 'base64')
  // The frame is larger than the screen that the header names.
  more.writeUInt16LE(9_000, 25)
  more.writeUInt16LE(9_000, 27)
  for (const [what, data, why] of [
    ['10 × 10 that unpacks to 4,000 × 10,000', makePng(10, 10, [], undefined, Buffer.alloc(4_001 * 10_000)),
      'image_size_differs'],
    ['fewer rows', makePng(10, 10, [], undefined, Buffer.alloc(11 * 9)), 'image_size_differs'],
    ['damaged', Buffer.concat([whole.subarray(0, 500), Buffer.alloc(64, 7), whole.subarray(564)]), 'image_broken'],
    ['a JPEG without its head', cut, 'image_broken'],
    ['a JPEG without its end', Buffer.from(jpeg, 'base64').subarray(0, -6), 'image_broken'],
    ['a WebP without its end', short, 'image_broken'],
    ['a GIF with a larger frame', more, /image_/]
  ] as const) {
    t.match((await add(data.toString('base64'))).json(), {
      status: 422, code: 'image_unreadable', errors: [{ pointer: '/data', code: why }]
    }, what)
  }
})

t.test('an image is had in the widths below its own, and nobody makes others', async (t) => {
  const made = (await add(makePng(700, 350, [], randomBytes(245_000)).toString('base64'))).json()
  t.same(made.sizes, [320, 640].map((width) => ({ width, url: `${made.url}?width=${width}` })))
  const scaled = async (width: number) => app.inject({ url: `${pathOf(made.url)}?width=${width}`, headers: asAdmin })
  const whole = await open(made.url, asAdmin)
  for (const width of [320, 640]) {
    const answer = await scaled(width)
    t.match([answer.statusCode, answer.headers['content-type']], [200, 'image/png'])
    t.same(imageSize(answer.rawPayload), { width, height: width / 2, type: 'png' })
    t.not(answer.headers.etag, whole.headers.etag)
    t.same((await scaled(width)).rawPayload, answer.rawPayload)
  }
  t.same((await scaled(960)).rawPayload, whole.rawPayload, 'it is narrower, and stays as it is')
  t.match((await scaled(321)).json(), { status: 400 })
  t.equal((await app.inject({ url: `${pathOf(made.url)}?width=320` })).statusCode, 401, 'strangers see no size either')

  const turned = (await add(photo().toString('base64'))).json()
  t.same([turned.width, turned.height, turned.sizes], [6, 8, []])
})

t.test('images are listed, newest first, and one goes unless a version has it', async (t) => {
  const own = await makeOpenProject(app, 'Listed')
  const ids: string[] = []
  for (const data of [png, gif, webp]) ids.unshift((await add(data, { project_id: own })).json().id)
  const first = await json(`/images?project_id=${own}&limit=2`)
  t.same(first.items.map(({ id }: { id: string }) => id), ids.slice(0, 2))
  t.match(first.items[0], { media_type: 'image/webp', width: 8, height: 6, is_public: false, project_id: own })
  const rest = await json(`/images?project_id=${own}&limit=2&cursor=${first.next_cursor}`)
  t.same([rest.items.map(({ id }: { id: string }) => id), rest.next_cursor], [ids.slice(2), null])

  const [used, free] = first.items
  const record = await makeContent(app, own, { title: 'Uses it', body_markdown: `![A](${used.url})` })
  await actor(app).put(`/${record.id}`, { title: 'Uses it no more', body_markdown: 'Nothing.' })
  t.match((await remove(`/images/${used.id}`)).json(), {
    status: 409,
    code: 'image_in_use',
    uses: [{ content_id: record.id, title: 'Uses it no more', version: 1, deleted: false }]
  }, 'the first version may be shown again')
  t.equal((await remove(`/images/${free.id}`)).statusCode, 204)
  t.equal((await open(free.url, asAdmin)).statusCode, 404)
  t.match((await remove(`/images/${missing}`)).json(), { status: 404 })
})

t.test('an image is open for as long as a text with it is live anywhere, and closed after', async (t) => {
  const { url } = (await add(photo(3).toString('base64'))).json()
  const publishOf = async (id: string, path: 'publish' | 'unpublish', input: object = {}) => {
    await post(`/${id}/${path}`, input)
    for (const { id: publication_id } of (await json(`/${id}/publications`)).items) {
      await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
    }
    await app.jobs.drain()
  }
  const status = async () => (await open(url)).statusCode
  const records: string[] = []
  for (const title of ['One with it', 'Another with it']) {
    const { id } = await makeContent(app, project, { title, body_markdown: `![It](${url}) ${title}` })
    await approve(app, id)
    records.push(id)
  }
  const [one = '', other = ''] = records
  await publishOf(one, 'publish')
  t.equal(await status(), 200)
  t.equal((await open(url)).headers['cache-control'], 'public, max-age=300', 'caches forget it soon')
  const { etag } = (await open(url)).headers
  t.equal((await open(url, { 'if-none-match': String(etag) })).statusCode, 304)
  await publishOf(other, 'publish')
  await publishOf(one, 'unpublish')
  t.equal(await status(), 200, 'the other text has it')

  const { publish_targets: targets } = await json(`/brands/${project}`)
  await publishOf(other, 'unpublish', { targets: targets.slice(1).map((one: { target_id: string }) => one.target_id) })
  t.equal(await status(), 200, 'the feed has it')
  await actor(app).put(`/${other}`, { title: 'Another', body_markdown: 'It has no image now, and says so at length.' })
  await approve(app, other)
  await publishOf(other, 'publish')
  t.equal(await status(), 401, 'the next version is live, and has it no more')

  wordpress.refuse(400, 1)
  await publishOf(one, 'publish', { targets: [targets[1].target_id] })
  t.equal((await json(`/${one}/publications`)).items[0].state, 'failed')
  t.equal(await status(), 401, 'what was refused shows nothing')
})

t.test('an image of another project is named in the preview: readers would not see it', async (t) => {
  const other = await makeOpenProject(app, 'Other')
  const { url } = (await add(png, { project_id: other })).json()
  const { id } = await makeContent(app, project, { title: 'Strange', body_markdown: `![It](${url})` })
  const address = url.replace(/\.png$/, '')
  for (const { problems } of (await json(`/${id}/renderings`)).items) {
    t.match(problems, [{ code: 'dead_link', part: 'images', address }])
  }
})

t.test('a viewer adds none, and removes none', async (t) => {
  const { headers } = await makePerson(app, 'Vera', 'viewer')
  t.match((await actor(app, headers).remove(`/images/${missing}`)).json(), { status: 403 })
  t.match((await actor(app, headers).post('/images', { project_id: project, data: png })).json(), { status: 403 })
  t.equal((await get('/images/none.png')).statusCode, 404)
})
