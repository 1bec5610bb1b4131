import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, openChat, type Turn } from '../../chat.js'
import { textIn } from '../../../schemas/unknown.js'
import { makePerson } from '../account/actors.js'
import { messagesOf } from './story.js'

const { app, anthropic } = await openChat(t)
const base = '/api/v1/agent/sessions'

type Headers = Record<string, string>

const text = (words: string): Turn => ({ content: [{ type: 'text', text: words }] })

const fork = (session: string, payload: object, headers: Headers) =>
  app.inject({ method: 'POST', url: `${base}/${session}/fork`, headers, payload })

const say = (turns: Turn[], headers: Headers, session?: string) =>
  chat(app, { message: scripted(anthropic, turns), ...(session && { session_id: session }) }, headers)

const lastRequest = () => anthropic.control.requests().at(-1)?.body as MessageCreateParamsBase

/** What of a message does not say in which session it is. */
const bare = ({ tool_calls, run_id: _, ...rest }: Record<string, unknown>) =>
  ({ ...rest, tool_calls: (tool_calls as Record<string, unknown>[]).map(({ tool_call_id: __, ...call }) => call) })

const shownIn = async (session: string, headers: Headers) =>
  (await messagesOf(app, session, headers)).map((message) => bare({ ...message }))

t.test('a fork has what was said and done before a message, and the old session stays as it is', async (t) => {
  const { headers } = await makePerson(app, 'Fork', 'member')
  const { session } = await say([
    { content: [{ type: 'tool_use', name: 'listProjects', input: {} }] }, text('None.')
  ], headers)
  await say([text('Second.')], headers, session)
  await say([text('Third.')], headers, session)
  const before = await messagesOf(app, session, headers)
  t.equal(before.length, 7)
  const made = await fork(session, { before_message_id: before[3]?.id }, headers)
  t.equal(made.statusCode, 201)
  const { id, ...detail } = made.json()
  t.equal(made.headers.location, `${base}/${id}`)
  t.match(detail, { live_run: null, pending_confirmations: 0, pinned: false, shared: false })
  t.same(await shownIn(id, headers), before.slice(0, 3).map((message) => bare({ ...message })))
  const { frames } = await say([text('Otherwise.')], headers, id)
  t.match(framesOf(frames, 'done'), [{ data: { status: 'completed' } }])
  const sent = lastRequest().messages
  t.same(sent.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant', 'user'])
  t.match(JSON.stringify(sent), /None\./)
  t.notMatch(JSON.stringify(sent), /Second\./)
  t.same(await messagesOf(app, session, headers), before)
  const [call] = (await messagesOf(app, id, headers)).flatMap(({ tool_calls }) => tool_calls)
  const callId = textIn(call, 'tool_call_id')
  const read = await app.inject({ url: `/api/v1/agent/tool-calls/${callId}`, headers })
  t.match(read.json(), { tool_call_id: callId, status: 'succeeded' })
})

t.test('without a message the whole conversation is copied, and before the first nothing is', async (t) => {
  const { headers } = await makePerson(app, 'Whole', 'member')
  const { session } = await say([text('One.')], headers)
  const whole = (await fork(session, {}, headers)).json()
  t.same(await shownIn(whole.id, headers), await shownIn(session, headers))
  const [first] = await messagesOf(app, session, headers)
  const none = (await fork(session, { before_message_id: first?.id }, headers)).json()
  t.same(await shownIn(none.id, headers), [])
  await say([text('Anew.')], headers, none.id)
  t.equal((await shownIn(none.id, headers)).length, 2)
  t.equal((await fork(whole.id, {}, headers)).statusCode, 201, 'a fork of a fork')
})

t.test('a fork after a message has the whole answer to it, and nothing of what was said then', async (t) => {
  const { headers } = await makePerson(app, 'After', 'member')
  const { session } = await say([
    { content: [{ type: 'tool_use', name: 'listProjects', input: {} }] }, text('None.')
  ], headers)
  await say([text('Second.')], headers, session)
  const shown = await messagesOf(app, session, headers)
  t.equal(shown.length, 5)
  for (const [message, length] of [[0, 3], [1, 3], [2, 3], [3, 5], [4, 5]] as const) {
    const made = await fork(session, { after_message_id: shown[message]?.id }, headers)
    t.equal(made.statusCode, 201)
    t.same(await shownIn(made.json().id, headers), shown.slice(0, length).map((item) => bare({ ...item })))
  }
  const both = { before_message_id: shown[0]?.id, after_message_id: shown[1]?.id }
  t.match((await fork(session, both, headers)).json(), { status: 400, code: 'invalid_request' })
  t.match((await fork(session, { after_message_id: session }, headers)).json(),
    { status: 404, code: 'message_not_found', errors: [{ pointer: '/after_message_id' }] })
})

t.test('a fork asks nothing and does nothing again; a question stays with its session', async (t) => {
  const asks: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Forked' } }] }
  const { session } = await say([asks, text('Made.')], asAdmin)
  t.match((await fork(session, {}, asAdmin)).json(), { status: 409, code: 'session_busy' })
  const [question] = (await app.inject({ url: `/api/v1/agent/confirmations?session_id=${session}`, headers: asAdmin }))
    .json().items
  const early = (await fork(session, {
    before_message_id: (await messagesOf(app, session))[0]?.id
  }, asAdmin)).json()
  t.match(early, { pending_confirmations: 0, confirmations: [] })
  await confirm(app, {
    session_id: session, confirmation_id: question.id, input_digest: question.input_digest, approved: true
  })
  await follow(app, session)
  const { id } = (await fork(session, {}, asAdmin)).json()
  await say([text('Fine.')], asAdmin, id)
  const projects = (await app.inject({ url: '/account/projects?q=Forked', headers: asAdmin })).json().items
  t.equal(projects.length, 1)
})

t.test('nobody forks the session of another, and only before a message of the person', async (t) => {
  const { headers } = await makePerson(app, 'Own', 'member')
  const { session } = await say([text('One.')], headers)
  const [, answer] = await messagesOf(app, session, headers)
  t.match((await fork(session, {}, asAdmin)).json(), { status: 404, code: 'session_not_found' })
  for (const id of [answer?.id, session]) {
    t.match((await fork(session, { before_message_id: id }, headers)).json(),
      { status: 404, code: 'message_not_found', errors: [{ pointer: '/before_message_id' }] })
  }
  t.match((await fork(session, { before_message_id: 'x' }, headers)).json(),
    { status: 400, errors: [{ pointer: '/before_message_id' }] })
})
