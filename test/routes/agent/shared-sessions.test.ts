import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp, type Turn } from '../../chat.js'
import { makePerson, makeToken, makeWorkspace } from '../account/actors.js'
import { marked } from './story.js'

const { app, anthropic } = await startChatApp(t)
const base = '/api/v1/agent'

type Headers = Record<string, string>

const fine: Turn = { content: [{ type: 'text', text: 'Fine.' }] }

const say = (message: string, headers: Headers, more: object = {}) =>
  chat(app, { message: `${message}\n${scripted(anthropic, [fine])}`, ...more }, headers)

const get = (path: string, headers: Headers) => app.inject({ url: `${base}${path}`, headers })

const change = (session: string, payload: object, headers: Headers) =>
  app.inject({ method: 'PATCH', url: `${base}/sessions/${session}`, headers, payload })

const pins = async (headers: Headers, query: string): Promise<[string, boolean][]> =>
  (await get(`/sessions?${query}`, headers)).json().items
    .map(({ title, pinned }: { title: string, pinned: boolean }) => [title, pinned])

t.test('a pinned session is in a list of its own, for its owner alone', async (t) => {
  const { headers } = await makePerson(app, 'Pin', 'member')
  const { session } = await say('One', headers)
  await say('Two', headers)
  t.match((await change(session, { pinned: true }, headers)).json(), { pinned: true, title: 'One', shared: false })
  t.same(await pins(headers, 'pinned=true'), [['One', true]])
  t.same(await pins(headers, 'pinned=false'), [['Two', false]])
  t.same(await pins(headers, 'limit=10'), [['Two', false], ['One', true]])
  t.match((await change(session, { pinned: false }, asAdmin)).json(), { status: 404, code: 'session_not_found' })
  t.same(await pins(headers, 'pinned=true'), [['One', true]])
  t.match((await change(session, { pinned: false }, headers)).json(), { pinned: false })
  t.same(await pins(headers, 'pinned=true'), [])
  t.match((await change(session, {}, headers)).json(), { status: 400 })
  t.match((await get('/sessions?pinned=perhaps', headers)).json(), { status: 400 })
})

t.test('everyone in the workspace reads a session that its owner shares, and nobody else does', async (t) => {
  const owner = await makePerson(app, 'Olga', 'member')
  const reader = await makePerson(app, 'Rea', 'viewer')
  const other = await makePerson(app, 'Oto', 'member')
  const elsewhere = await makeWorkspace(app, 'Elsewhere')
  const { session } = await say('What runs?', owner.headers)
  const paths = ['', '/messages'].map((path) => `/shared-sessions/${session}${path}`)
  const hidden = async (headers: Headers) => {
    for (const path of paths) {
      t.match((await get(path, headers)).json(), { status: 404, code: 'session_not_found' }, path)
    }
    t.same((await get('/shared-sessions', headers)).json(), { items: [], next_cursor: null })
  }
  await hidden(reader.headers)
  t.match((await change(session, { shared: true }, other.headers)).json(), { status: 404 })
  await hidden(reader.headers)
  for (let times = 0; times < 2; times++) {
    t.match((await change(session, { shared: true }, owner.headers)).json(), { shared: true })
  }
  const shown = {
    id: session,
    title: 'What runs?',
    owner: { id: owner.id, name: 'Olga' },
    created_at: '#time',
    last_activity_at: '#time',
    shared_at: '#time'
  }
  const times = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/"\d{4}-[^"]+Z"/g, '"#time"'))
  t.same(times((await get('/shared-sessions', reader.headers)).json()), { items: [shown], next_cursor: null })
  t.same(times((await get(`/shared-sessions/${session}`, reader.headers)).json()), shown)
  const mine = await get(`/sessions/${session}/messages`, owner.headers)
  t.same((await get(`/shared-sessions/${session}/messages`, reader.headers)).json(), mine.json())
  t.equal(mine.json().items.length, 2)
  await hidden(elsewhere.headers)
  t.equal((await get(`/sessions/${session}`, reader.headers)).statusCode, 404, 'it is not the reader\'s')
  t.match((await say('Me too', other.headers, { session_id: session })).answer.json(), { code: 'session_not_found' })
  t.match((await change(session, { shared: false }, owner.headers)).json(), { shared: false })
  await hidden(reader.headers)
  await change(session, { shared: true }, owner.headers)
  await app.inject({ method: 'DELETE', url: `${base}/sessions/${session}`, headers: owner.headers })
  await hidden(reader.headers)
})

t.test('a token of an assistant neither shares nor rates', async (t) => {
  const { headers } = await makePerson(app, 'Ast', 'member')
  const { session } = await say('Hello', headers)
  const token = await makeToken(app, headers, ['agent:read', 'agent:write'], { assistant: true })
  const { items: [answer] } = (await get(`/sessions/${session}/messages`, headers)).json()
  const refused = [
    await change(session, { shared: true }, token.headers),
    await app.inject({
      method: 'PUT',
      url: `${base}/sessions/${session}/messages/${answer.id}/feedback`,
      headers: token.headers,
      payload: { rating: 'good' }
    })
  ]
  t.same(refused.map((reply) => reply.statusCode), [403, 403])
  t.match((await get(`/sessions/${session}`, headers)).json(), { shared: false })
})

t.test('an answer is rated once by its owner, and admins see what people think', async (t) => {
  const { id, headers } = await makePerson(app, 'Fay', 'member')
  const { session } = await say('Hello', headers)
  const messages = async () => (await get(`/sessions/${session}/messages`, headers)).json().items
  const [answer, question] = await messages()
  const path = (message: string) => `${base}/sessions/${session}/messages/${message}/feedback`
  const rate = (payload: object, who: Headers = headers, message: string = answer.id) =>
    app.inject({ method: 'PUT', url: path(message), headers: who, payload })
  t.same((await rate({ rating: 'good' })).json(), { rating: 'good', comment: null })
  t.same((await rate({ rating: 'bad', comment: 'It is Tuesday' })).json(), { rating: 'bad', comment: 'It is Tuesday' })
  t.same((await messages()).map(({ feedback }: { feedback: unknown }) => feedback),
    [{ rating: 'bad', comment: 'It is Tuesday' }, null])
  t.same(marked((await get('/feedback', asAdmin)).json()), {
    items: [{
      id: '#id',
      user_id: '#id',
      session_id: '#id',
      message_id: '#id',
      model: 'claude-sonnet-5-5',
      rating: 'bad',
      comment: 'It is Tuesday',
      created_at: '#time',
      updated_at: '#time'
    }],
    next_cursor: null
  })
  t.match((await get('/feedback', asAdmin)).json().items, [{ user_id: id, session_id: session, message_id: answer.id }])
  t.equal((await get('/feedback', headers)).statusCode, 403)
  t.match((await rate({ rating: 'good' }, asAdmin)).json(), { status: 404, code: 'answer_not_found' })
  t.match((await rate({ rating: 'good' }, headers, question.id)).json(), { status: 404, code: 'answer_not_found' })
  for (const [payload, pointer] of [
    [{ rating: 'fair' }, '/rating'], [{ rating: 'bad', comment: '  ' }, '/comment'],
    [{ rating: 'bad', comment: 'x'.repeat(2001) }, '/comment']
  ] as const) t.match((await rate(payload)).json(), { status: 400, errors: [{ pointer }] }, pointer)
  const withdraw = () => app.inject({ method: 'DELETE', url: path(answer.id), headers })
  t.same([(await withdraw()).statusCode, (await withdraw()).statusCode], [204, 204])
  t.same((await get('/feedback', asAdmin)).json(), { items: [], next_cursor: null })
})
