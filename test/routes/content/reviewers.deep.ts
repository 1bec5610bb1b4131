import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { callerOf, startReceiver, work } from '../channels/world.js'
import { actor, makeContent, makeOpenProject, makeProject, missing, setBrand } from './actors.js'

const { app } = await startChatApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, put, json } = actor(app)
const [ada, ben, vera] = [await makePerson(app, 'Ada', 'approver'), await makePerson(app, 'Ben', 'approver'),
  await makePerson(app, 'Vera', 'viewer')]
const project = await makeOpenProject(app, 'Reviews')
const write = async (title: string, where = project): Promise<string> => (await makeContent(app, where, { title })).id
const assign = (id: string, user_id: string | null, headers: Record<string, string> = {}) =>
  put(`/${id}/reviewer`, { user_id }, headers)

t.test('of more people than are read at first, one is found by name', async (t) => {
  const id = await write('Many')
  const { workspace_id } = app.home
  const many = Array.from({ length: 120 }, (_, count) => ({
    workspace_id, id: randomUUID(), name: `Reviewer ${count}`, role: 'approver' as const, status: 'active' as const
  }))
  await app.db.insertInto('account_user').values(many).execute()
  t.equal((await get(`/${id}/reviewer`)).json().candidates.length, 100)
  const { candidates } = (await get(`/${id}/reviewer?q=viewer%20119`)).json()
  t.same(candidates, [{ id: many[119]?.id, name: 'Reviewer 119' }])
  t.same((await get(`/${id}/reviewer?q=vera`)).json().candidates, [], 'who may not approve is not found')
  await app.db.deleteFrom('account_user').where('id', 'in', many.map((one) => one.id)).execute()
})

t.test('a person who may approve is assigned, and shown in the record and in lists', async (t) => {
  const id = await write('Assigned')
  const before = (await get(`/${id}/reviewer`)).json()
  t.same(before.candidates.map(({ name }: { name: string }) => name).toSorted(), ['Ada', 'Administrator', 'Ben'])
  t.notOk(before.candidates.some((one: { id: string }) => one.id === vera.id))
  const assigned = await assign(id, ada.id)
  t.same(assigned.json(), {
    content_id: id,
    reviewer: { id: ada.id, name: 'Ada' },
    may_approve: true,
    why_not: null,
    decides_alone: false,
    approved_by: null,
    candidates: before.candidates,
    revision: 2
  })
  t.equal((await json(`/${id}`)).reviewer, ada.id)
  t.same((await json(`/?reviewer=${ada.id}`)).items.map((one: { id: string }) => one.id), [id])
  t.same((await json(`/?reviewer=${ben.id}`)).items, [])
  t.match((await assign(id, ben.id, { 'if-match': '"r1"' })).json(), { status: 412, code: 'stale_revision' })
  t.match((await assign(id, null)).json(), { reviewer: null, may_approve: false, why_not: null })
  t.equal((await json(`/${id}`)).reviewer, null)
})

t.test('who may not approve is no reviewer: without the role, unknown, disabled, or the author', async (t) => {
  const id = await write('Refused')
  t.match((await assign(id, vera.id)).json(), { status: 422, code: 'reviewer_not_allowed', detail: /no approver/ })
  t.match((await assign(id, missing)).json(), { status: 422, code: 'reviewer_not_allowed', detail: /no such person/ })
  const strict = await write('By the admin', await makeProject(app, 'Strict'))
  t.match((await assign(strict, app.home.admin_id)).json(),
    { status: 422, code: 'reviewer_not_allowed', detail: /wrote the newest version/ })
})

t.test('a reviewer who is removed from the workspace is shown so, and another one is assigned', async (t) => {
  const carl = await makePerson(app, 'Carl', 'approver')
  const id = await write('Left')
  await assign(id, carl.id)
  await app.inject({
    method: 'PATCH', url: `/account/users/${carl.id}`, headers: asAdmin, payload: { status: 'disabled' }
  })
  t.match((await get(`/${id}/reviewer`)).json(),
    { reviewer: { name: 'Carl' }, may_approve: false, why_not: 'disabled' })
  t.match((await assign(await write('Other'), carl.id)).json(), { code: 'reviewer_not_allowed', detail: /disabled/ })
  t.match((await assign(id, ben.id)).json(), { reviewer: { name: 'Ben' }, may_approve: true })
})

t.test('others may approve, unless the brand lets only the reviewer', async (t) => {
  const id = await write('By anybody')
  await assign(id, ada.id)
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.equal((await post(`/${id}/transitions`, { to: 'approved' })).json().review_state, 'approved')
  t.match(await json(`/${id}/reviewer`), { approved_by: { id: app.home.admin_id, name: 'Administrator' } })
  const strict = await makeProject(app, 'By the reviewer')
  await setBrand(app, strict, { approval: { self_approval: true, by_reviewer: true } })
  const other = await write('By Ada alone', strict)
  await assign(other, ada.id)
  await post(`/${other}/transitions`, { to: 'in_review' })
  t.match((await post(`/${other}/transitions`, { to: 'approved' })).json(),
    { status: 403, code: 'not_reviewer', reviewer: ada.id })
  t.match((await json(`/${other}/reviewer`)), { decides_alone: true })
  const byAda = await actor(app, ada.headers).post(`/${other}/transitions`, { to: 'approved' })
  t.equal(byAda.json().review_state, 'approved')
})

t.test('the reviewer hears of it by their channels, once; who sees nothing of it does not', async (t) => {
  const receiver = await startReceiver(t)
  const body = { kind: 'webhook', name: 'Reviews', address: receiver.url, events: ['review'] }
  await callerOf(app)(ada.headers, 'POST', '', body)
  const id = await write('Told <b>you</b>')
  await assign(id, ada.id)
  await post(`/${id}/transitions`, { to: 'in_review' })
  await post(`/${id}/transitions`, { to: 'approved' })
  for (let round = 0; round < 3; round++) await work(app)
  const heard = receiver.got.map(({ body: text }) => JSON.parse(text))
  t.match(heard.map(({ data }) => data.title).toSorted(), [
    /approved “Told <b>you<\/b>”, which you were to review$/,
    '“Told <b>you</b>” waits for your review',
    'You were asked to review “Told <b>you</b>”'
  ].toSorted((one, other) => String(one) < String(other) ? -1 : 1))
  t.ok(heard.every(({ type, data }) => type === 'review' && data.url.endsWith(`/#/content/${id}`)))
  const own = await write('By Ada')
  await actor(app, ada.headers).put(`/${own}/reviewer`, { user_id: ada.id })
  for (let round = 0; round < 2; round++) await work(app)
  t.equal(receiver.got.length, 3, 'who assigns themselves is not told')
})
