import t from '../../tap.js'
import { makePerson } from '../account/actors.js'
import { workspace } from '../../app.js'
import { actor, approve, draft, makeContent, makeOpenProject, makeProject, missing, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, post, put, remove, json } = actor(app)
const project = await makeOpenProject(app, 'Records')

t.test('a record is written by hand, read, and edited as versions', async (t) => {
  const made = await post('/', draft(project, { summary: 'In one tap' }))
  const content = made.json()
  t.same([made.statusCode, made.headers.etag, made.headers.location], [201, '"r1"', `/content/${content.id}`])
  t.same(content, {
    id: content.id,
    project_id: project,
    brief_id: null,
    group_id: content.id,
    variant: 1,
    translation_of: null,
    translated_version: null,
    source_changed: false,
    reviewer: null,
    channel: 'blog',
    network: null,
    locale: 'en',
    status: 'draft',
    review_state: 'draft',
    head_version: 1,
    approved_version: null,
    published_version: null,
    scheduled_version: null,
    has_unpublished_changes: false,
    engine: 'human',
    score: 100,
    verdict: 'pass',
    version: 1,
    title: 'Pay with one tap',
    slug: 'pay-with-one-tap',
    summary: 'In one tap',
    body_markdown: draft(project).body_markdown,
    fields: {},
    seo: { keywords: [], noindex: false },
    media: [],
    waivers: [],
    citations: [],
    checks: content.checks,
    generation: null,
    suggestions: [],
    revision: 1,
    created_by: app.home.admin_id,
    created_at: content.created_at,
    updated_at: content.created_at
  })
  t.same((await get(`/${content.id}`)).json(), content)

  const same = await put(`/${content.id}`, content, { 'if-match': '"r1"' })
  t.same([same.statusCode, same.headers.etag, same.json()], [200, '"r1"', content])
  const next = { ...content, title: 'One tap is enough', body_markdown: 'Returning customers pay with one tap.\n' }
  const edited = (await put(`/${content.id}`, next, { 'if-match': '"r1"' })).json()
  t.match(edited, { version: 2, head_version: 2, revision: 2, title: 'One tap is enough', slug: 'pay-with-one-tap' })
  t.match(await json(`/${content.id}?version=1`), { version: 1, title: 'Pay with one tap' })
  t.match((await put(`/${content.id}`, next, { 'if-match': '"r1"' })).json(), { status: 412, code: 'stale_revision' })
  const { items } = await json(`/${content.id}/versions`)
  t.match(items, [{ version: 2, origin: 'edited', title: 'One tap is enough' }, { version: 1, review_state: 'draft' }])
  const diff = await json(`/${content.id}/diff?from=1`)
  t.same(diff, {
    from: 1,
    to: 2,
    fields: [{ field: 'title', before: 'Pay with one tap', after: 'One tap is enough' }],
    body: [
      { op: 'equal', text: 'Returning customers pay with one tap.\n' },
      { op: 'delete', text: '\n## How it works\n\nNothing has to be installed.\n' }
    ]
  })
})

t.test('(7) of two edits of one revision one wins', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Race' })
  const answers = await Promise.all(['a', 'b'].map((body_markdown) =>
    put(`/${id}`, { title: 'Race', body_markdown }, { 'if-match': '"r1"' })))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 412])
})

t.test('(14) a status cannot be written', async (t) => {
  const content = await makeContent(app, project, { title: 'Status' })
  for (const change of [{ status: 'published' }, { published_version: 1 }, { review_state: 'approved' }]) {
    const answer = await put(`/${content.id}`, { ...content, ...change })
    const errors = [{ pointer: `/${Object.keys(change)[0]}` }]
    t.match(answer.json(), { status: 422, code: 'read_only_field', errors })
  }
  t.match(await json(`/${content.id}`), { status: 'draft', published_version: null, revision: 1 })
  t.match((await post('/', draft(project, { status: 'published' }))).json(), { status: 400, code: 'unknown_field' })
})

t.test('a review goes through its states; its versions stay', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Review' })
  const move = (to: string, comment?: string) => post(`/${id}/transitions`, { to, ...(comment && { comment }) })
  t.match((await move('approved')).json(), { status: 409, code: 'review_state' })
  t.match((await move('in_review')).json(), { status: 'in_review', revision: 2 })
  t.match((await move('in_review')).json(), { status: 'in_review', revision: 2 })
  t.match((await move('draft')).json(), { status: 'draft' })
  await approve(app, id)
  t.match(await json(`/${id}`), { status: 'approved', approved_version: 1 })
  const edited = await put(`/${id}`, { title: 'Review', body_markdown: 'Another text.' })
  t.match(edited.json(), { status: 'draft', head_version: 2, approved_version: 1 })
  const restored = await post(`/${id}/versions/1/restore`)
  t.match(restored.json(), { status: 'draft', head_version: 3, approved_version: 1 })
  t.equal((await post(`/${id}/versions/9/restore`)).statusCode, 404)
  t.match((await json(`/${id}/versions`)).items, [{ origin: 'restored' }, {}, { review_state: 'approved' }])
})

t.test('B21: authors do not approve their own unless the brand lets them; reviewers say why not', async (t) => {
  const strict = await makeProject(app, 'Strict')
  const { id } = await makeContent(app, strict)
  const reviewer = actor(app, (await makePerson(app, 'Rev', 'member')).headers)
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.match((await post(`/${id}/transitions`, { to: 'approved' })).json(), { status: 403, code: 'self_approval' })
  const silent = await reviewer.post(`/${id}/transitions`, { to: 'draft' })
  t.match(silent.json(), { status: 422, code: 'comment_required' })
  t.match((await reviewer.post(`/${id}/transitions`, { to: 'draft', comment: 'Shorter' })).json(), { status: 'draft' })
  t.match((await json(`/${id}/versions`)).items, [{ review_comment: 'Shorter' }])
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.match((await reviewer.post(`/${id}/transitions`, { to: 'approved' })).json(), { status: 'approved' })
})

t.test('what the checks find stops the review', async (t) => {
  const house = await makeOpenProject(app, 'House', { terms: { banned: [{ term: 'cheap', replacement: 'fair' }] } })
  const { id } = await makeContent(app, house, { body_markdown: 'A cheap way to pay. [[WRITE: more]]' })
  const move = (to: string) => post(`/${id}/transitions`, { to })
  t.match((await move('in_review')).json(),
    {
      status: 409,
      code: 'content_incomplete',
      detail: 'One mark says that something is missing: write it, or take the mark out',
      marks: [{ field: 'body_markdown', start: 20, end: 35, match: '[[WRITE: more]]' }],
      marks_omitted: 0
    })
  await put(`/${id}`, { title: 'Pay', body_markdown: 'A cheap way to pay.' })
  await move('in_review')
  t.match((await move('approved')).json(), { code: 'content_checks_failed', findings: [{ rule_id: 'CNT-BRD-BANNED' }] })
  const waivers = [{ rule_id: 'CNT-BRD-BANNED', match: 'cheap', reason: 'Legal asks for this word' }]
  await put(`/${id}`, { title: 'Pay', body_markdown: 'A cheap way to pay.', waivers })
  await approve(app, id)
  t.match(await json(`/${id}`), { status: 'approved', checks: { findings: [{ waived: true }], score: 100 } })
})

t.test('records are archived, deleted and brought back', async (t) => {
  const { id, slug } = await makeContent(app, project, { title: 'Gone' })
  t.match((await post(`/${id}/transitions`, { to: 'archived' })).json(), { status: 'archived' })
  t.match((await put(`/${id}`, { title: 'x' })).json(), { status: 409, code: 'content_archived' })
  t.match((await post(`/${id}/transitions`, { to: 'restore' })).json(), { status: 'draft' })
  t.match((await remove(`/${id}`, { 'if-match': '"r1"' })).json(), { code: 'stale_revision' })
  t.equal((await remove(`/${id}`)).statusCode, 204)
  t.equal((await get(`/${id}`)).statusCode, 404)
  const other = await makeContent(app, project, { title: 'Gone' })
  t.equal(other.slug, slug)
  t.match((await post(`/${id}/undelete`)).json(), { status: 409, code: 'slug_taken' })
  await remove(`/${other.id}`)
  t.match((await post(`/${id}/undelete`)).json(), { status: 'draft', title: 'Gone' })
  t.equal((await post(`/${missing}/undelete`)).statusCode, 404)
})

t.test('what was deleted more than 30 days ago is purged with its versions, nothing else', async (t) => {
  const old = await makeContent(app, project, { title: 'Long gone' })
  const recent = await makeContent(app, project, { title: 'Just gone' })
  for (const { id } of [old, recent]) await remove(`/${id}`)
  await app.db.updateTable('content').set({ deleted_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', old.id).execute()
  t.equal((await post(`/${old.id}/undelete`)).statusCode, 404)
  await app.jobs.enqueue(app.db, 'content.purge', {})
  await app.jobs.drain()
  const left = await app.db.selectFrom('content_version').select('content_id').distinct()
    .where('content_id', 'in', [old.id, recent.id]).execute()
  t.same(left, [{ content_id: recent.id }])
  t.match((await post(`/${recent.id}/undelete`)).json(), { title: 'Just gone' })
})

t.test('the list is filtered and paged; slugs are free', async (t) => {
  const listed = await makeOpenProject(app, 'Listed', { locales: { default: 'en', enabled: ['en', 'de'] } })
  for (const more of [{}, { locale: 'de' }, { channel: 'docs' }, { body_markdown: 'Other.' }]) {
    await makeContent(app, listed, { title: 'Same', ...more })
  }
  const slugs = async (query: string) =>
    (await json(`/?project_id=${listed}&${query}`)).items.map(({ slug }: { slug: string }) => slug)
  t.same(await slugs(''), ['same-2', 'same', 'same', 'same'])
  t.same(await slugs('locale=de'), ['same'])
  t.same(await slugs('channel=docs&status=draft&q=SAME'), ['same'])
  t.same(await slugs('status=published'), [])
  const first = await json(`/?project_id=${listed}&limit=3`)
  const second = await json(`/?project_id=${listed}&limit=3&cursor=${first.next_cursor}`)
  t.same([first.items.length, second.items.length, second.next_cursor], [3, 1, null])
  t.match((await post('/', draft(listed, { slug: 'same' }))).json(), { status: 409, code: 'slug_taken' })
  t.match((await post('/', draft(listed, { locale: 'fr' }))).json(), { status: 422, code: 'locale_not_enabled' })
})

t.test('E38: a body is shown as Markdown and as HTML that runs nothing', async (t) => {
  const body_markdown =
    '# Hi\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) **bold** <img src=x onerror=alert(1)>'
  const { id } = await makeContent(app, project, { title: 'Html', body_markdown })
  const text = await get(`/${id}`, { accept: 'text/markdown' })
  t.same([text.headers['content-type'], text.payload], ['text/markdown; charset=utf-8', body_markdown])
  const html = await get(`/${id}`, { accept: 'text/html' })
  t.match(html.payload, '<strong>bold</strong>')
  t.notMatch(html.payload, /script|onerror|javascript/)
})

t.test('E38: a body that is opened as a page loads nothing from anywhere and stands in no frame', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Image', body_markdown: '![Seen](https://elsewhere.test/1.png)' })
  const { headers } = await get(`/${id}`, { accept: 'text/html' })
  t.match(headers, {
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff'
  })
})

t.test('bad input writes nothing; foreign and missing records are the same 404', async (t) => {
  const before = (await json('/?limit=100')).items.length
  const cases: [object, string][] = [
    [{ title: '' }, '/title'], [{ channel: 'social' }, '/network'], [{ network: 'x' }, '/network'],
    [{ slug: 'No Slug' }, '/slug'], [{ brief_id: missing }, '/brief_id'],
    [{ seo: { canonical: 'x' } }, '/seo/canonical'],
    [{ waivers: [{ rule_id: 'x', reason: 'why' }] }, '/waivers/0/rule_id'], [{ body_markdown: 'a\0' }, '/body_markdown']
  ]
  for (const [more, pointer] of cases) {
    const answer = (await post('/', draft(project, more))).json()
    t.equal(answer.status, 400, JSON.stringify(more))
    t.ok(answer.errors.some((error: { pointer: string }) => error.pointer === pointer), JSON.stringify(answer.errors))
  }
  t.equal((await json('/?limit=100')).items.length, before)
  for (const [method, path] of [['GET', ''], ['PUT', ''], ['DELETE', ''], ['GET', '/versions'], ['GET', '/diff?from=1'],
    ['POST', '/versions/1/restore'], ['POST', '/transitions']] as const) {
    const payload = method === 'PUT' ? { title: 'x' } : path === '/transitions' ? { to: 'draft' } : undefined
    const answer = await actor(app).call(method, `/${missing}${path}`, payload)
    t.equal(answer.statusCode, 404, `${method} ${path}`)
  }
  t.equal((await put('/generate', { title: 'x' })).statusCode, 400, 'no record is called generate')
  t.equal((await post('/', draft(missing))).statusCode, 404)
})

t.test('viewers read, members change only their own records', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Roles' })
  const viewer = actor(app, (await makePerson(app, 'Vic', 'viewer')).headers)
  const member = actor(app, (await makePerson(app, 'Mem', 'member')).headers)
  t.equal((await viewer.get(`/${id}`)).statusCode, 200)
  t.match((await viewer.put(`/${id}`, { title: 'x' })).json(), { code: 'insufficient_role' })
  t.match((await member.remove(`/${id}`)).json(), { status: 403, code: 'not_owner' })
  t.match((await member.post(`/${id}/transitions`, { to: 'archived' })).json(), { status: 403, code: 'not_owner' })
  t.equal((await member.put(`/${id}`, { title: 'Roles too' })).statusCode, 200)
  await remove(`/${id}`)
  t.match((await member.post(`/${id}/undelete`)).json(), { status: 403, code: 'not_owner' })
  t.equal((await post(`/${id}/undelete`)).statusCode, 200)
  t.equal((await actor(app, {}).get(`/${id}`)).statusCode, 401)
})

t.test('a changed brand changes new reports, not stored ones', async (t) => {
  const house = await makeOpenProject(app, 'Repainted')
  const { id, checks } = await makeContent(app, house)
  await setBrand(app, house, { terms: { banned: [{ term: 'installed' }] }, approval: { self_approval: true } })
  t.same((await json(`/${id}`)).checks, checks)
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.match((await post(`/${id}/transitions`, { to: 'approved' })).json(), { code: 'content_checks_failed' })
})

t.test('versions and publications come with a record where include names them', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Included' })
  const plain = await json(`/${id}`)
  t.same(await json(`/${id}?include=checks`), plain)
  t.same(await json(`/${id}?include=versions,publications`),
    { ...plain, versions: (await json(`/${id}/versions`)).items, publications: [] })
  t.match((await get(`/${id}?include=secrets`)).json(), { status: 400, code: 'invalid_request' })
  const whole = await json(`/${id}?include=versions,publications`)
  t.equal((await put(`/${id}`, { ...whole, title: 'Included anew' })).statusCode, 200, 'what was read is sent back')
})
