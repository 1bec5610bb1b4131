import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { actor, generate, makeSession, missing } from './actors.js'

const app = await workspace(t)
const admin = actor(app)
const [ada, max] = [await makePerson(app, 'Ada', 'member'), await makePerson(app, 'Max', 'member')]
const [owner, colleague] = [actor(app, ada.headers), actor(app, max.headers)]
const text = 'The system must keep a parcel for three days.'

const makeOwn = async (title: string): Promise<string> =>
  `/sessions/${(await owner.post('/sessions', { title, inputs: [{ kind: 'text', text }] })).json().session_id}`

const notOwner = {
  type: 'urn:steward:error:not_owner',
  title: 'Only an admin may do this with a record of another person',
  status: 403,
  detail: 'Somebody else made it: ask that person, or an admin',
  code: 'not_owner',
  owner_id: ada.id
}

t.test('only the owner of a session or an admin may delete, undelete, archive or restore it', async (t) => {
  const path = await makeOwn('Owned')
  const before = await owner.json(path)
  t.same(problemOf(await colleague.remove(path)), notOwner)
  t.same(problemOf(await colleague.post(`${path}/transitions`, { to: 'archived' })), notOwner)
  t.same(await owner.json(path), before)

  t.equal((await owner.post(`${path}/transitions`, { to: 'archived' })).statusCode, 200)
  t.same(problemOf(await colleague.post(`${path}/transitions`, { to: 'restored' })), notOwner)
  t.match((await admin.post(`${path}/transitions`, { to: 'restored' })).json(), { state: 'open' })

  t.match((await owner.remove(path, { 'if-match': '"r1"' })).json(), { code: 'stale_revision' })
  t.equal((await owner.remove(path)).statusCode, 204)
  t.same(problemOf(await colleague.post(`${path}/undelete`)), notOwner)
  t.equal((await admin.post(`${path}/undelete`)).statusCode, 200)
  t.equal((await admin.remove(path)).statusCode, 204)
  t.equal((await owner.post(`${path}/undelete`)).statusCode, 200)
})

t.test('every operation hides a deleted session, and undelete restores it unchanged', async (t) => {
  const { path, id } = await makeSession(app, text)
  await generate(app, path)
  const [before, spec] = [await admin.json(path), await admin.json(`${path}/versions/1`)]
  t.equal((await admin.remove(path)).statusCode, 204)
  const gone: [Parameters<typeof admin.call>[0], string, object?][] = [
    ['GET', ''], ['GET', '/inputs'], ['GET', '/versions'], ['GET', '/versions/1'], ['GET', '/generations'],
    ['GET', '/diff'], ['GET', '/events'], ['PATCH', '', { title: 'x' }], ['DELETE', ''],
    ['POST', '/inputs', { inputs: [{ kind: 'text', text }] }], ['POST', '/generate', { engine: 'template' }],
    ['POST', '/transitions', { to: 'archived' }]
  ]
  for (const [method, part, payload] of gone) {
    const answer = await admin.call(method, path + part, payload)
    t.same([answer.statusCode, answer.json().code], [404, 'not_found'], `${method} ${part}`)
  }
  const listed = (await admin.json('/sessions?limit=100')).items as { session_id: string }[]
  t.notOk(listed.some(({ session_id: one }) => one === id))

  const back = await admin.post(`${path}/undelete`)
  const after = back.json()
  t.equal(back.headers.etag, `"r${after.revision}"`)
  t.same(after, { ...before, revision: before.revision + 2, updated_at: after.updated_at })
  t.same(await admin.json(`${path}/versions/1`), spec)
  t.equal((await admin.post(`${path}/undelete`)).statusCode, 404, 'undelete needs a deleted session')
  t.equal((await admin.post(`/sessions/${missing}/undelete`)).statusCode, 404)
  const reader = actor(app, (await makeToken(app, ada.headers, ['pse:read'])).headers)
  t.match((await reader.post(`${path}/undelete`)).json(), { code: 'insufficient_scope' })
})

t.test('the purge removes only sessions deleted more than 30 days ago, with all their rows', async (t) => {
  const sessions = [await makeSession(app, text), await makeSession(app, text), await makeSession(app, text)]
  const [old, recent, live] = sessions.map(({ path }) => path) as [string, string, string] // Three of three.
  for (const path of [old, recent, live]) await generate(app, path)
  for (const path of [old, recent]) await admin.remove(path)
  const ids = sessions.map(({ id }) => id)
  await app.db.updateTable('pse_session').set({ deleted_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', ids[0] ?? '').execute()
  t.equal((await admin.post(`${old}/undelete`)).statusCode, 404)
  await app.jobs.enqueue(app.db, 'pse.purge', {})
  await app.jobs.drain()
  for (const table of ['pse_input', 'pse_version', 'pse_generation'] as const) {
    const left = await app.db.selectFrom(table).select('session_id').distinct().where('session_id', 'in', ids)
      .orderBy('session_id').execute()
    t.same(left.map(({ session_id: id }) => id), ids.slice(1), table)
  }
  const events = await app.db.selectFrom('stream_event').select('stream_id').distinct().where('stream_id', 'in', ids)
    .orderBy('stream_id').execute()
  t.same(events.map(({ stream_id: id }) => id), ids.slice(1))
  t.equal((await admin.post(`${recent}/undelete`)).statusCode, 200)
})
