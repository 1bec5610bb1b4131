import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, framesOf, scripted, startChatApp, textOf, type Turn } from '../../chat.js'
import { messagesOf, spoken, story } from './story.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 50 }) })
const settings = { ANTHROPIC_EFFORT: 'low', ANTHROPIC_THINKING: 'adaptive' }
const configured = await startChatApp(t, settings)

const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }
const thought = { type: 'thinking' as const, thinking: 'Zürich – 東京 \u2028 "quoted" \\ 🚀' }
const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

const requestsOf = (message: string, { control } = anthropic) =>
  control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
const sessionAt = (id: string) => `/api/v1/agent/sessions/${id}`
const change = (id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: sessionAt(id), headers: asAdmin, payload })
/** @returns how the request has the model think */
const shapeOf = ({ model, max_tokens, thinking, output_config }: MessageCreateParamsBase) =>
  ({ model, max_tokens, thinking, output_config })
/** Begins a session, and chooses for it. */
const begin = async (chosen: object) => {
  const { session } = await chat(app, { message: scripted(anthropic, [say('Hello.')]) })
  const { statusCode } = await change(session, chosen)
  return { session, statusCode }
}
const ask = async (session: string, turns: Turn[]) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message, session_id: session })
  return { ...reply, requests: requestsOf(message) }
}

t.test('nothing of thinking and effort is sent unless it is chosen', async (t) => {
  const message = scripted(anthropic, [say('Hello.')])
  await chat(app, { message })
  t.same(requestsOf(message).map(shapeOf),
    [{ model: 'claude-sonnet-5-5', max_tokens: 8_192, thinking: undefined, output_config: undefined }])
})

t.test('what is configured is sent, with room for the thoughts', async (t) => {
  const message = scripted(configured.anthropic, [say('Hello.')])
  await chat(configured.app, { message })
  t.same(requestsOf(message, configured.anthropic).map(shapeOf), [{
    model: 'claude-sonnet-5-5',
    max_tokens: 16_384,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' }
  }])
})

t.test('a session chooses model, effort and thinking, and gives its choice back', async (t) => {
  const { session } = await begin({ model: 'claude-opus-5-5', effort: 'xhigh', thinking: 'disabled' })
  const shown = (await app.inject({ url: sessionAt(session), headers: asAdmin })).json()
  t.match(shown, {
    model: 'claude-opus-5-5', own_model: 'claude-opus-5-5', effort: 'xhigh', thinking: 'disabled'
  })
  const { requests } = await ask(session, [say('Deep.')])
  t.same(requests.map(shapeOf), [{
    model: 'claude-opus-5-5',
    max_tokens: 8_192,
    thinking: { type: 'disabled' },
    output_config: { effort: 'xhigh' }
  }])
  t.same((await messagesOf(app, session)).map((message) => (message as { model?: unknown }).model),
    [null, 'claude-sonnet-5-5', null, 'claude-opus-5-5'])
  t.equal((await change(session, { model: null, effort: null, thinking: null })).statusCode, 200)
  const back = await ask(session, [say('As before.')])
  t.same(back.requests.map(shapeOf),
    [{ model: 'claude-sonnet-5-5', max_tokens: 8_192, thinking: undefined, output_config: undefined }])
})

t.test('a budget of thinking is less than what the answer may have, and is in it', async (t) => {
  const { session } = await begin({ model: 'claude-haiku-4-5-20251001', thinking: '4096' })
  const { requests, frames } = await ask(session, [{ content: [thought, { type: 'text', text: 'So.' }] }])
  t.match(requests.map(shapeOf), [{ max_tokens: 8_192 + 4_096, thinking: { type: 'enabled', budget_tokens: 4_096 } }])
  t.equal(textOf(frames), 'So.')
})

t.test('thoughts go back byte for byte within a tool loop, and are no text', async (t) => {
  const { session } = await begin({ thinking: 'adaptive' })
  const turns: Turn[] = [{ content: [thought, { type: 'redacted_thinking' }, readCall] }, say('Two.')]
  const { requests, frames } = await ask(session, turns)
  // The sandbox refuses a thought whose signature does not hold.
  const [first, second] = requests
  const answer = second?.messages.at(-2)
  t.match(answer, { role: 'assistant', content: [{ type: 'thinking' }, { type: 'redacted_thinking' }, {}] })
  t.same(second?.messages.slice(0, -2), first?.messages, 'what was before is as it was')
  t.equal(textOf(frames), 'Two.')
  t.equal(await spoken(app, session), 'Hello.\n\nTwo.')
  t.notMatch(JSON.stringify(frames), 'Zürich')
})

t.test('an answer of nothing but thoughts does not end without a word', async (t) => {
  const { session } = await begin({ thinking: 'adaptive' })
  const { frames } = await ask(session, [{ content: [thought] }])
  t.match(story(frames), [{ code: 'model_empty_answer' }, { stop_reason: 'empty_answer' }])
})

t.test('thoughts that used up the room are asked for again once, with more of it', async (t) => {
  const { session } = await begin({ thinking: 'adaptive' })
  const cut: Turn = { content: [thought], stop_reason: 'max_tokens' }
  const { requests, frames } = await ask(session, [cut, say('Now.')])
  t.same(requests.map(({ max_tokens }) => max_tokens), [16_384, 32_768])
  t.equal(textOf(frames), 'Now.')
  const again = await ask(session, [cut, cut])
  t.match(story(again.frames), ['reset', { code: 'model_output_truncated' }, { stop_reason: 'max_tokens' }])
})

const refusals: [string, object, string, RegExp][] = [
  ['effort', { model: 'claude-haiku-4-5-20251001', effort: 'high' }, 'model_effort_refused', /ANTHROPIC_EFFORT/],
  ['thinking', { thinking: '2048' }, 'model_thinking_refused', /ANTHROPIC_THINKING/]
]

for (const [name, chosen, code, message] of refusals) {
  t.test(`what a model does not take of ${name} is an error that names the setting`, async (t) => {
    const { session } = await begin(chosen)
    const { frames } = await ask(session, [say('Never.')])
    t.match(framesOf(frames, 'error')[0]?.data, { code, message, fatal: true, retryable: false })
    anthropic.control.reset()
    await change(session, { model: null, effort: null, thinking: null })
    t.equal(textOf((await ask(session, [say('Fine.')])).frames), 'Fine.')
  })
}

t.test('what is no choice is refused, and nothing of it is kept', async (t) => {
  const { session } = await begin({ effort: 'low' })
  const wrong: [object, string, string][] = [
    [{ effort: 'huge' }, '/effort', 'invalid_request'],
    [{ thinking: '100' }, '/thinking', 'invalid_request'],
    [{ thinking: 2_048 }, '/thinking', 'invalid_request'],
    [{ model: 'nobody-knows', title: 'Kept?' }, '/model', 'model_price_unknown']
  ]
  for (const [body, pointer, code] of wrong) {
    t.match((await change(session, body)).json(), { code, errors: [{ pointer }] }, JSON.stringify(body))
  }
  t.match((await app.inject({ url: sessionAt(session), headers: asAdmin })).json(),
    { title: /^please do/, own_model: null, effort: 'low', thinking: null })
})

t.test('a fork thinks as its session does', async (t) => {
  const { session } = await begin({ model: 'claude-opus-5-5', effort: 'max', thinking: 'adaptive' })
  const url = `${sessionAt(session)}/fork`
  const fork = (await app.inject({ method: 'POST', url, headers: asAdmin, payload: {} })).json()
  t.match(fork, { model: 'claude-opus-5-5', own_model: 'claude-opus-5-5', effort: 'max', thinking: 'adaptive' })
})
