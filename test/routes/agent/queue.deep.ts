import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, scripted, openChat, until, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { messagesOf } from './story.js'

const { app, anthropic } = await openChat(t)
const base = '/api/v1/agent/sessions'

type Headers = Record<string, string>

const text = (words: string): Turn => ({ content: [{ type: 'text', text: words }] })
let projects = 0
/** A name that is taken would be refused, not asked. */
const asks = (): Turn =>
  ({ content: [{ type: 'tool_use', name: 'createProject', input: { name: `Queued behind ${++projects}` } }] })

const queue = (session: string, payload: object, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: `${base}/${session}/queue`, headers, payload })

const detailOf = async (session: string, headers: Headers = asAdmin) =>
  (await app.inject({ url: `${base}/${session}`, headers })).json()

const wordsIn = async (session: string, headers: Headers = asAdmin) =>
  (await messagesOf(app, session, headers)).map(({ role, text: words }) => `${role}: ${words}`)

const idle = (session: string, messages: number, headers: Headers = asAdmin) => until(async () =>
  (await detailOf(session, headers)).live_run === null && (await wordsIn(session, headers)).length === messages)

/** @returns a session whose run waits for an approval, and its question */
const startWaiting = async (headers: Headers = asAdmin) => {
  const { session } = await chat(app, { message: scripted(anthropic, [asks(), text('Made.')]) }, headers)
  const { confirmations: [question] } = await detailOf(session, headers)
  return { session, question }
}

t.test('queued messages are sent one after the other when the run has ended, and close no question', async (t) => {
  const { session, question } = await startWaiting()
  const [second, third] = [scripted(anthropic, [text('Two.')]), scripted(anthropic, [text('Three.')])]
  const made = await queue(session, { message: second, context: { current_page: '/costs' } })
  t.equal(made.statusCode, 201)
  const { id, created_at } = made.json()
  t.same(made.json(), { id, session_id: session, message: second, created_at })
  await queue(session, { message: third })
  const detail = await detailOf(session)
  t.match(detail.queued, [{ id, message: second }, { message: third }])
  t.match(detail, { live_run: { status: 'awaiting_confirmation' }, pending_confirmations: 1 })
  await confirm(app, {
    session_id: session, confirmation_id: question.id, input_digest: question.input_digest, approved: true
  })
  await idle(session, 7)
  const words = await wordsIn(session)
  t.same(words.slice(2), ['assistant: Made.', `user: ${second}`, 'assistant: Two.', `user: ${third}`,
    'assistant: Three.'])
  t.same((await detailOf(session)).queued, [])
  const sent = anthropic.control.requests().findLast(({ body }) => JSON.stringify(body).includes(second))
  t.match(JSON.stringify(sent?.body), /They look at: .{0,3}\/costs/)
})

t.test('a message for a session that is free is sent at once, and once', async (t) => {
  const { session } = await chat(app, { message: scripted(anthropic, [text('One.')]) })
  const message = scripted(anthropic, [text('Two.')])
  t.equal((await queue(session, { message })).statusCode, 201)
  await idle(session, 4)
  t.same((await wordsIn(session)).slice(2), [`user: ${message}`, 'assistant: Two.'])
})

t.test('a run that is stopped lets the next message go', async () => {
  const { session, question } = await startWaiting()
  await queue(session, { message: scripted(anthropic, [text('Instead.')]) })
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${question.run_id}/cancel`, headers: asAdmin })
  await idle(session, 4)
})

t.test('what waits can be taken back, until it is sent', async (t) => {
  const { session, question } = await startWaiting()
  const { id } = (await queue(session, { message: 'never mind' })).json()
  const takeBack = () => app.inject({ method: 'DELETE', url: `${base}/${session}/queue/${id}`, headers: asAdmin })
  t.equal((await takeBack()).statusCode, 204)
  t.match((await takeBack()).json(), { status: 404, code: 'queued_message_not_found' })
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${question.run_id}/cancel`, headers: asAdmin })
  await idle(session, 2)
})

t.test('ten messages wait and no more; another person queues nothing here', async (t) => {
  const { session } = await startWaiting()
  for (let i = 0; i < 10; i++) t.equal((await queue(session, { message: `number ${i}` })).statusCode, 201)
  t.match((await queue(session, { message: 'number 10' })).json(), { status: 429, code: 'too_many_queued' })
  const { headers } = await makePerson(app, 'Other', 'member')
  t.match((await queue(session, { message: 'mine' }, headers)).json(), { status: 404, code: 'session_not_found' })
  const { queued: [{ id }] } = await detailOf(session)
  t.match((await app.inject({ method: 'DELETE', url: `${base}/${session}/queue/${id}`, headers })).json(),
    { status: 404, code: 'session_not_found' })
  t.equal((await detailOf(session)).queued.length, 10)
  await app.inject({ method: 'DELETE', url: `${base}/${session}`, headers: asAdmin })
})

t.test('a message that cannot be sent is refused with its pointer, and nothing waits', async (t) => {
  const { session } = await startWaiting()
  const bad: [payload: object, status: number, pointer: string][] = [
    [{}, 400, '/message'],
    [{ message: ' ' }, 400, '/message'],
    [{ message: 'a', session_id: session }, 400, '/session_id'],
    [{ message: 'a', context: { selected_project_id: session } }, 404, '/context/selected_project_id']
  ]
  for (const [payload, status, pointer] of bad) {
    t.match((await queue(session, payload)).json(), { status, errors: [{ pointer }] })
  }
  t.same((await detailOf(session)).queued, [])
})

t.test('what waits is dropped with the rights of the person who wrote it', async (t) => {
  const { headers, id } = await makePerson(app, 'Leaving', 'member')
  const { session } = await startWaiting(headers)
  const message = scripted(anthropic, [text('Never.')])
  await queue(session, { message }, headers)
  await app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload: { status: 'disabled' } })
  const { workspace_id } = app.home
  const waiting = () => app.db.selectFrom('agent_queued_message').select('id')
    .where('workspace_id', '=', workspace_id).where('session_id', '=', session).execute()
  await until(async () => (await waiting()).length === 0)
  t.notOk(anthropic.control.requests().some(({ body }) => JSON.stringify(body).includes(message)))
})
