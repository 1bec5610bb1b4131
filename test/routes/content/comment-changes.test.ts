import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, makeContent, makeProject, missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const project = await makeProject(app, 'Changed comments')
const ada = await makePerson(app, 'Ada', 'operator')
const eve = await makePerson(app, 'Eve', 'operator')
const [asAda, asEve] = [actor(app, ada.headers), actor(app, eve.headers)]

interface Comment { id: string, text: string, deleted_at: string | null, edited_at: string | null }

const begin = async () => {
  const { id } = await makeContent(app, project, { title: `Text ${Math.random()}`, body_markdown: 'It is quick.' })
  const thread = (await asAda.post(`/${id}/comments`,
    { text: 'Is it?', passage: { field: 'body_markdown', exact: 'quick' } })).json()
  const path = `/${id}/comments/${thread.id}`
  const readComments = async (): Promise<Comment[]> =>
    (await asAda.json(path)).comments
  const own = async (at: number) => `${path}/replies/${(await readComments())[at]?.id}`
  const answer = (as = asEve) => as.post(`${path}/replies`, { text: 'It is.' })
  return { id, path, readComments, own, answer, revision: thread.revision as number }
}

t.test('who wrote a comment changes it, and that is shown', async (t) => {
  const { readComments, own, revision } = await begin()
  const url = await own(0)
  const changed = await asAda.call('PATCH', url, { text: 'Is it really?' }, { 'if-match': `"r${revision}"` })
  t.match([changed.statusCode, changed.headers.etag], [200, `"r${revision + 1}"`])
  const [first] = await readComments()
  t.match(first, { text: 'Is it really?', deleted_at: null })
  t.ok(first?.edited_at)
  t.match((await asAda.call('PATCH', url, { text: 'Or' }, { 'if-match': `"r${revision}"` })).json(), { status: 412 })
})

t.test('nobody changes or deletes what another wrote, an admin neither', async (t) => {
  const { readComments, own } = await begin()
  const url = await own(0)
  for (const as of [asEve, actor(app)]) {
    t.match((await as.call('PATCH', url, { text: 'No' })).json(), { status: 403, code: 'not_owner' })
    t.match((await as.remove(url)).json(), { status: 403, code: 'not_owner' })
  }
  t.match((await readComments())[0], { text: 'Is it?', edited_at: null, deleted_at: null })
})

t.test('a deleted comment that was answered leaves a trace without its text', async (t) => {
  const { readComments, own, answer } = await begin()
  await answer()
  const url = await own(0)
  t.equal((await asAda.remove(url)).statusCode, 204)
  const left = await readComments()
  t.same(left.map(({ text }) => text), ['', 'It is.'])
  t.ok(left[0]?.deleted_at)
  const stored = await app.db.selectFrom('content_comment').select('text').where('id', '=', left[0]?.id ?? '').execute()
  t.same(stored, [{ text: '' }], 'nor does the row have it')
  t.match((await asAda.remove(url)).json(), { status: 404 })
  t.match((await asAda.call('PATCH', url, { text: 'Back' })).json(), { status: 404 })
})

t.test('the trace goes with its last answer, and the thread with it', async (t) => {
  const { id, path, own, readComments, answer } = await begin()
  await answer()
  await answer(asAda)
  await asAda.remove(await own(0))
  await asAda.remove(await own(2))
  t.equal((await readComments()).length, 2, 'the last one was not answered')
  t.equal((await asEve.remove(await own(1))).statusCode, 204)
  t.match((await asAda.get(path)).json(), { status: 404 })
  t.same((await asAda.json(`/${id}/comments`)).items, [])
})

t.test('a comment of another thread, and of an archived record, is not changed', async (t) => {
  const [one, other] = [await begin(), await begin()]
  const strange = `${one.path}/replies/${(await other.readComments())[0]?.id}`
  t.match((await asAda.remove(strange)).json(), { status: 404 })
  t.match((await asAda.remove(`${one.path}/replies/${missing}`)).json(), { status: 404 })
  await actor(app).post(`/${one.id}/transitions`, { to: 'archived' })
  t.match((await asAda.remove(await one.own(0))).json(), { code: 'content_archived' })
})
