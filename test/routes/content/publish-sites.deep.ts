import t, { type Test } from '../../tap.js'
import { startGhost, startWordpress } from 'steward-sandbox/sites'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, makeProject, publisherOf, setBrand } from './actors.js'

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, put, json } = actor(app)

const password = 'abcd EFGH 1234 ijkl MNOP 5678'
const key = `${'a1'.repeat(12)}:${'0f'.repeat(32)}`
const wordpress = await startWordpress('editor', password)
const ghost = await startGhost(key)
t.teardown(() => Promise.all([wordpress.close(), ghost.close()]))

interface Kept { slug: string, status: string, title: string, text: string }

/** The two sites, as far as they are alike. */
const sites = [
  {
    kind: 'wordpress',
    site: wordpress,
    target: { kind: 'wordpress', name: 'Blog', config: { url: wordpress.url, username: 'editor' }, secret: password },
    kept: (): Kept[] => wordpress.posts.map(({ slug, status, title, content: text }) =>
      ({ slug, status, title, text })),
    edit: (slug: string) =>
      wordpress.edit(wordpress.posts.find((one) => one.slug === slug)?.id ?? 0, { title: 'Theirs' }),
    isPublic: 'publish'
  },
  {
    kind: 'ghost',
    site: ghost,
    target: { kind: 'ghost', name: 'News', config: { url: `${ghost.url}/` }, secret: key },
    kept: (): Kept[] => ghost.posts.map(({ slug, status, title = '', html }) =>
      ({ slug, status, title, text: html ?? '' })),
    edit: (slug: string) => ghost.edit(ghost.posts.find((one) => one.slug === slug)?.id ?? '', { title: 'Theirs' }),
    isPublic: 'published'
  }
] as const

const { work, newest } = publisherOf(app)

t.test('E38: an address of a site that is no web address is kept nowhere', async (t) => {
  const links = ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', '//elsewhere.test', '']
  for (const [index, link] of links.entries()) {
    const project = await makeOpenProject(app, `Hostile ${index}`, { publish_targets: [sites[0].target] })
    const { id } = await makeContent(app, project, { title: 'Hostile' })
    await approve(app, id)
    await post(`/${id}/publish`)
    await work(id)
    const made = wordpress.posts.at(-1)
    wordpress.edit(made?.id ?? 0, { link })
    await post(`/${id}/unpublish`)
    await work(id)
    t.match(await newest(id), { state: 'succeeded', external: { id: String(made?.id), url: null } }, link)
    const external = JSON.stringify({ id: '1', url: link, pr_number: null })
    await app.db.updateTable('content_publication').set({ external }).where('content_id', '=', id).execute()
    t.match(await newest(id), { external: { id: '1', url: null } }, 'nor shown when a former release kept it')
  }
})

for (const { kind, site, target, kept, edit, isPublic } of sites) {
  const project = await makeOpenProject(app, kind, { publish_targets: [target] })
  const at = (slug: string) => kept().filter((one) => one.slug.startsWith(slug))
  const makeReady = async (title: string) => {
    const { id } = await makeContent(app, project, { title })
    await approve(app, id)
    return { id, slug: title.toLowerCase() }
  }
  const publish = async (id: string, input: object = {}) => {
    const answer = await post(`/${id}/publish`, input)
    await work(id)
    return answer
  }
  const rewrite = async (id: string, title: string) => {
    await put(`/${id}`, { title, body_markdown: 'Another **text**.' })
    await approve(app, id)
  }

  t.test(`${kind}: a post is made, changed, and taken back to a draft`, async (t: Test) => {
    const { id, slug } = await makeReady(`${kind}Road`)
    await publish(id)
    t.match(await newest(id), { state: 'succeeded', external: { url: new RegExp(`/${slug}/$`), pr_number: null } })
    t.match(at(slug), [{ status: isPublic, title: `${kind}Road`, text: /<h2>How it works<\/h2>/ }])
    t.match(await json(`/${id}`), { status: 'published', published_version: 1 })

    await rewrite(id, 'Changed')
    await publish(id)
    t.match(await newest(id), { action: 'update', state: 'succeeded' })
    t.match(at(slug), [{ title: 'Changed', text: /<strong>text<\/strong>/ }])

    await post(`/${id}/unpublish`)
    await work(id)
    t.match(at(slug), [{ status: 'draft' }])
    t.match(await json(`/${id}`), { status: 'approved', published_version: null })
    await publish(id)
    t.match(at(slug), [{ status: isPublic }])
    t.equal(at(slug).length, 1, 'the same post again')
  })

  t.test(`${kind} (12): a post whose answer was lost is found, and not made twice`, async (t: Test) => {
    const { id, slug } = await makeReady(`${kind}Lost`)
    site.loseAnswers(1)
    await publish(id)
    t.match(await newest(id), { state: 'unknown', attempts: [{ http_status: null }] })
    t.equal(at(slug).length, 1)
    const before = site.calls.length
    await work(id)
    t.match(await newest(id), { state: 'succeeded' })
    t.equal(at(slug).length, 1)
    t.same(site.calls.slice(before).filter((call) => !call.startsWith('GET')), [], 'nothing is written again')
  })

  t.test(`${kind}: a change at the site is not overwritten unless the request says so`, async (t: Test) => {
    const { id, slug } = await makeReady(`${kind}Drift`)
    await publish(id)
    edit(slug)
    await rewrite(id, 'Ours')
    await publish(id)
    t.match(await newest(id), { state: 'failed', error: 'target_drift' })
    t.match(at(slug), [{ title: 'Theirs' }])
    t.match(await json(`/${id}`), { published_version: 1, head_version: 2 })
    await publish(id, { overwrite: true })
    t.match(await newest(id), { state: 'succeeded', overwrite: true })
    t.match(at(slug), [{ title: 'Ours' }])
  })

  t.test(`${kind}: the error of a refusing site is reported; a busy site is retried`, async (t: Test) => {
    const { id, slug } = await makeReady(`${kind}Busy`)
    site.refuse(503, 1)
    await publish(id)
    t.match(await newest(id), { state: 'retrying', error: 'answered_503' })
    await work(id)
    t.match(await newest(id), { state: 'succeeded' })
    t.equal(at(slug).length, 1)
    const other = await makeReady(`${kind}Refused`)
    site.refuse(403, 1)
    await publish(other.id)
    t.match(await newest(other.id), { state: 'failed', error: 'answered_403' })
  })

  t.test(`${kind}: the credential goes in, and never comes out`, async (t: Test) => {
    const brand = await get(`/brands/${project}`)
    t.match(brand.json().publish_targets, [{ kind, secret_set: true }])
    t.notMatch(brand.payload, target.secret)
    const other = await makeProject(app, `${kind} bad`)
    for (const [change, pointer] of [
      [{ secret: 'x' }, '/publish_targets/0/secret'], [{ config: {} }, '/publish_targets/0/config/url']
    ] as const) {
      const answer = await put(`/brands/${other}`, { publish_targets: [{ ...target, ...change }] })
      t.match(answer.json(), { status: 400, errors: [{ pointer }] })
    }
    const wrong = kind === 'ghost' ? `${'b2'.repeat(12)}:${'0f'.repeat(32)}` : 'wxyz EFGH 1234 ijkl MNOP 5678'
    await setBrand(app, other, { approval: { self_approval: true }, publish_targets: [{ ...target, secret: wrong }] })
    const { id } = await makeContent(app, other, { title: 'Stranger' })
    await approve(app, id)
    await post(`/${id}/publish`)
    await work(id)
    t.match(await newest(id), { state: 'failed', error: 'answered_401' })
  })
}
