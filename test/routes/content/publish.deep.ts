import { Webhook } from 'standardwebhooks'
import t from '../../tap.js'
import { makePerson } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, missing, publisherOf, secret, setBrand } from './actors.js'
import { startReceiver, type Received } from './receiver.js'

const receiver = await startReceiver(t)
const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, put, remove, json } = actor(app)

const hook = { kind: 'webhook', name: 'Site', secret }
const feed = { kind: 'feed', name: 'Feed', config: { public: true, title: 'News' } }
const targets = (path: string) => [{ ...hook, config: { url: receiver.url + path } }, feed]

const makeReady = async (name: string, publish_targets: object[] = targets(`/${name}`), more: object = {}) => {
  const project = await makeOpenProject(app, name, { publish_targets, ...more })
  const { id } = await makeContent(app, project, { title: name })
  await approve(app, id)
  return { project, id }
}
const at = (path: string): Received[] => receiver.received.filter((one) => one.path === path)

const { work } = publisherOf(app)
const states = async (id: string) => (await json(`/${id}/publications`)).items
  .map(({ kind, action, state }: Record<string, string>) => `${kind} ${action} ${state}`).sort()

t.test('(10) sixty publishes at once, as many as a person may have waiting, are one delivery a target', async (t) => {
  const { id } = await makeReady('Sixty')
  /** A busy instance says so, and is asked again. */
  const publish = async (): Promise<Awaited<ReturnType<typeof post>>> => {
    const answer = await post(`/${id}/publish`)
    return answer.statusCode === 503 ? publish() : answer
  }
  const answers = await Promise.all(Array.from({ length: 60 }, publish))
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [202])
  t.equal(new Set(answers.flatMap((one) => one.json().items.map((item: { id: string }) => item.id))).size, 2)
  await work(id)
  await work(id)
  t.equal(at('/Sixty').length, 1)
  t.same(await states(id), ['feed publish succeeded', 'webhook publish succeeded'])
  t.match(await json(`/${id}`), { status: 'published', published_version: 1, has_unpublished_changes: false })
  const again = await post(`/${id}/publish`)
  t.same([again.statusCode, again.json().items.length], [200, 2])
  await work(id)
  t.equal(at('/Sixty').length, 1)
  const publish_at = new Date(Date.now() + 86_400_000).toISOString()
  for (const dry_run of [true, false]) {
    t.match((await post(`/${id}/publish`, { publish_at, dry_run })).json(), { status: 409, code: 'already_live' },
      'a time for what is live schedules nothing, and says so')
  }
  t.equal((await post(`/${id}/publish`, { publish_at, republish: true })).statusCode, 202)
})

t.test('(11) an event is signed as Standard Webhooks says', async (t) => {
  const { id } = await makeReady('Signed')
  await post(`/${id}/publish`)
  await work(id)
  const [{ headers, body } = { headers: {}, body: '' }] = at('/Signed')
  const signed = headers as Record<string, string>
  t.match(new Webhook(secret).verify(body, signed), {
    type: 'content.published', data: { content: { id, version: 1, title: 'Signed' } }
  })
  t.throws(() => new Webhook(secret).verify(body, { ...signed, 'webhook-timestamp': '1700000000' }))
  t.throws(() => new Webhook(secret).verify(`${body} `, signed))
  const hooked = (await json(`/${id}/publications`)).items.find(({ kind }: { kind: string }) => kind === 'webhook')
  t.equal(signed['webhook-id'], hooked.id)
})

t.test('a replaced secret signs beside the new one', async (t) => {
  const { id, project } = await makeReady('Rotated')
  const brand = await json(`/brands/${project}`)
  const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  brand.publish_targets[0].secret = other
  t.equal((await put(`/brands/${project}`, brand)).statusCode, 200)
  await post(`/${id}/publish`)
  await work(id)
  const [{ headers, body } = { headers: {}, body: '' }] = at('/Rotated')
  for (const one of [secret, other]) t.ok(new Webhook(one).verify(body, headers as Record<string, string>))
})

t.test('(12) what was sent without an answer is sent with the same id, never as another event', async (t) => {
  const { id } = await makeReady('Cut')
  receiver.answers.push(0, 503)
  await post(`/${id}/publish`)
  await work(id)
  t.match(await states(id), ['feed publish succeeded', /^webhook publish (?:retrying|unknown)$/])
  await work(id)
  await work(id)
  t.same(await states(id), ['feed publish succeeded', 'webhook publish succeeded'])
  const ids = at('/Cut').map(({ headers }) => headers['webhook-id'])
  t.same([ids.length, new Set(ids).size], [3, 1])
  const hooked = (await json(`/${id}/publications`)).items.find(({ kind }: { kind: string }) => kind === 'webhook')
  t.match(hooked.attempts, [{ http_status: null }, { http_status: 503, error: 'answered_503' }, { http_status: 200 }])
})

t.test('a worker that is lost leaves an unknown outcome; it is taken up once its lease ends', async (t) => {
  const { id } = await makeReady('Lost')
  await post(`/${id}/publish`)
  await app.db.updateTable('content_publication').set({ state: 'running', lease_until: new Date(0) })
    .where('content_id', '=', id).execute()
  await app.jobs.enqueue(app.db, 'content.sweep', {})
  await app.jobs.drain()
  t.same(await states(id), ['feed publish succeeded', 'webhook publish succeeded'])
  t.equal(at('/Lost').length, 1)
})

t.test('a refused event is not retried; a receiver that is gone gets no more events', async (t) => {
  const { id, project } = await makeReady('Refused', targets('/Refused').slice(0, 1))
  receiver.answers.push(302)
  await post(`/${id}/publish`)
  await work(id)
  const [{ id: publication }] = (await json(`/${id}/publications`)).items
  t.match((await json(`/${id}/publications`)).items, [{ state: 'failed', error: 'redirected' }])
  t.match(await json(`/${id}`), { status: 'approved' })
  receiver.answers.push(410)
  t.match((await post(`/${id}/publications/${publication}/retry`)).json(), { state: 'queued' })
  await work(id)
  t.match((await json(`/brands/${project}`)).publish_targets, [{ disabled_reason: 'receiver_gone' }])
  t.match((await post(`/${id}/publish`, { republish: true })).json(), { status: 422, code: 'no_target' })
  t.match((await post(`/${id}/publications/${publication}/cancel`)).json(), { status: 409, code: 'publication_state' })
})

t.test('D30: private addresses are refused when they are set', async (t) => {
  const project = await makeOpenProject(app, 'Private')
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://user:pw@example.com/']) {
    const answer = await put(`/brands/${project}`, { publish_targets: [{ ...hook, config: { url } }] })
    const errors = [{ pointer: '/publish_targets/0/config/url' }]
    t.match(answer.json(), { status: 422, code: 'target_not_allowed', errors })
  }
})

t.test('(16) a feed keeps the id of an item over edits; an edit publishes nothing', async (t) => {
  const { id, project } = await makeReady('Fed', targets('/Fed').slice(1))
  await post(`/${id}/publish`)
  await work(id)
  const feeds = async () => Promise.all(['xml', 'atom', 'json'].map(async (format) =>
    (await actor(app, {}).get(`/feeds/${project}.${format}`)).payload))
  for (const text of await feeds()) t.match(text, `urn:content:${id}`)
  await put(`/${id}`, { title: 'Fed again', body_markdown: 'Another text.' })
  t.match(await json(`/${id}`), { status: 'published', published_version: 1, has_unpublished_changes: true })
  for (const text of await feeds()) t.notMatch(text, /Fed again/)
  await approve(app, id)
  await post(`/${id}/publish`)
  await work(id)
  t.same(await states(id), ['feed publish succeeded', 'feed update succeeded'])
  const [rss = '', , feed = ''] = await feeds()
  t.match(rss, `<guid isPermaLink="false">urn:content:${id}</guid>`)
  t.match(JSON.parse(feed).items, [{ id: `urn:content:${id}`, title: 'Fed again' }])
  const closed = await makeReady('Closed', [{ kind: 'feed', name: 'Feed' }])
  t.equal((await actor(app, {}).get(`/feeds/${closed.project}.xml`)).statusCode, 401)
  t.equal((await get(`/feeds/${closed.project}.xml`)).statusCode, 200)
  for (const name of [`${missing}.xml`, `${closed.project}.txt`, 'x', `${'-'.repeat(36)}.xml`]) {
    t.equal((await get(`/feeds/${name}`)).statusCode, 404, name)
    t.equal((await actor(app, {}).get(`/feeds/${name}`)).statusCode, 401, `${name}, a stranger`)
  }
})

t.test('a title is text in every target, and every feed has its author', async (t) => {
  const { id, project } = await makeReady('Vec', targets('/Vec').slice(1))
  await put(`/${id}`, { title: 'Vec<T> & friends', summary: 'A <T> of <script>x</script>.', body_markdown: 'Text.' })
  await approve(app, id)
  await post(`/${id}/publish`)
  await work(id)
  const read = async (format: string) => (await actor(app, {}).get(`/feeds/${project}.${format}`)).payload
  t.match(await read('xml'), '<title><![CDATA[Vec&lt;T&gt; &amp; friends]]></title>')
  t.match(await read('xml'), '<![CDATA[A &lt;T&gt; of &lt;script&gt;x&lt;/script&gt;.]]>')
  t.match(await read('atom'), '<title type="html"><![CDATA[Vec&lt;T&gt; &amp; friends]]></title>')
  t.match(await read('atom'), /<author>\s*<name>News<\/name>/)
  t.match(JSON.parse(await read('json')).items,
    [{ title: 'Vec<T> & friends', summary: 'A <T> of <script>x</script>.' }])
})

t.test('what XML cannot hold is refused, and never leaves what came some other way', async (t) => {
  const { id, project } = await makeReady('Bell', targets('/Bell').slice(1))
  for (const [character, name] of [['\u0007', 'U+0007'], ['\ufffe', 'U+FFFE'], ['\u001b', 'U+001B']]) {
    const answer = await put(`/${id}`, { title: 'Bell', body_markdown: 'Text.', tags: ['one', `two${character}`] })
    t.match(answer.json(), {
      status: 400,
      code: 'invalid_text',
      errors: [{ pointer: '/tags/1', message: `holds the control character ${name}: take it out` }]
    })
  }
  t.match((await put(`/brands/${project}`, { name: 'A\u0001' })).json(), { code: 'invalid_text' }, 'of a brand too')
  t.match(await json(`/${id}`), { head_version: 1 }, 'nothing is written')
  const [{ body }] = await app.db.selectFrom('content_version').select('body').where('content_id', '=', id).execute() as
    [{ body: object }]
  const odd = { title: 'Bell\u0007', summary: 'Rung\u0001', body_markdown: 'Once\u000bor twice' }
  const changed = JSON.stringify({ ...body, ...odd })
  await app.db.updateTable('content_version').set({ body: changed }).where('content_id', '=', id).execute()
  await post(`/${id}/publish`)
  await work(id)
  for (const format of ['xml', 'atom', 'json']) {
    const { payload } = await actor(app, {}).get(`/feeds/${project}.${format}`)
    t.match(payload, 'Bell\ufffd', format)
    t.notMatch(payload, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\\u00(0[0-8bcef]|1)/, format)
  }
})

t.test('an approval is withdrawn: neither at once nor as scheduled is it published', async (t) => {
  const { id } = await makeReady('Taken', targets('/Taken').slice(0, 1))
  const year = new Date().getUTCFullYear() + 1
  await post(`/${id}/publish`, { publish_at: `${year}-01-10T09:00:00Z` })
  await put(`/${id}`, { title: 'Taken', body_markdown: 'A newer text.' })
  const move = (input: object) => post(`/${id}/transitions`, input)
  await move({ to: 'in_review' })
  await move({ to: 'draft', comment: 'Not this either' })
  t.match((await move({ to: 'withdrawn', version: 2 })).json(), { status: 412, code: 'stale_revision' })
  t.match((await move({ to: 'withdrawn', version: 1 })).json(), { approved_version: null, head_version: 2 })
  t.match((await post(`/${id}/publish`)).json(), { status: 409, code: 'version_not_approved' })
  t.match((await post(`/${id}/publish`, { version: 1 })).json(), { status: 409, code: 'version_not_approved' })
  await app.db.updateTable('content_publication').set({
    publish_at: new Date(Date.now() - 1000), next_attempt_at: new Date(0)
  }).where('content_id', '=', id).execute()
  await app.jobs.enqueue(app.db, 'content.sweep', {})
  await app.jobs.drain()
  t.match((await json(`/${id}/publications`)).items, [{ state: 'failed', error: 'version_not_approved' }])
  t.same(at('/Taken'), [])
})

t.test('a version that was superseded is not published', async (t) => {
  const { id } = await makeReady('Old', targets('/Old').slice(0, 1))
  await put(`/${id}`, { title: 'Old', body_markdown: 'A newer text.' })
  await approve(app, id)
  t.match((await post(`/${id}/publish`, { version: 1 })).json(),
    { status: 409, code: 'version_not_approved', detail: 'Version 1 was superseded: version 2 is approved' })
  t.match((await post(`/${id}/publish`)).json(), { items: [{ version: 2 }] })
})

t.test('a reader that holds the newest feed is not sent it again', async (t) => {
  const { id, project } = await makeReady('Fresh', targets('/Fresh').slice(1))
  await post(`/${id}/publish`)
  await work(id)
  const ask = (headers: Record<string, string>) => actor(app, {}).get(`/feeds/${project}.atom`, headers)
  const first = await ask({})
  const etag = String(first.headers.etag)
  const since = String(first.headers['last-modified'])
  const held: Record<string, string>[] =
    [{ 'if-none-match': etag }, { 'if-none-match': `"x", W/${etag}` }, { 'if-modified-since': since }]
  for (const headers of held) {
    const again = await ask(headers)
    t.same([again.statusCode, again.payload, again.headers.etag], [304, '', etag], JSON.stringify(headers))
  }
  const earlier = new Date(Date.parse(since) - 1_000).toUTCString()
  t.equal((await ask({ 'if-modified-since': earlier })).statusCode, 200)
  t.equal((await ask({ 'if-none-match': '"x"', 'if-modified-since': since })).statusCode, 200)
  await post(`/${id}/unpublish`)
  await work(id)
  t.equal((await ask({ 'if-none-match': etag })).statusCode, 200, 'what left the feed changed it')
})

t.test('what is live is taken back from every target; live records are not deleted', async (t) => {
  const { id, project } = await makeReady('Back')
  t.match((await post(`/${id}/unpublish`)).json(), { status: 422, code: 'no_target' })
  await post(`/${id}/publish`)
  await work(id)
  t.match((await remove(`/${id}`)).json(), { status: 409, code: 'content_live' })
  t.match((await post(`/${id}/transitions`, { to: 'archived' })).json(), { status: 409, code: 'content_live' })
  t.match((await put(`/brands/${project}`, {})).json(), { status: 409, code: 'target_in_use' })
  t.equal((await post(`/${id}/unpublish`)).statusCode, 202)
  await work(id)
  t.match(await json(`/${id}`), { status: 'approved', published_version: null })
  t.match(JSON.parse(at('/Back')[1]?.body ?? ''), { type: 'content.unpublished', data: { content: { id } } })
  t.notMatch((await get(`/feeds/${project}.json`)).payload, `urn:content:${id}`)
  await post(`/${id}/publish`)
  await work(id)
  t.equal(at('/Back').length, 3, 'it may be published again')
})

t.test('(13) a schedule pins its version, survives a restart of the jobs, and follows the clocks', async (t) => {
  const { id } = await makeReady('Later', targets('/Later').slice(0, 1))
  const year = new Date().getUTCFullYear() + 1
  const zurich = { timezone: 'Europe/Zurich' }
  const winter = await post(`/${id}/publish`, { publish_at: `${year}-01-10T09:00:00`, ...zurich })
  t.match(winter.json(), { items: [{ state: 'scheduled', publish_at: `${year}-01-10T08:00:00.000Z` }] })
  t.match(await json(`/${id}`), { status: 'scheduled', scheduled_version: 1 })
  await put(`/${id}`, { title: 'Later', body_markdown: 'Edited since.' })
  const due = { publish_at: new Date(Date.now() - 1000), next_attempt_at: new Date(0) }
  await app.db.updateTable('content_publication').set(due)
    .where('content_id', '=', id).execute()
  await app.jobs.enqueue(app.db, 'content.sweep', {})
  await app.jobs.drain()
  t.match(JSON.parse(at('/Later')[0]?.body ?? ''), { data: { content: { version: 1 } } })
  t.match(await json(`/${id}`), { status: 'published', published_version: 1, has_unpublished_changes: true })
  const summer = await makeReady('Summer', targets('/Summer').slice(0, 1))
  const june = await post(`/${summer.id}/publish`, { publish_at: `${year}-06-10T09:00:00`, ...zurich })
  t.match(june.json(), { items: [{ publish_at: `${year}-06-10T07:00:00.000Z` }] })
  const [{ id: publication }] = june.json().items
  t.match((await post(`/${summer.id}/publications/${publication}/cancel`)).json(), { state: 'cancelled' })
  t.match(await json(`/${summer.id}`), { status: 'approved', scheduled_version: null })
})

t.test('a time that is not clear is refused', async (t) => {
  const { id } = await makeReady('Times')
  const zurich = { timezone: 'Europe/Zurich' }
  const cases: [object, number, string][] = [
    [{ publish_at: '2020-01-01T00:00:00Z' }, 422, 'publish_at_past'],
    [{ publish_at: '2099-01-01T00:00:00Z' }, 422, 'too_far'],
    [{ publish_at: '2027-01-01T00:00:00' }, 422, 'timezone_required'],
    [{ publish_at: '2027-10-31T02:30:00', ...zurich }, 422, 'local_time_ambiguous'],
    [{ publish_at: '2027-03-28T02:30:00', ...zurich }, 422, 'local_time_nonexistent'],
    [{ publish_at: '2027-13-01T00:00:00', ...zurich }, 400, 'invalid_request'],
    [{ publish_at: '2027-01-01T00:00:00', timezone: 'Mars/Base' }, 400, 'invalid_request'],
    [{ targets: [missing] }, 400, 'invalid_request'],
    [{ version: 9 }, 404, 'not_found']
  ]
  for (const [payload, status, code] of cases) {
    t.match((await post(`/${id}/publish`, payload)).json(), { status, code }, JSON.stringify(payload))
  }
  t.same((await json(`/${id}/publications`)).items, [])
  const later = await post(`/${id}/publish`, { publish_at: '2027-10-31T02:30:00', ...zurich, disambiguation: 'later' })
  t.match(later.json(), { items: [{ publish_at: '2027-10-31T01:30:00.000Z' }, {}] })
})

t.test('(15) what is not approved is not published; a restored version is a draft', async (t) => {
  const { id, project } = await makeReady('Guarded')
  await post(`/${id}/publish`)
  await work(id)
  const restored = await post(`/${id}/versions/1/restore`)
  t.match(restored.json(), { status: 'published', published_version: 1 })
  await put(`/${id}`, { title: 'Guarded', body_markdown: 'New.' })
  t.match((await post(`/${id}/versions/1/restore`)).json(), { review_state: 'draft', head_version: 3 })
  t.match((await post(`/${id}/publish`, { version: 3 })).json(), { status: 409, code: 'version_not_approved' })
  const fresh = await makeContent(app, project, { title: 'Fresh', body_markdown: 'Fresh.' })
  t.match((await post(`/${fresh.id}/publish`)).json(), { status: 409, code: 'version_not_approved' })
  await post(`/${fresh.id}/transitions`, { to: 'archived' })
  t.match((await post(`/${fresh.id}/publish`)).json(), { status: 409, code: 'content_archived' })
  const free = await makeOpenProject(app, 'Free', { approval: { required: false }, publish_targets: targets('/Free') })
  const wrong = await makeContent(app, free, { title: 'Wrong', body_markdown: 'TODO' })
  t.match((await post(`/${wrong.id}/publish`)).json(), { status: 409, code: 'content_incomplete' })
})

t.test('an overdue publication is marked, and counted in the metrics', async (t) => {
  const { id } = await makeReady('Overdue')
  const { items } = (await post(`/${id}/publish`)).json()
  t.same(items.map(({ overdue }: { overdue: boolean }) => overdue), [false, false])
  const late = { next_attempt_at: new Date(Date.now() - 600_000) }
  await app.db.updateTable('content_publication').set(late).where('content_id', '=', id).execute()
  t.same((await json(`/${id}/publications`)).items.map(({ overdue }: { overdue: boolean }) => overdue), [true, true])
  const metrics = await app.inject({ url: '/metrics', headers: asAdmin })
  t.match(metrics.payload, /^steward_publications_overdue 2$/m)
  await work(id)
  t.same(await states(id), ['feed publish succeeded', 'webhook publish succeeded'])
})

t.test('the brand decides who may publish', async (t) => {
  const { id, project } = await makeReady('Closely')
  await setBrand(app, project, {
    ...await json(`/brands/${project}`), approval: { self_approval: true, publishers: 'admin' }
  })
  const member = actor(app, (await makePerson(app, 'Pub', 'member')).headers)
  const viewer = actor(app, (await makePerson(app, 'Pub Viewer', 'viewer')).headers)
  t.match((await member.post(`/${id}/publish`)).json(), { status: 403, code: 'not_publisher' })
  t.match((await viewer.post(`/${id}/publish`)).json(), { status: 403, code: 'insufficient_role' })
  for (const path of ['publish', 'unpublish', `publications/${missing}/cancel`, `publications/${missing}/retry`]) {
    t.equal((await post(`/${missing}/${path}`)).statusCode, 404, path)
  }
  t.equal((await get(`/${missing}/publications`)).statusCode, 404)
})
