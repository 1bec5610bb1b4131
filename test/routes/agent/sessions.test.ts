import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, openChat, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { marked, messagesOf } from './story.js'

const { app, anthropic } = await openChat(t)
const base = '/api/v1/agent/sessions'
const speech: Turn = { content: [{ type: 'text', text: 'Fine.' }] }

type Headers = Record<string, string>
interface Page { items: { id: string, title: string }[], next_cursor: string | null }

const get = async (path: string, headers: Headers) => app.inject({ url: `${base}${path}`, headers })
const list = async (query: string, headers: Headers): Promise<Page> => (await get(query, headers)).json()
const titles = async (query: string, headers: Headers) => (await list(query, headers)).items.map(({ title }) => title)

const say = async (message: string, headers: Headers, more: object = {}) => {
  const code = scripted(anthropic, [speech])
  return chat(app, { message: `${message}\n${code}`, ...more }, headers)
}

const shown = {
  id: '#id',
  title: 'Hello',
  title_source: 'auto',
  created_at: '#time',
  last_activity_at: '#time',
  live_run: null,
  pending_confirmations: 0,
  pinned: false
}

t.test('25 sessions in pages of 10, each once, the last active first', async (t) => {
  const { headers } = await makePerson(app, 'Pia', 'member')
  const ids: string[] = []
  for (let index = 0; index < 25; index++) ids.unshift((await say(`Number ${index}`, headers)).session)
  const first = await list('?limit=10', headers)
  const second = await list(`?limit=10&cursor=${first.next_cursor}`, headers)
  const third = await list(`?limit=10&cursor=${second.next_cursor}`, headers)
  t.same([first, second, third].map(({ items }) => items.length), [10, 10, 5])
  t.equal(third.next_cursor, null)
  t.same([first, second, third].flatMap(({ items }) => items.map(({ id }) => id)), ids)
  const { source: _, ...row } = { source: 0, ...(marked(first.items[0]) as object) }
  t.same({ ...row, title_source: '#' }, { ...shown, title: 'Number 24', title_source: '#' })
  await say('Once more', headers, { session_id: ids[24] })
  t.same((await list('?limit=1', headers)).items[0]?.id, ids[24], 'a new message brings a session to the top')
  const foreign = await get(`?limit=10&cursor=${first.next_cursor}`, asAdmin)
  t.match(foreign.json(), { status: 400, code: 'invalid_cursor' })
  for (const query of [`?q=Number&cursor=${first.next_cursor}`, '?cursor=nonsense']) {
    t.match((await get(query, headers)).json(), { status: 400, code: 'invalid_cursor' }, query)
  }
  const other = await get(`/${ids[0]}/messages?cursor=${first.next_cursor}`, headers)
  t.match(other.json(), { status: 400, code: 'invalid_cursor' }, 'a cursor of another list')
})

t.test('q looks into titles and texts, and takes every character as it is', async (t) => {
  const { headers } = await makePerson(app, 'Quin', 'member')
  await say('Costs rose 100% today', headers)
  await say('Costs rose 1000 today', headers)
  await say('my_service is down', headers)
  await say('myXservice is down', headers)
  await say('A path C:\\temp', headers)
  await say('Long\nneedle below the first line', headers)
  t.same(await titles('?q=100%25', headers), ['Costs rose 100% today'])
  t.same(await titles('?q=my_service', headers), ['my_service is down'])
  t.same(await titles('?q=C:%5Ctemp', headers), ['A path C:\\temp'])
  t.same(await titles('?q=COSTS%20ROSE', headers), ['Costs rose 1000 today', 'Costs rose 100% today'])
  t.same(await titles('?q=needle', headers), ['Long'])
  t.same(await titles('?q=role%20member', headers), [], 'the context block is not searched')
  t.same(await titles('?q=Costs', asAdmin), [], 'nor are the sessions of others')
  t.equal((await get('?q=', headers)).statusCode, 400)
})

t.test('words are found in any order in one message, and shown where they are', async (t) => {
  const { headers } = await makePerson(app, 'Wanda', 'member')
  const long = `${'Before. '.repeat(20)}The invoice of October is "wrong"${' after.'.repeat(40)}`
  const { session } = await say(long, headers)
  const { session: other } = await say('October was warm', headers)
  await say('And the invoice is here', headers, { session_id: other })
  const items = async (query: string) => (await get(`?q=${encodeURIComponent(query)}`, headers)).json().items
  const [found, ...more] = await items('october  INVOICE')
  t.same(more, [], 'not those that have the words in several messages')
  t.equal(found.id, session)
  t.match(found.excerpt, /^.{40}October is "wrong" after\./)
  t.equal(found.excerpt.length, 160)
  t.match(await items('invoice here'), [{ id: other, excerpt: 'And the invoice is here' }])
  await app.inject({ method: 'PATCH', url: `${base}/${other}`, headers, payload: { title: 'Weather of the year' } })
  t.match(await items('year weather'), [{ id: other, excerpt: null }], 'only the title has them')
  t.notOk('excerpt' in (await get('', headers)).json().items[0])
})

t.test('a session is renamed by its owner alone', async (t) => {
  const { headers } = await makePerson(app, 'Rita', 'member')
  const { session } = await say('Hello', headers)
  const rename = (title: unknown, who: Headers = headers) =>
    app.inject({ method: 'PATCH', url: `${base}/${session}`, headers: who, payload: { title } })
  const renamed = await rename('  My own title ')
  t.match(marked(renamed.json()), { ...shown, title: 'My own title', title_source: 'user', confirmations: [] })
  t.same((await get(`/${session}`, headers)).json(), renamed.json())
  for (const title of ['', '  ', 'x'.repeat(121), null, 3]) {
    t.match((await rename(title)).json(), { status: 400, errors: [{ pointer: '/title' }] }, String(title))
  }
  t.equal((await rename('Stolen', asAdmin)).statusCode, 404)
  t.same(await titles('', headers), ['My own title'])
  const generated = await app.inject({
    method: 'POST', url: '/api/v1/agent/generate-title', headers, payload: { session_id: session }
  })
  t.same(generated.json(), { session_id: session, title: 'My own title' }, 'and is not titled anew')
})

t.test('a deleted session is gone', async (t) => {
  const { headers } = await makePerson(app, 'Del', 'member')
  const { session } = await say('Hello', headers)
  const remove = (who: Headers = headers) => app.inject({ method: 'DELETE', url: `${base}/${session}`, headers: who })
  t.equal((await remove(asAdmin)).statusCode, 404)
  const gone = await remove()
  t.same([gone.statusCode, gone.payload], [204, ''])
  t.equal((await remove()).statusCode, 404)
  for (const path of ['', '/messages', '/stream']) {
    t.match((await get(`/${session}${path}`, headers)).json(), { status: 404, code: 'session_not_found' }, path)
  }
  t.same(await list('', headers), { items: [], next_cursor: null })
  const again = await chat(app, { message: 'Hello', session_id: session }, headers)
  t.match(again.answer.json(), { status: 404, code: 'session_not_found' })
  const title = await app.inject({
    method: 'POST', url: '/api/v1/agent/generate-title', headers, payload: { session_id: session }
  })
  t.equal(title.statusCode, 404)
})

t.test('messages are shown newest first, with calls and their results', async (t) => {
  const { headers } = await makePerson(app, 'Mel', 'member')
  const message = scripted(anthropic, [
    {
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', name: 'listProjects', input: { q: 'none of these' } },
        { type: 'tool_use', name: 'noSuchTool', input: {} }
      ]
    },
    { content: [{ type: 'text', text: 'There are none.' }] }
  ])
  const { session } = await chat(app, { message, context: { current_page: '/projects' } }, headers)
  const common = { id: '#id', run_id: '#id', attachments: [], compaction: null, created_at: '#time' }
  const reply = { ...common, role: 'assistant', tool_calls: [], model: 'claude-sonnet-5-5', feedback: null }
  t.same(marked(await messagesOf(app, session, headers)), [
    { ...common, role: 'user', text: 'please do #id', tool_calls: [], stop_reason: null, model: null, feedback: null },
    {
      ...reply,
      text: 'Looking.',
      stop_reason: 'tool_use',
      tool_calls: [{
        tool_call_id: '#id',
        name: 'listProjects',
        arguments: { q: 'none of these' },
        effect: 'read',
        status: 'succeeded',
        http_status: 200,
        result: { items: [], next_cursor: null },
        truncated: false
      }, {
        tool_call_id: '#id',
        name: 'noSuchTool',
        arguments: {},
        effect: 'write',
        status: 'failed',
        http_status: null,
        result: { code: 'unknown_tool', detail: 'There is no tool noSuchTool for this person' },
        truncated: false
      }]
    },
    { ...reply, text: 'There are none.', stop_reason: 'end_turn' }
  ])
  const all = (await get(`/${session}/messages`, headers)).json() as Page
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const page = (await get(`/${session}/messages?limit=1${cursor}`, headers)).json() as Page
    ids.push(...page.items.map(({ id }) => id))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  t.same(ids, all.items.map(({ id }) => id))
})

const entitle = async (payload: object, headers: Headers = asAdmin) =>
  (await app.inject({ method: 'POST', url: '/api/v1/agent/generate-title', headers, payload })).json()

/** The model's next title. */
const title = (turn: Turn) => anthropic.control.script({ turns: [turn], match: { title: true } })

t.test('a title comes from the model, tidied, and is kept', async (t) => {
  const { session } = await say('How many services run?', asAdmin)
  title({ content: [{ type: 'text', text: '\n# "Running services."\nThat is my title.' }] })
  t.same(await entitle({ session_id: session }), { session_id: session, title: 'Running services' })
  t.match((await get(`/${session}`, asAdmin)).json(), { title: 'Running services', title_source: 'auto' })
  title({ content: [{ type: 'text', text: `${'very '.repeat(30)}long` }] })
  const long = await entitle({ messages: [{ role: 'user', content: 'Hi' }] })
  t.equal(long.session_id, null)
  t.equal(long.title.length <= 60 && long.title.endsWith('…'), true)
  title({ content: [{ type: 'text', text: `Key AKIA${'IOSFODNN7EXAMPLE'}` }] })
  t.match(await entitle({ messages: [{ role: 'user', content: 'Hi' }] }), { title: 'Key [redacted access key]' })
})

t.test('a session gets a title although the model fails', async (t) => {
  const { session } = await say('How many functions run?', asAdmin)
  const fault = { kind: 'http_error' as const, status: 400 }
  title({ content: [], fault })
  t.same(await entitle({ session_id: session }), { session_id: session, title: 'How many functions run?' })
  t.match((await get(`/${session}`, asAdmin)).json(), { title_source: 'fallback' })
  title({ content: [], fault })
  t.same(await entitle({ messages: [{ role: 'assistant', content: '  ' }] }),
    { session_id: null, title: 'New conversation' })
  title({ content: [{ type: 'text', text: ' "" ' }] })
  t.match(await entitle({ messages: [{ role: 'user', content: 'First words\nmore' }] }), { title: 'First words' })
})

t.test('either a session or messages', async (t) => {
  const { session } = await say('Hello', asAdmin)
  const problem = { status: 400, code: 'invalid_request', errors: [{ pointer: '', code: 'one_of' }] }
  t.match(await entitle({}), problem)
  t.match(await entitle({ session_id: session, messages: [{ role: 'user', content: 'Hi' }] }), problem)
})
