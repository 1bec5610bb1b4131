import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, makeContent, makeProject, missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, post, put, call, json } = actor(app)
const project = await makeProject(app, 'Comments')

interface Thread {
  id: string
  passage: string
  anchor: { version: number, field: string, start: number, end: number, exact: string } | null
  quote: { exact: string }
  revision: number
}

const write = async (text: string, more: object = {}): Promise<string> =>
  (await makeContent(app, project, { title: `Text ${Math.random()}`, body_markdown: text, ...more })).id

const edit = async (id: string, body_markdown: string, more: object = {}) => {
  const { title, slug } = await json(`/${id}`)
  const answer = await put(`/${id}`, { title, slug, body_markdown, ...more })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
}

const comment = async (id: string, exact: string, more: object = {}): Promise<Thread> => {
  const answer = await post(`/${id}/comments`,
    { text: 'Is this so?', passage: { field: 'body_markdown', exact, ...more } })
  if (answer.statusCode !== 201) throw new Error(answer.payload)
  return answer.json()
}

const threads = async (id: string): Promise<Thread[]> => (await json(`/${id}/comments`)).items
const anchorOf = async (id: string) => (await threads(id))[0]?.anchor ?? null

t.test('a comment is on the words of a version, with who wrote it and when', async (t) => {
  const id = await write('One tap pays. It is quick.')
  const made = await post(`/${id}/comments`,
    { text: '<img src=x onerror=alert(1)> Is it?', passage: { field: 'body_markdown', exact: 'It is quick' } })
  t.equal(made.statusCode, 201)
  const thread = made.json()
  const [first] = thread.comments
  t.same(thread, {
    id: thread.id,
    content_id: id,
    status: 'open',
    version: 1,
    field: 'body_markdown',
    quote: { type: 'TextQuoteSelector', exact: 'It is quick', prefix: 'One tap pays. ', suffix: '.' },
    position: { type: 'TextPositionSelector', start: 14, end: 25 },
    passage: 'same',
    anchor: { version: 1, field: 'body_markdown', start: 14, end: 25, exact: 'It is quick' },
    comments: [{
      id: first.id,
      author: { id: app.home.admin_id, name: first.author.name },
      text: '<img src=x onerror=alert(1)> Is it?',
      created_at: first.created_at,
      edited_at: null,
      deleted_at: null
    }],
    resolved_by: null,
    resolved_at: null,
    revision: 1,
    created_at: thread.created_at,
    updated_at: thread.updated_at
  })
  t.ok(first.author.name)
  t.same((await get(`/${id}/comments`)).json(), { items: [thread], next_cursor: null })
  t.equal((await json(`/${id}`)).revision, 1, 'a comment does not hinder who edits the text')
})

t.test('a comment stays on its passage while the text around it changes', async (t) => {
  const id = await write('Alpha is first.\n\nBeta is the second one.\n\nGamma is last.')
  await comment(id, 'the second one')
  await edit(id, 'A new beginning.\n\nAlpha is first.\n\nBeta is the second one.\n\nGamma is last.')
  t.match(await anchorOf(id), { version: 2, start: 43, exact: 'the second one' })
  await edit(id, 'Beta is the second one.\n\nGamma is last.')
  t.match(await anchorOf(id), { version: 3, start: 8, exact: 'the second one' })
})

t.test('words that occur three times: the comment stays on those it was made on', async (t) => {
  const text = 'Alpha pays with a tap. Beta pays with a tap. Gamma pays with a tap.'
  const id = await write(text)
  const passage = { field: 'body_markdown', exact: 'pays with a tap' }
  const starts = [...text.matchAll(/pays with a tap/g)].map(({ index }) => index)
  t.match((await post(`/${id}/comments`, { text: 'Which?', passage })).json(),
    { status: 422, code: 'passage_ambiguous', starts })
  await comment(id, passage.exact, { prefix: 'Beta ' })
  t.equal((await anchorOf(id))?.start, starts[1], 'the context says which')
  await edit(id, text.replace('Alpha pays with a tap. ', ''))
  t.match(await anchorOf(id), { start: 5, exact: passage.exact }, 'the one before it is gone')
  await edit(id, text)
  t.equal((await anchorOf(id))?.start, starts[1], 'and is back')
  await edit(id, text.replace('Beta pays with a tap. ', ''))
  t.match(await threads(id), [{ passage: 'gone', anchor: null, quote: { exact: passage.exact } }],
    'the same words elsewhere are not its passage')
  await call('POST', `/${id}/versions/1/restore`)
  t.match(await threads(id), [{ passage: 'same', anchor: { version: 5, start: starts[1] } }], 'nothing is lost')
})

t.test('a passage that is edited from the middle keeps its comment, and is shown as changed', async (t) => {
  const id = await write('We ship the parcel to your locker within a day of the order.')
  await comment(id, 'the parcel to your locker within a day')
  await edit(id, 'We ship the parcel straight to your nearest locker within a day of the order.')
  t.match(await threads(id),
    [{ passage: 'changed', anchor: { exact: 'the parcel straight to your nearest locker within a day' } }])
  await edit(id, 'We ship a box straight to your nearest locker within a day of the order.')
  t.match(await threads(id),
    [{ passage: 'changed', anchor: { exact: 'a box straight to your nearest locker within a day' } }])
  await edit(id, 'We ship the parcel to your locker within a day of the order.')
  t.match(await threads(id), [{ passage: 'same', anchor: { exact: 'the parcel to your locker within a day' } }])
  await edit(id, 'Something else entirely.')
  t.match(await threads(id),
    [{ passage: 'gone', anchor: null, quote: { exact: 'the parcel to your locker within a day' } }])
})

t.test('a passage that is moved is found by its words', async (t) => {
  const id = await write('First comes the long introduction of it all.\n\nThen comes the rest.\n\nAnd an end.')
  await comment(id, 'the long introduction of it all')
  await edit(id, 'Then comes the rest.\n\nAnd an end.\n\nLast comes the long introduction of it all.')
  t.match(await anchorOf(id), { exact: 'the long introduction of it all', start: 46 })
})

t.test('a comment on an earlier version lands in the newest one; on words that are not there, nowhere', async (t) => {
  const id = await write('Old words. Kept words.')
  await edit(id, 'New words here. Kept words.')
  t.match(await comment(id, 'Kept words', { version: 1 }), { version: 1, anchor: { version: 2, start: 16 } })
  t.match(await comment(id, 'Old words', { version: 1 }),
    { version: 1, passage: 'changed', anchor: { exact: 'New words' } })
  const passage = { field: 'body_markdown', exact: 'Old words' }
  t.match((await post(`/${id}/comments`, { text: 'No', passage })).json(), { status: 422, code: 'passage_not_found' })
  t.match((await post(`/${id}/comments`, { text: 'No', passage: { ...passage, version: 9 } })).json(), { status: 404 })
})

t.test('a comment on a post follows it when posts change places', async (t) => {
  const posts = [{ text: 'One tap pays for all of it.' }, { text: 'The second post has more of the words.' }]
  const id = await write('', { channel: 'social', network: 'linkedin', fields: { posts } })
  await post(`/${id}/comments`, { text: 'Hm', passage: { field: 'fields.posts.1', exact: 'has more of the words' } })
  await edit(id, '', { fields: { posts: posts.toReversed() } })
  t.match(await anchorOf(id), { field: 'fields.posts.0', exact: 'has more of the words' })
})

t.test('a thread is replied to, resolved and opened again; of two who resolve at once one is refused', async (t) => {
  const id = await write('One tap pays. It is quick.')
  const { id: thread } = await comment(id, 'quick')
  const ada = actor(app, (await makePerson(app, 'Ada', 'operator')).headers)
  const replied = await ada.post(`/${id}/comments/${thread}/replies`, { text: 'It is.' })
  t.equal(replied.statusCode, 201)
  t.match(replied.json().comments, [{ text: 'Is this so?' }, { text: 'It is.', author: { name: 'Ada' } }])
  const settle = (revision: number, resolved = true) =>
    ada.call('PATCH' as 'PUT', `/${id}/comments/${thread}`, { resolved }, { 'if-match': `"r${revision}"` })
  t.match((await settle(1)).json(), { status: 412, code: 'stale_revision' })
  t.match((await settle(2)).json(), { status: 'resolved', resolved_by: { name: 'Ada' }, revision: 3 })
  t.same((await json(`/${id}/comments?status=open`)).items, [])
  t.match((await settle(3, false)).json(), { status: 'open', resolved_by: null, resolved_at: null })
  t.equal((await json(`/${id}/comments?status=resolved`)).items.length, 0)
})

t.test('two editors at once: the second is refused, and the comment is where the first left it', async (t) => {
  const id = await write('Alpha beta gamma delta.')
  await comment(id, 'gamma delta')
  const { title, slug } = await json(`/${id}`)
  const save = (text: string) => put(`/${id}`, { title, slug, body_markdown: text }, { 'if-match': '"r1"' })
  const both = await Promise.all([save('One more. Alpha beta gamma delta.'), save('Two more. Alpha beta gamma delta.')])
  t.same(both.map(({ statusCode }) => statusCode).toSorted(), [200, 412])
  t.match(await anchorOf(id), { version: 2, start: 21, exact: 'gamma delta' })
})

t.test('who may not propose does not comment; others\' records are not there; the archive is read only', async (t) => {
  const id = await write('One tap pays.')
  const passage = { field: 'body_markdown', exact: 'tap' }
  const vera = actor(app, (await makePerson(app, 'Vera', 'viewer')).headers)
  t.match((await vera.post(`/${id}/comments`, { text: 'No', passage })).json(),
    { status: 403, code: 'insufficient_role' })
  t.equal((await vera.get(`/${id}/comments`)).statusCode, 200)
  t.equal((await post(`/${missing}/comments`, { text: 'No', passage })).statusCode, 404)
  t.equal((await post(`/${id}/comments/${missing}/replies`, { text: 'No' })).statusCode, 404)
  await post(`/${id}/transitions`, { to: 'archived' })
  t.match((await post(`/${id}/comments`, { text: 'No', passage })).json(), { status: 409, code: 'content_archived' })
})

t.test('what is no passage is refused', async (t) => {
  const id = await write('One tap pays.')
  const statusOf = async (passage: object, text = 'No') => (await post(`/${id}/comments`, { text, passage })).statusCode
  t.equal(await statusOf({ field: 'constructor', exact: 'tap' }), 400)
  t.equal(await statusOf({ field: 'body_markdown', exact: '' }), 400)
  t.equal(await statusOf({ field: 'body_markdown', exact: 'tap' }, '  '), 400)
  t.equal(await statusOf({ field: 'fields.posts.7', exact: 'tap' }), 422)
})
