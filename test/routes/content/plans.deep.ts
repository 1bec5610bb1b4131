import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, secret, setBrand } from './actors.js'
import { proposer } from './plans.js'

const limits = { waiting_tool_calls_per_user: 500, requests_per_minute: 100_000 }
const app = await buildApp(t, { WORKER: 'false', LIMITS: JSON.stringify(limits) })
const { post, put, json } = actor(app)
const { propose, ask, run } = proposer(app)
const feed = { kind: 'feed', name: 'Feed', config: { title: 'News' } }
const hook = { kind: 'webhook', name: 'Site', config: { url: 'https://hooks.example.com/in' }, secret }

t.test('the 600th character of a text that changes is shown', async (t) => {
  const project = await makeOpenProject(app, 'Long')
  const text = (last: string) => `${'One tap pays. '.repeat(60)}\n\n${'Nothing to install. '.repeat(40)}${last}`
  const { id } = await makeContent(app, project, { body_markdown: text('It is free.') })
  const args = { content_id: id, title: 'Pay with one tap', body_markdown: text('It costs.') }
  const proposed = await ask('replaceContent', args)
  t.match(proposed.confirmation, {
    summary: 'Write version 2 of "Pay with one tap", a draft; nothing is published',
    preview: [{ label: 'Version', before: '1', after: '2' }, { label: 'body_markdown' }],
    arguments: args,
    risk: 'low'
  })
  t.equal(proposed.confirmation.preview.length, 2)
  const { diff = '' } = proposed.confirmation.preview[1] ?? {}
  t.match(diff.split('\n').filter((line) => /^[-+]/.test(line)), [/It is free\.$/, /It costs\.$/])
})

t.test('what a replacement leaves out, and so empties, is shown', async (t) => {
  const project = await makeOpenProject(app, 'Left out')
  const seo = { title: 'One tap', keywords: ['pay'] }
  const { id } = await makeContent(app, project, { summary: 'In one tap', seo })
  const { confirmation } = await ask('replaceContent', { content_id: id, title: 'One tap', body_markdown: 'One tap.' })
  t.same(confirmation.preview.map(({ label, before, after }) => [label, before, after]), [
    ['Version', '1', '2'],
    ['title', 'Pay with one tap', 'One tap'],
    ['summary', 'In one tap', ''],
    ['body_markdown', (await json(`/${id}`)).body_markdown, 'One tap.'],
    ['seo', '{keywords: [pay], noindex: false, title: One tap}', '{keywords: [], noindex: false}']
  ])
})

t.test('the version that was shown is published, even after newer ones', async (t) => {
  const project = await makeOpenProject(app, 'Free', { approval: { required: false }, publish_targets: [feed] })
  const { id } = await makeContent(app, project, { body_markdown: 'As shown.' })
  const [{ target_id: target }] = (await json(`/brands/${project}`)).publish_targets
  const proposed = await ask('publishContent', { content_id: id })
  t.same([proposed.confirmation.summary, proposed.confirmation.arguments, proposed.confirmation.risk],
    ['Publish version 1 of "Pay with one tap" to Feed', { content_id: id, version: 1, targets: [target] }, 'high'])
  t.same(proposed.confirmation.preview, [
    { label: 'Target Feed', before: null, after: 'version 1, to the feed' },
    { label: 'When', before: null, after: 'now' },
    { label: 'Version', before: null, after: '1' },
    { label: 'title', before: null, after: 'Pay with one tap' },
    { label: 'slug', before: null, after: 'pay-with-one-tap' },
    { label: 'body_markdown', before: null, after: 'As shown.' }
  ])
  await put(`/${id}`, { title: 'Pay with one tap', body_markdown: 'Not shown.' })
  t.match(await run(proposed), { status: 'succeeded', arguments: { version: 1 } })
  t.same((await json(`/${id}/publications`)).items.map(({ version }: { version: number }) => version), [1])
})

t.test('the posts of a social record are shown as the text that goes out', async (t) => {
  const project = await makeOpenProject(app, 'Posts', { approval: { required: false }, publish_targets: [feed] })
  const social = { channel: 'social', network: 'bluesky', body_markdown: '' }
  const { id } = await makeContent(app, project, { ...social, fields: { posts: [{ text: 'Pay.' }, { text: 'Tap.' }] } })
  const { confirmation } = await ask('publishContent', { content_id: id })
  t.same(confirmation.preview, [
    { label: 'Target Feed', before: null, after: 'version 1, to the feed' },
    { label: 'When', before: null, after: 'now' },
    { label: 'Version', before: null, after: '1' },
    { label: 'Posts, the text that goes out', before: '[]', after: '[Pay., Tap.]' },
    { label: 'title', before: null, after: 'Pay with one tap' },
    { label: 'slug', before: null, after: 'pay-with-one-tap' }
  ])
})

t.test('a target that is sent elsewhere is shown with both addresses, and its secret never', async (t) => {
  const project = await makeOpenProject(app, 'Redirected')
  const config = { url: 'https://blog.example.com', username: 'ed' }
  const blog = { kind: 'wordpress', name: 'Blog', config, secret: 'abcd efgh ijkl mnop' }
  const brand = await setBrand(app, project, { approval: { self_approval: true }, publish_targets: [hook, blog] })
  const [webhook, { target_id }] = brand.publish_targets
  const moved = { ...blog, target_id, config: { ...config, url: 'https://elsewhere.example.com' } }
  const args = { ...brand, project_id: project, publish_targets: [webhook, moved, { kind: 'feed', name: 'Feed' }] }
  const proposed = await ask('replaceBrand', args)
  t.same([proposed.confirmation.summary, proposed.confirmation.risk],
    ['Replace the brand settings of project Redirected', 'high'])
  t.same(proposed.confirmation.preview, [
    { label: 'Version', before: '2', after: '3' },
    { label: 'Target Blog: url', before: 'https://blog.example.com', after: 'https://elsewhere.example.com' },
    { label: 'Target Blog: secret', before: 'set', after: 'replaced' },
    {
      label: 'Target Feed',
      before: null,
      after: '{kind: feed, name: Feed, enabled: true, channels: [], locales: []}'
    }
  ])
  t.match(await run(proposed), { status: 'succeeded' })
  t.match((await json(`/brands/${project}`)).publish_targets, [{}, { config: { url: 'https://elsewhere.example.com' } }])
})

t.test('a scheduled time is pinned, and shown in its time zone', async (t) => {
  const project = await makeOpenProject(app, 'Timed', { publish_targets: [feed] })
  const { id } = await makeContent(app, project)
  await approve(app, id)
  const year = new Date().getUTCFullYear() + 1
  const requested = { publish_at: `${year}-06-10T09:00:00`, timezone: 'Europe/Zurich' }
  const { confirmation } = await ask('publishContent', { content_id: id, ...requested })
  t.match(confirmation.arguments, { publish_at: `${year}-06-10T07:00:00.000Z`, timezone: 'Europe/Zurich' })
  t.same(confirmation.preview.find(({ label }) => label === 'When'), {
    label: 'When',
    before: null,
    after: `${year}-06-10T07:00:00.000Z, which is ${year}-06-10 09:00 in Europe/Zurich`
  })
})

t.test('a call that writes nothing needs no approval', async (t) => {
  const project = await makeOpenProject(app, 'Dry', { publish_targets: [feed] })
  const { id } = await makeContent(app, project)
  await approve(app, id)
  for (const [name, args] of [
    ['publishContent', { dry_run: true }], ['generateContent', { mode: 'check' }],
    ['generateContent', { mode: 'repair', engine: 'template', dry_run: true }]
  ] as const) {
    const call = (await propose(name, { content_id: id, ...args })).json()
    t.match(call, { confirmation: null, effect: 'read' }, name)
  }
  t.same((await json(`/${id}/publications`)).items, [])
  t.match(await json(`/${id}`), { head_version: 1, status: 'approved' })
})

t.test('a call that the route would refuse asks for no approval', async (t) => {
  const project = await makeOpenProject(app, 'Refused', { publish_targets: [feed] })
  const { id, slug } = await makeContent(app, project)
  const draft = { project_id: project, channel: 'blog', title: 'Another', body_markdown: 'Another.' }
  const cases: [string, object, string][] = [
    ['publishContent', { content_id: id }, 'version_not_approved'],
    ['transitionContent', { content_id: id, to: 'approved' }, 'review_state'],
    ['createContent', { ...draft, slug }, 'slug_taken'],
    ['createContent', { ...draft, locale: 'fr' }, 'locale_not_enabled'],
    ['replaceContent', { content_id: id, title: 'New', head_version: 7 }, 'read_only_field'],
    ['undeleteContent', { content_id: id }, 'not_found'],
    ['unpublishContent', { content_id: id }, 'no_target']
  ]
  for (const [name, args, code] of cases) {
    t.match((await propose(name, args)).json(), { status: 422, code: 'tool_call_refused', cause: { code } }, name)
  }
})

t.test('a version that is not the newest any more is not moved through the review', async (t) => {
  const project = await makeOpenProject(app, 'Moved')
  const { id } = await makeContent(app, project)
  await put(`/${id}`, { title: 'Two taps', body_markdown: 'Two taps.' })
  const stale = await post(`/${id}/transitions`, { to: 'in_review', version: 1 })
  t.match(stale.json(), { status: 412, code: 'stale_revision', detail: 'Version 2 is the newest' })
  t.match((await post(`/${id}/transitions`, { to: 'in_review', version: 2 })).json(), { review_state: 'in_review' })
})

t.test('a generation of a brief or record that changed is refused by its ETag', async (t) => {
  const project = await makeOpenProject(app, 'Conditional')
  const { id } = await makeContent(app, project)
  const requested = { mode: 'repair', engine: 'template', content_id: id }
  t.match((await post('/generate', requested, { 'if-match': '"r7"' })).json(), { status: 412, code: 'stale_revision' })
  t.match((await post('/generate', { ...requested, base_version: 7 })).json(), { status: 412, code: 'stale_revision' })
  t.equal((await post('/generate', { ...requested, base_version: 1 }, { 'if-match': '"r1"' })).statusCode, 200)
})
