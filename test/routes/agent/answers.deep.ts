import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp, type Turn } from '../../chat.js'
import { done, messagesOf, story } from './story.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 20 }) })

const text = 'Two clusters.'
const speech: Turn = { content: [{ type: 'text', text }] }
const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }

/** Sends a message that the model answers with these turns. */
const say = async (turns: Turn[]) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message })
  const requests = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  return { ...reply, requests }
}

const paused = {
  type: 'error',
  code: 'model_paused',
  message: 'The model paused again and again. Say "go on" to let it try once more.',
  fatal: false,
  retryable: true,
  retry_after_ms: null
}

t.test('P6: a model that pauses for ever is stopped with a word', async (t) => {
  const pause: Turn = { content: [{ type: 'text', text: 'Wait.' }], fault: { kind: 'pause_turn' } }
  const reply = await say(Array.from({ length: 8 }, () => pause))
  t.same(story(reply.frames).slice(-2),
    [paused, done({ stop_reason: 'limit_pauses', message_id: null }, { model_calls: 6 })])
  anthropic.control.reset()
})

t.test('pauses are counted apart from the steps before them, and one after the other', async (t) => {
  const pause: Turn = { content: [{ type: 'text', text: 'Wait. ' }], fault: { kind: 'pause_turn' } }
  const steps = Array.from({ length: 6 }, (_, index): Turn =>
    ({ content: [{ ...readCall, input: { limit: index + 1 } }] }))
  const reply = await say([...steps, pause, pause, pause, { content: [readCall] }, pause, pause, pause, speech])
  t.match(story(reply.frames).at(-1), { status: 'completed', stop_reason: 'end_turn', usage: { model_calls: 14 } })
})

t.test('a model that pauses without a word is asked once more, and then the run ends with one', async (t) => {
  const pause: Turn = { content: [], fault: { kind: 'pause_turn' } }
  const reply = await say([{ content: [readCall] }, ...Array.from({ length: 8 }, () => pause)])
  t.same(story(reply.frames).slice(-2), [paused,
    done({ stop_reason: 'limit_pauses', message_id: null }, { model_calls: 3, tool_calls: 1 })])
  anthropic.control.reset()
})

const silence = {
  type: 'error',
  code: 'model_empty_answer',
  message: 'The model ended without an answer. Ask again.',
  fatal: false,
  retryable: false,
  retry_after_ms: null
}

const silent: [string, Turn['content']][] = [
  ['is empty', []], ['is only thinking', [{ type: 'thinking', thinking: 'Hm.' }]]
]

for (const [name, content] of silent) {
  t.test(`an answer that ${name} is reported, stored, and the session goes on`, async (t) => {
    const reply = await say([{ content }])
    t.same(story(reply.frames), [silence, done({ stop_reason: 'empty_answer' })])
    t.match(await messagesOf(app, reply.session), [{ role: 'user' }, { text: '', stop_reason: 'empty_answer' }])
    const run = (await app.inject({ url: `/api/v1/agent/runs/${reply.run}`, headers: asAdmin })).json()
    t.match(run, { status: 'completed', reason: 'empty_answer' })
    const message = scripted(anthropic, [speech])
    const next = await chat(app, { message, session_id: reply.session })
    t.match(story(next.frames), [{ text }, { status: 'completed' }])
    const { messages } = anthropic.control.requests(message)[0]?.body as MessageCreateParamsBase
    t.same(messages.map(({ role }) => role), ['user'], 'what ends with thinking is no answer to the API')
  })
}

t.test('thinking at the end of a cut answer is not sent back', async (t) => {
  const cut = await say([{
    content: [{ type: 'text', text: 'So.' }, { type: 'thinking', thinking: 'And' }], stop_reason: 'max_tokens'
  }])
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: cut.session })
  t.match(story(next.frames), [{ text }, { status: 'completed' }])
})

t.test('what the provider executes itself goes back as it came', async (t) => {
  const input = { query: 'Grüße "Welt"', nested: [1.5, null, { deep: '\u2028' }] }
  const search = { type: 'server_tool_use' as const, name: 'web_search', input }
  const searching: Turn = { content: [{ type: 'text', text: 'I search.' }, search], stop_reason: 'pause_turn' }
  const reply = await say([searching, speech])
  const [, request] = reply.requests
  t.match(request?.messages.at(-1), { role: 'assistant', content: [{ text: 'I search.' }, search] })
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: reply.session })
  t.match(story(next.frames), [{ text }, { status: 'completed' }])
  const later = anthropic.control.requests().at(-1)?.body as MessageCreateParamsBase
  t.match(later.messages[1], { role: 'assistant', content: [{ text: 'I search.' }, search, { text }] })
})
