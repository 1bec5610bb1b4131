import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import t from '../../tap.js'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { parse } from 'yaml'
import { startGhost, startWordpress } from 'steward-sandbox/sites'
import { buildApp } from '../../app.js'
import { actor as codehostActor } from '../codehost/actors.js'
import { actor, approve, makeContent, makeOpenProject, secret } from './actors.js'
import { webp } from './image-bytes.js'
import { startReceiver } from './receiver.js'
import { deadLinks, everyLink } from './renderings.js'

const receiver = await startReceiver(t)
const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, json } = actor(app)
const repository = codehostActor(app)

const password = 'abcd EFGH 1234 ijkl MNOP 5678'
const key = `${'a1'.repeat(12)}:${'0f'.repeat(32)}`
const [wordpress, ghost] = await Promise.all([startWordpress('editor', password), startGhost(key)])
t.teardown(() => Promise.all([wordpress.close(), ghost.close()]))

const targets = [
  { kind: 'feed', name: 'Feed', config: { site_url: 'https://larkspur.example/news' } },
  { kind: 'git_pr', name: 'Git', config: { repo_id: '7001', path_template: 'site/{slug}.md' } },
  { kind: 'wordpress', name: 'Blog', config: { url: wordpress.url, username: 'editor' }, secret: password },
  { kind: 'ghost', name: 'News', config: { url: ghost.url }, secret: key },
  { kind: 'webhook', name: 'Hook', config: { url: `${receiver.url}/hook` }, secret }
]
const project = await makeOpenProject(app, 'Renderings', {
  publish_targets: targets, min_score: 0, seo: { canonical_base: 'https://larkspur.example/blog' }
})

const publish = async (id: string) => {
  const answer = await post(`/${id}/publish`)
  t.equal(answer.statusCode, 202, answer.payload)
  for (const { id: publication_id } of (await json(`/${id}/publications`)).items) {
    await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
  }
  await app.jobs.drain()
}

const fileOf = async (slug: string, id: string): Promise<string> => {
  const query = new URLSearchParams({ path: `site/${slug}.md`, ref: `content/${slug}-${id.slice(-8)}` })
  return (await repository.json(`/repos/7001/contents?${query}`)).text
}

/** @returns all items of the three formats, each as one page */
const feedPages = async (where = project): Promise<string[]> => {
  const [rss = '', atom = '', feed = ''] = await Promise.all(['xml', 'atom', 'json'].map(async (format) =>
    (await get(`/feeds/${where}.${format}`)).payload))
  const cdata = (text: string) => [...text.matchAll(/<content[^>]*><!\[CDATA\[([^]*?)\]\]>/g)].map(([, html]) => html)
  const items = JSON.parse(feed).items as { content_html: string }[]
  return [cdata(rss).join('\n'), cdata(atom).join('\n'), items.map(({ content_html: html }) => html).join('\n')]
}

const makeReady = async (more: object) => {
  const { id, slug } = await makeContent(app, project, more)
  await approve(app, id)
  return { id, slug }
}

t.test('each image of ours, in every output, is fetched by a stranger', async (t) => {
  const { url } = (await post('/images', { project_id: project, data: webp })).json()
  const body_markdown = `One tap.[^1] ![A hand](${url})\n\n[^1]: Seen.`
  const { id, slug } = await makeReady({ title: 'Our image', body_markdown })
  await publish(id)
  const { content } = receiver.received.map(({ body }) => JSON.parse(body).data)
    .find((data) => data.content.id === id)
  const pages = [
    ...await feedPages(), wordpress.posts.find((one) => one.slug === slug)?.content,
    ghost.posts.find((one) => one.slug === slug)?.html, content.body_html, content.body_markdown, await fileOf(slug, id)
  ]
  t.equal(pages.length, 8)
  for (const [index, page] of pages.entries()) {
    const sources = [...String(page).matchAll(/(?:src="|\]\()([^")]*\/content\/images\/[^")]+)/g)].map(([, src = '']) => src)
    t.same([...new Set(sources)], [url], `output ${index}`)
    for (const source of sources) {
      const seen = await app.inject({ url: new URL(source).pathname })
      t.same([seen.statusCode, seen.rawPayload.toString('base64')], [200, webp])
    }
  }
})

t.test('every link of every rendering leads somewhere', async (t) => {
  const both = [
    await makeReady({ title: 'Links', body_markdown: everyLink }),
    await makeReady({ title: 'More links', body_markdown: `${everyLink}\nOther.\n` })
  ]
  for (const { id } of both) await publish(id)
  for (const { id, slug } of both) {
    const page = (await get(`/${id}`, { accept: 'text/html' })).payload
    t.same(deadLinks(page), [], 'the page')
    const own = `c${id.slice(-8)}-`
    t.equal(page.split('\n')[0], `<p>Notes<sup><a href="#${own}fn-f1" id="${own}fnref-f1" data-footnote-ref ` +
      `aria-describedby="${own}footnote-label">1</a></sup>, again<sup><a href="#${own}fn-f1" ` +
      `id="${own}fnref-f1-2" data-footnote-ref aria-describedby="${own}footnote-label">1</a></sup>, and a ` +
      `<a href="#${own}how-it-works">heading</a>, <a href="#${own}how-it-works-1">the second</a>,`)
    t.match(page, `<h3 id="${own}früher">Früher</h3>`)
    t.match(page, 'a <span>dead one</span>, the <a href="https://larkspur.example/pricing?a=1&#x26;b=2">site</a>')
    t.match(page, '<a href="https://larkspur.example/blog/other#part">another page</a>')

    const [posted, pushed] = [wordpress.posts.find((one) => one.slug === slug),
      ghost.posts.find((one) => one.slug === slug)]
    t.same(deadLinks(posted?.content ?? '', wordpress.url), [], 'WordPress')
    t.match(posted?.content, `<a href="#${own}fn-f1"`)
    t.same(deadLinks(pushed?.html ?? '', ghost.url), [], 'Ghost')
    t.match(pushed?.html, `<a href="#${own}fn-f1"`)
    const [, written] = (await fileOf(slug, id)).split('---\n\n')
    t.equal(written, (await json(`/${id}`)).body_markdown, 'git: as it was written')
  }
  for (const page of await feedPages()) {
    t.same(deadLinks(page), [], 'a feed, with all its items on one page')
    t.match(page, '<a href="https://larkspur.example/pricing?a=1')
    t.match(page, '<img src="https://larkspur.example/b.png" alt="own">')
  }
})

interface Rendering {
  kind: string
  destination: string
  parts: { name: string, media_type: string, text: string }[]
  problems: { code: string, part: string, address: string }[]
}

const preview = async (id: string, query = ''): Promise<Rendering[]> =>
  (await json(`/${id}/renderings${query}`)).items

t.test('a preview shows before the approval exactly what each target gets after it', async (t) => {
  const { id, slug } = await makeContent(app, project, {
    title: 'Preview', summary: 'A summary', body_markdown: everyLink
  })
  const shown = await preview(id)
  t.same(shown.map(({ kind }) => kind), targets.map(({ kind }) => kind))
  t.same(shown.map(({ problems }) => problems), targets.map(() => []), 'each link leads somewhere from there')
  const text = (kind: string, name: string) =>
    shown.find((one) => one.kind === kind)?.parts.find((part) => part.name === name)?.text
  t.match((await json(`/${id}`)).review_state, 'draft')
  t.same(wordpress.posts.filter((one) => one.slug === slug), [], 'nothing was sent')

  await approve(app, id)
  await publish(id)
  const posted = wordpress.posts.find((one) => one.slug === slug)
  t.equal(posted?.content.split('\n<!-- steward')[0], text('wordpress', 'html'))
  t.same([posted?.title, posted?.excerpt], [text('wordpress', 'title'), text('wordpress', 'excerpt')])
  const sent = receiver.received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.content.id === id)
  t.same(sent.data.content, JSON.parse(text('webhook', 'content') ?? ''))
  t.equal(sent.data.content.body_html, text('webhook', 'html'))
  t.same(deadLinks(sent.data.content.body_html), [], 'the HTML of an event stands on its own')
  t.equal(await fileOf(slug, id), text('git_pr', `site/${slug}.md`))
  for (const page of await feedPages()) t.ok(page.includes(text('feed', 'html') ?? '-'))
  const pushed = ghost.posts.find((one) => one.slug === slug)
  t.same([pushed?.title, pushed?.custom_excerpt, pushed?.html],
    [text('ghost', 'title'), text('ghost', 'excerpt'), text('ghost', 'html')])
})

t.test('a preview names what would not work at a target, and is of one target or version where asked', async (t) => {
  const where = await makeOpenProject(app, 'Broken', { publish_targets: [targets[4], targets[2]], min_score: 0 })
  const { id } = await makeContent(app, where, { title: 'Broken', body_markdown: '[Price](/pricing), ![](/b.png)' })
  const [hook, blog] = await preview(id)
  t.same(hook?.problems, [
    { code: 'dead_link', part: 'html', address: '/pricing' },
    { code: 'dead_link', part: 'html', address: '/b.png' },
    { code: 'missing_alt', part: 'html', address: '/b.png' }
  ], 'an event stands on no site')
  t.same(blog?.problems, [{ code: 'missing_alt', part: 'html', address: '/b.png' }], 'a post stands on its site')

  const brand = await json(`/brands/${where}`)
  const [{ target_id: first }] = brand.publish_targets
  t.same((await preview(id, `?version=1&target_id=${first}`)).map(({ kind }) => kind), ['webhook'])
  t.match((await get(`/${id}/renderings?version=9`)).json(), { status: 404, code: 'not_found' })
  const foreign = (await json(`/brands/${project}`)).publish_targets[0].target_id
  t.match((await get(`/${id}/renderings?target_id=${foreign}`)).json(),
    { status: 400, code: 'invalid_request', errors: [{ pointer: '/target_id', code: 'unknown' }] })
  const empty = await makeContent(app, where, { title: 'Empty', body_markdown: '<div>raw</div>' })
  t.same((await preview(empty.id)).map(({ problems }) => problems.map(({ code }) => code)),
    [[], ['nothing_to_show']], 'raw HTML is left out of a post')
})

t.test('a link within a text to a heading that is not there is found before it is published', async (t) => {
  const text = { project_id: project, channel: 'blog', title: 'Links', body_markdown: everyLink }
  const answer = await post('/checks', text)
  const found = (answer.json().findings as { rule_id: string, match: string }[])
    .filter(({ rule_id: rule }) => rule === 'CNT-STR-LINK')
  t.same(found.map(({ match }) => match), ['#nowhere', 'other#part'])
})

const posts = [
  {
    text: 'Pay with one tap. #payments\n#shops *everywhere* [x](y) <b>& more</b>\n\n' +
      'See https://larkspur.example/a_b_c.'
  },
  { text: '1. Not a list' }
]

t.test('readers of social content get its posts, as they were written', async (t) => {
  const { id, slug } = await makeReady({
    channel: 'social', network: 'linkedin', title: 'Posts', body_markdown: '', fields: { posts }
  })
  await publish(id)
  const html = '<p>Pay with one tap. #payments<br>\n#shops *everywhere* [x](y) &#x3C;b>&#x26; more&#x3C;/b></p>\n' +
    '<p>See <a href="https://larkspur.example/a_b_c">https://larkspur.example/a_b_c</a>.</p>\n<hr>\n<p>1. Not a list</p>'
  t.equal((await get(`/${id}`, { accept: 'text/html' })).payload, html)
  t.equal(wordpress.posts.find((one) => one.slug === slug)?.content.split('\n<!--')[0], html)
  t.equal(ghost.posts.find((one) => one.slug === slug)?.html, html)
  for (const page of await feedPages()) t.ok(page.includes(html))

  const [, front = '', markdown = ''] = (await fileOf(slug, id)).split('---\n')
  t.match(parse(front), { title: 'Posts', channel: 'social', network: 'linkedin', fields: { posts } })
  t.equal((await get(`/${id}`, { accept: 'text/markdown' })).payload, markdown.slice(1))
  const texts: string[] = []
  visit(unified().use(remarkParse).use(remarkGfm).parse(markdown), 'text', ({ value }) => { texts.push(value) })
  t.same(texts, ['Pay with one tap. #payments', '#shops *everywhere* [x](y) <b>& more</b>', 'See ',
    'https://larkspur.example/a_b_c', '.', '1. Not a list'])
  const sent = receiver.received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.content.id === id)
  t.same(sent.data.content.fields, { posts })
})

t.test('the fields of an e-mail and of documentation go into the file of git', async (t) => {
  const fields = { subject: 'One tap', preheader: 'Nothing to install', from_name: 'Larkspur' }
  const { id, slug } = await makeReady({ channel: 'email', title: 'Mail', body_markdown: 'Hello.\n', fields })
  await publish(id)
  t.match(parse((await fileOf(slug, id)).split('---\n')[1] ?? ''), { channel: 'email', fields })
})

t.test('a version that would be empty at a target is refused with advice, and nothing is stored', async (t) => {
  const refused = async (title: string, kind: string, more: object) => {
    const where = await makeOpenProject(app, title, {
      publish_targets: targets.filter((target) => target.kind === kind), min_score: 0
    })
    const made = await makeContent(app, where, { title, ...more })
    // As a version that was approved before there was the check.
    await app.db.updateTable('content_version').set({ review_state: 'approved' }).where('content_id', '=', made.id)
      .execute()
    await app.db.updateTable('content').set({ approved_version: 1 }).where('id', '=', made.id).execute()
    const checks = { ...made.checks, findings: [] }
    await app.db.updateTable('content_version').set({ checks: JSON.stringify(checks) })
      .where('content_id', '=', made.id).execute()
    const answer = await post(`/${made.id}/publish`)
    t.match(answer.json(), { status: 422, code: 'content_empty' }, title)
    t.same((await json(`/${made.id}/publications`)).items, [])
    return answer.json().detail
  }
  for (const { kind, name } of targets) {
    t.equal(await refused(`Empty ${kind}`, kind, { body_markdown: '  \n' }), 'Version 1 has nothing that ' +
      `"${name}" (${kind}) could show: write body_markdown, as Markdown: raw HTML is shown by no feed or site, have ` +
      'that version approved, and publish it')
  }
  const blank = { channel: 'social', network: 'x', body_markdown: '', fields: { posts: [{ text: ' ' }] } }
  t.match(await refused('No posts', 'ghost', blank), /write its posts, fields\.posts/)
  await refused('Raw', 'feed', { body_markdown: '<div>All of it</div>\n' })
})

t.test('an e-mail without a text, and social content of blank posts, are no candidates for approval', async (t) => {
  const found = async (text: object) => {
    const answer = await post('/checks', { project_id: project, title: 'Empty', body_markdown: '', ...text })
    return (answer.json().findings as { rule_id: string }[]).map(({ rule_id: rule }) => rule)
  }
  t.same(await found({ channel: 'email', fields: { subject: 'Hello' } }), ['CNT-STR-EMPTY'])
  t.same(await found({ channel: 'social', network: 'x', fields: { posts: [{ text: ' ' }] } }), ['CNT-CHN-POSTS'])
})

t.test('an image is something to show', async (t) => {
  const where = await makeOpenProject(app, 'Picture', { publish_targets: targets.slice(0, 1), min_score: 0 })
  const { id } = await makeContent(app, where, { title: 'Picture', body_markdown: '![A tap](https://a.example/t.png)' })
  await approve(app, id)
  await publish(id)
  for (const page of await feedPages(where)) t.equal(page, '<p><img src="https://a.example/t.png" alt="A tap"></p>')
})
