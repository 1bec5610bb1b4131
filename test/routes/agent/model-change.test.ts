import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { sql } from 'kysely'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, openChat, textOf, type Turn } from '../../chat.js'
import { spoken } from './story.js'

const { app, anthropic } = await openChat(t)

const retired = 'claude-sonnet-4-20250514'
const configured = 'claude-sonnet-5-5'
const thinking = { type: 'thinking' as const, thinking: 'Zürich – 東京' }
const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }
const write = { type: 'tool_use' as const, name: 'createProject', input: { name: 'Across models' } }
const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

/** As if another model had been configured when the session's last message came. */
const wasWith = (session: string, model: string) =>
  sql`update agent_session set model = ${model} where id = ${session}`.execute(app.db)

const requestsOf = (message: string) =>
  anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
const typesIn = (request: MessageCreateParamsBase | undefined) => request?.messages.flatMap(({ content }) =>
  typeof content === 'string' ? [] : content.map(({ type }) => type))
const modelOf = async (session: string) =>
  (await app.inject({ url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })).json().model

t.test('a session whose model is not the configured one moves on, without what only that one takes', async (t) => {
  const { session } = await chat(app, {
    message: scripted(anthropic, [
      { content: [thinking, readCall] },
      { content: [thinking, { type: 'redacted_thinking' }, { type: 'text', text: 'Two.' }] }
    ])
  })
  await wasWith(session, retired)
  const message = scripted(anthropic, [{ content: [thinking, readCall] }, say('Still two.')])
  const moved = await chat(app, { message, session_id: session })
  t.equal(textOf(moved.frames), 'Still two.')
  const requests = requestsOf(message)
  t.same(requests.map(({ model }) => model), [configured, configured])
  t.equal(await modelOf(session), configured)
  t.same(typesIn(requests[0]), ['text', 'text', 'tool_use', 'tool_result', 'text', 'text', 'text'],
    'what was said and done is kept, thinking is not')
  t.same(typesIn(requests[1])?.slice(-3), ['thinking', 'tool_use', 'tool_result'], 'its own thinking goes back')

  const next = scripted(anthropic, [say('As before.')])
  t.equal(textOf((await chat(app, { message: next, session_id: session })).frames), 'As before.')
  const [again] = requestsOf(next)
  t.same(again?.messages.slice(0, requests[1]?.messages.length), requests[1]?.messages, 'the prefix stays as it was')
  t.same(again?.system, requests[0]?.system)
  const { rows } = await sql`select distinct model from agent_usage where session_id = ${session}`.execute(app.db)
  t.same(rows, [{ model: configured }])
})

t.test('an answer of nothing but thinking leaves no gap when the model changes', async (t) => {
  const { session } = await chat(app, { message: scripted(anthropic, [{ content: [thinking] }]) })
  await wasWith(session, retired)
  const moved = await chat(app, { message: scripted(anthropic, [say('Here.')]), session_id: session })
  t.equal(textOf(moved.frames), 'Here.')
})

t.test('a run that waited for approval while the model changed goes on with the configured one', async (t) => {
  const message = scripted(anthropic, [{ content: [thinking, write] }, say('Made.')])
  const { session, frames, run } = await chat(app, { message })
  await wasWith(session, retired)
  const { confirmation_id } = framesOf(frames, 'confirmation_required')[0]?.data ?? {}
  await confirm(app, { session_id: session, confirmation_id, approved: true })
  const rest = await follow(app, session, `${run}:0`)
  t.match(framesOf(rest.frames, 'done').at(-1)?.data, { status: 'completed', final: true })
  t.match(await spoken(app, session), /Made\.$/)
  const last = requestsOf(message).at(-1)
  t.same([last?.model, typesIn(last)?.slice(-2)], [configured, ['tool_use', 'tool_result']])
  t.equal(typesIn(last)?.includes('thinking'), false)
  t.equal(await modelOf(session), configured)
})
