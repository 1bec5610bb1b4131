import t from '../../tap.js'
import { makePerson } from '../account/actors.js'
import { workspace } from '../../app.js'
import { actor, makeBrief, makeProject, missing, input } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, post, put, remove, json } = actor(app)
const project = await makeProject(app, 'Launch')

t.test('a brief is made, read, changed and archived', async (t) => {
  const made = await post('/briefs', input(project))
  const brief = made.json()
  t.same([made.statusCode, made.headers.etag, made.headers.location], [201, '"r1"', `/content/briefs/${brief.id}`])
  t.same(brief, {
    id: brief.id,
    status: 'draft',
    ...input(project),
    goal: '',
    channels: [{ channel: 'blog', length: 'medium' }],
    locales: [],
    keywords: [],
    must_include: [],
    must_avoid: [],
    revision: 1,
    created_by: app.home.admin_id,
    created_at: brief.created_at,
    updated_at: brief.created_at
  })
  t.same((await get(`/briefs/${brief.id}`)).json(), brief)
  const changed = await put(`/briefs/${brief.id}`, { ...brief, title: 'Pay with one tap' }, { 'if-match': '"r1"' })
  t.same(changed.json(), { ...brief, title: 'Pay with one tap', revision: 2, updated_at: changed.json().updated_at })
  t.match((await put(`/briefs/${brief.id}`, brief, { 'if-match': '"r1"' })).json(), { code: 'stale_revision' })
  t.match((await put(`/briefs/${brief.id}`, { ...changed.json(), status: 'done' })).json(),
    { status: 422, code: 'read_only_field', errors: [{ pointer: '/status' }] })
  t.equal((await remove(`/briefs/${brief.id}`)).statusCode, 204)
  t.equal((await remove(`/briefs/${brief.id}`)).statusCode, 204)
  t.match((await put(`/briefs/${brief.id}`, input(project))).json(), { status: 409, code: 'brief_state' })
  t.equal((await json(`/briefs/${brief.id}`)).status, 'archived')
})

t.test('a brief moves only along the allowed transitions', async (t) => {
  const { id } = await makeBrief(app, project)
  const move = (to: string) => post(`/briefs/${id}/transitions`, { to })
  t.match((await move('ready')).json(), { status: 'ready', revision: 2 })
  t.match((await move('ready')).json(), { status: 'ready', revision: 2 })
  t.match((await move('done')).json(), { status: 'done' })
  t.match((await move('draft')).json(), { status: 409, code: 'brief_state' })
  t.match((await move('in_use')).json(), { status: 400, errors: [{ pointer: '/to' }] })
  t.match((await move('archived')).json(), { status: 'archived' })
  t.match((await move('draft')).json(), { status: 'draft' })
})

t.test('the list is filtered and paged, newest first', async (t) => {
  const other = await makeProject(app, 'Listed')
  for (const title of ['One', 'Two', 'Three']) {
    await makeBrief(app, other, { title, ...(title === 'Two' && { channels: [{ channel: 'email' }] }) })
  }
  const titles = async (query: string) =>
    (await json(`/briefs?project_id=${other}&${query}`)).items.map(({ title }: { title: string }) => title)
  t.same(await titles(''), ['Three', 'Two', 'One'])
  t.same(await titles('channel=email'), ['Two'])
  t.same(await titles('q=THR'), ['Three'])
  t.same(await titles('status=ready'), [])
  const first = await json(`/briefs?project_id=${other}&limit=2`)
  const second = await json(`/briefs?project_id=${other}&limit=2&cursor=${first.next_cursor}`)
  t.same([first.items.length, second.items.length, second.next_cursor], [2, 1, null])
  t.match(await json(`/briefs?limit=2&cursor=${first.next_cursor}`), { status: 400, code: 'invalid_cursor' })
})

t.test('bad input writes nothing and says where it is wrong', async (t) => {
  const before = (await json('/briefs?limit=100')).items.length
  const cases: [object, string, string][] = [
    [{ points: [] }, 'invalid_request', '/points'],
    [{ points: [{ text: 'x', fact_ids: ['nope'] }] }, 'invalid_request', '/points/0/fact_ids/0'],
    [{ channels: [{ channel: 'social' }] }, 'invalid_request', '/channels/0/network'],
    [{ channels: [{ channel: 'blog', network: 'x' }] }, 'invalid_request', '/channels/0/network'],
    [{ channels: [{ channel: 'fax' }] }, 'invalid_request', '/channels/0/channel'],
    [{ title: ' ' }, 'invalid_request', '/title'],
    [{ surprise: 1 }, 'unknown_field', '/surprise'],
    [{ status: 'ready' }, 'unknown_field', '/status'],
    [{ title: '\ud800' }, 'invalid_text', '/title']
  ]
  for (const [more, code, pointer] of cases) {
    const answer = (await post('/briefs', input(project, more))).json()
    t.match(answer, { status: 400, code }, JSON.stringify(more))
    t.ok(answer.errors.some((error: { pointer: string }) => error.pointer === pointer), JSON.stringify(answer.errors))
  }
  t.equal((await post('/briefs', input(missing))).statusCode, 404)
  t.equal((await json('/briefs?limit=100')).items.length, before)
})

t.test('viewers read; a foreign or missing brief is not found', async (t) => {
  const { id } = await makeBrief(app, project)
  const viewer = actor(app, (await makePerson(app, 'Vi Brief', 'viewer')).headers)
  t.equal((await viewer.get(`/briefs/${id}`)).statusCode, 200)
  for (const answer of [
    await viewer.post('/briefs', input(project)), await viewer.put(`/briefs/${id}`, input(project)),
    await viewer.remove(`/briefs/${id}`)
  ]) t.match(answer.json(), { status: 403, code: 'insufficient_role' })
  t.equal((await actor(app, {}).get('/briefs')).statusCode, 401)
  t.equal((await get(`/briefs/${missing}`)).statusCode, 404)
})

t.test('members archive and bring back their own briefs, admins any', async (t) => {
  const [ada, max] = [await makePerson(app, 'Ada Brief', 'member'), await makePerson(app, 'Max Brief', 'member')]
  const [owner, colleague] = [actor(app, ada.headers), actor(app, max.headers)]
  const path = `/briefs/${(await owner.post('/briefs', input(project))).json().id}`
  const refused = { status: 403, code: 'not_owner', owner_id: ada.id }
  t.match((await colleague.remove(path)).json(), refused)
  t.match((await colleague.post(`${path}/transitions`, { to: 'archived' })).json(), refused)
  t.equal((await colleague.post(`${path}/transitions`, { to: 'ready' })).statusCode, 200)
  t.equal((await owner.remove(path)).statusCode, 204)
  t.match((await colleague.post(`${path}/transitions`, { to: 'draft' })).json(), refused)
  t.match((await post(`${path}/transitions`, { to: 'draft' })).json(), { status: 'draft' })
  t.equal((await remove(path)).statusCode, 204)
})
