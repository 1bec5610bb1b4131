import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t, { type Test } from '../../tap.js'
import { asAdmin } from '../../app.js'
import { confirm, follow, framesOf, type Turn } from '../../chat.js'
import { makeLongSession, readTurn, speech } from './long-session.js'
import { makePerson } from '../account/actors.js'
import { messagesOf, story } from './story.js'

const window = 48_000
const { app, anthropic, headers, say, sayWords } = await makeLongSession(t, window)
type Reply = Awaited<ReturnType<typeof say>>

t.beforeEach(() => {
  anthropic.control.reset()
  anthropic.control.set({ window_tokens: window, delay_ms: 0 })
})

const thinkingTurn: Turn = { content: [{ type: 'thinking', thinking: 'What is there?' }, ...readTurn.content] }
const long = 'so much to say '.repeat(1_500)

const usageOf = async (session: string) => {
  const rows = await app.db.selectFrom('agent_usage').selectAll().where('session_id', '=', session)
    .orderBy('created_at').execute()
  return rows.map(({ input_tokens: fresh, cache_read_tokens: cached, cache_write_tokens: written }) =>
    ({ all: Number(fresh) + Number(cached) + Number(written), cached: Number(cached) }))
}

const compactedIn = (all: Reply[]) => all.flatMap(({ frames }) => framesOf(frames, 'compacted').map(({ data }) => data))

/** What a request sends, without where it is cached. */
const messagesIn = ({ messages }: MessageCreateParamsBase): string[] => messages.map((message) =>
  JSON.stringify(message, (key, value: unknown) => key === 'cache_control' ? undefined : value))

const lastSent = (reply: Reply): string => messagesIn(reply.requests.at(-1) as MessageCreateParamsBase).join('\n')

/** Reads again and again, until the conversation was compacted. @returns the answers */
const untilCompacted = async (session: string): Promise<Reply[]> => {
  const all: Reply[] = []
  while (compactedIn(all).length === 0 && all.length < 60) all.push(await say([readTurn, speech], session))
  return all
}

const isFine = (t: Test, all: Reply[]): void => {
  t.same([...new Set(all.map(({ done }) => done?.status))], ['completed'])
  t.same(all.flatMap(({ frames }) => framesOf(frames, 'error')), [])
}

t.test('a session of any length goes on: its requests fit, and come mostly from the cache', async (t) => {
  const first = await say([thinkingTurn, speech])
  const all = [first]
  for (let turn = 1; turn < 60; turn++) all.push(await say([turn % 2 ? readTurn : thinkingTurn, speech], first.session))
  isFine(t, all)
  t.equal(compactedIn(all).length, 2)
  for (const { tokens_before: before, tokens_after: after, window: of } of compactedIn(all)) {
    t.ok(Number(after) < Number(before) / 2 && Number(before) < window && of === window)
  }
  const usage = await usageOf(first.session)
  t.ok(usage.every(({ all: tokens }) => tokens < window / 2))
  const sum = (of: (row: typeof usage[number]) => number) => usage.reduce((total, row) => total + of(row), 0)
  t.ok(sum(({ cached }) => cached) / sum((row) => row.all) > 0.7)
})

t.test('what is sent changes seldom, and is the same whether it comes from memory or from the database', async (t) => {
  const first = await say([readTurn, speech])
  const all = [first]
  for (let turn = 1; turn < 20; turn++) all.push(await say([readTurn, speech], first.session))
  const sent = all.flatMap(({ requests }) => requests).map(messagesIn)
  const changed = sent.filter((messages, index) => {
    const before = sent[index - 1] ?? []
    return before.some((message, at) => message !== messages[at])
  })
  t.ok(changed.length > 2 && changed.length < 12, `${changed.length} of ${sent.length}`)
  const [begins] = sent.at(-1) ?? []
  t.equal(begins, sent[0]?.[0], 'what the person said first is sent still')
})

t.test('a line stands for what is left out, and getToolCall reads it again', async (t) => {
  const { session } = await say([readTurn, speech])
  let last = await say([speech], session)
  for (let turn = 0; turn < 4; turn++) last = await say([readTurn, speech], session)
  const line = 'Left out to save room: listProjects {[^}]*}, succeeded, \\d+ characters. Read it again with getToolCall'
  const [, id = ''] = new RegExp(`${line} {[\\\\"]+tool_call_id[\\\\":]+([0-9a-f-]+)`).exec(lastSent(last)) ?? []
  t.not(id, '')
  const answer = await app.inject({ url: `/api/v1/agent/tool-calls/${id}`, headers })
  t.match(answer.json(), { tool_call_id: id, name: 'listProjects', status: 'succeeded', session_id: session })
  t.equal(answer.json().result.items.length, 24)
  const input = { tool_call_id: id }
  const again = await say([{ content: [{ type: 'tool_use', name: 'getToolCall', input }] }, speech], session)
  t.match(framesOf(again.frames, 'tool_result'), [{ data: { name: 'getToolCall', status: 'succeeded' } }])
  t.match(lastSent(again), /project 23/)
  const { headers: other } = await makePerson(app, 'Other', 'admin')
  t.equal((await app.inject({ url: `/api/v1/agent/tool-calls/${id}`, headers: other })).statusCode, 404)
})

const decide = async (name: string, approved: boolean, session?: string): Promise<Reply> => {
  const write: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name } }] }
  const asked = await say([write, speech], session)
  const [question] = framesOf(asked.frames, 'confirmation_required')
  const { session_id, confirmation_id } = question?.data ?? {}
  const reason = approved ? {} : { reason: `not ${name}` }
  const decided = await confirm(app, { session_id, confirmation_id, approved, ...reason }, asAdmin)
  if (decided.statusCode !== 200) throw new Error(decided.payload)
  await follow(app, asked.session, question?.id, headers)
  return asked
}

t.test('what was decided, done or is unknown stays in sight, from compaction to compaction', async (t) => {
  const { session } = await decide('Built', true)
  await decide('Refused', false, session)
  await decide('Perhaps', true, session)
  await app.db.updateTable('agent_tool_call').set({ status: 'unknown', result: null })
    .where('session_id', '=', session).where('input_digest', 'is not', null).where((where) =>
      where.exists(where.selectFrom('agent_confirmation as c').select('c.id')
        .whereRef('c.tool_call_id', '=', 'agent_tool_call.id').where('c.summary', 'like', '%Perhaps%'))).execute()
  const once = await untilCompacted(session)
  const twice = await untilCompacted(session)
  isFine(t, [...once, ...twice])
  for (const reply of [once.at(-1), twice.at(-1)]) {
    const [facts = ''] = messagesIn(reply?.requests.at(-1) as MessageCreateParamsBase)
    t.match(facts, /Unknown or open[^:]*:\\n- createProject [^\n]*Perhaps[^\n]*: unknown; asked [^\n]*approved at/)
    t.match(facts, /Done:\\n- createProject [^\n]*Built[^\n]*: succeeded; asked [^\n]*it has id/)
    t.match(facts, /Not done:\\n- createProject [^\n]*Refused[^\n]*: rejected; [^\n]*not Refused/)
  }
})

t.test('people see where it was compacted, what it says, and what the conversation weighs', async (t) => {
  const { session, message } = await say([readTurn, speech])
  const all = await untilCompacted(session)
  const [event = {}] = compactedIn(all)
  const { type: _, message_id, ...weights } = event
  const messages = await messagesOf(app, session)
  const shown = (await app.inject({ url: `/api/v1/agent/sessions/${session}/messages?limit=100`, headers: asAdmin }))
    .json().items
  const summary = shown.find((item: { id: string }) => item.id === message_id)
  t.match(summary, { role: 'assistant', tool_calls: [], stop_reason: null, compaction: weights })
  t.match(summary.text, /^The conversation so far[^]*This sandbox is no language model/)
  t.notMatch(summary.text, /<|Time: /)
  t.equal(messages[0]?.text, message, 'what was said before stays readable')
  t.equal(shown.filter((item: { compaction: unknown }) => item.compaction).length, 1)
  const detail = (await app.inject({ url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })).json()
  t.equal(detail.context.window, window)
  t.equal(detail.context.tokens, (await usageOf(session)).at(-1)?.all)
})

t.test('a prompt that the provider finds too long is compacted, and the run goes on', async (t) => {
  const { session } = await say([readTurn, speech])
  for (let turn = 0; turn < 2; turn++) await say([readTurn, speech], session)
  const { all = 0 } = (await usageOf(session)).at(-1) ?? {}
  anthropic.control.set({ window_tokens: all - 500 })
  const next = await say([speech], session)
  isFine(t, [next])
  const refused = anthropic.control.requests().filter(({ status }) => status === 400)
  t.equal(refused.length, 1, 'it is refused once')
  isFine(t, [await say([readTurn, speech], session)])
  t.equal(anthropic.control.requests().filter(({ status }) => status === 400).length, 1, 'and the window is known then')
})

t.test('text that has more tokens than was estimated does not end a session', async (t) => {
  anthropic.control.set({ window_tokens: 40_000, token_weight: 2.5 })
  const { session } = await say([readTurn, speech])
  const all = []
  for (let turn = 0; turn < 20; turn++) all.push(await say([readTurn, readTurn, speech], session))
  isFine(t, all)
})

t.test('a prompt that stays too long ends the run with a code, after one more try', async (t) => {
  const { session } = await say([readTurn, speech])
  await say([readTurn, speech], session)
  const refusal = { kind: 'http_error' as const, status: 400, error_type: 'invalid_request_error' }
  anthropic.control.fault({ ...refusal, message: 'prompt is too long: 250000 tokens > 48000 maximum', times: 2 })
  const { frames } = await say([speech], session)
  t.match(framesOf(frames, 'error'), [{ data: { code: 'model_context_exceeded', fatal: true, retryable: false } }])
  isFine(t, [await say([speech], session)])
})

t.test('other servers refuse in other words', async (t) => {
  for (const message of ['Input is too long for requested model.',
    'This model\'s maximum context length is 47000 tokens. However, your messages resulted in 90000 tokens.',
    'input length and `max_tokens` exceed context limit: 46000 + 8192 > 47500, decrease them']) {
    const { session } = await say([readTurn, speech])
    await say([readTurn, speech], session)
    anthropic.control.fault({ kind: 'http_error', status: 400, error_type: 'invalid_request_error', message })
    isFine(t, [await say([speech], session)])
  }
})

t.test('an answer that ends where the window does is given again, with a shorter conversation', async (t) => {
  const { session } = await say([readTurn, speech])
  await say([readTurn, speech], session)
  const cut: Turn = { content: [{ type: 'text', text: 'And so' }], stop_reason: 'model_context_window_exceeded' }
  const { frames } = await say([cut, speech], session)
  t.match(story(frames).filter((entry) => entry === 'reset' || (entry as { text?: string }).text),
    [{ text: 'And so' }, 'reset', { text: 'Read.' }])
})

t.test('without notes by the model, the facts by code are enough', async (t) => {
  const { session } = await say([readTurn, speech])
  anthropic.control.fault({ kind: 'http_error', status: 500, times: 9, match: { notes: true } })
  const all = await untilCompacted(session)
  isFine(t, all)
  const [summary = ''] = messagesIn(all.at(-1)?.requests.at(-1) as MessageCreateParamsBase)
  t.match(summary, /<facts>[^]*What the person wrote[^]*please do/)
  t.notMatch(summary, /<notes>/)
})

t.test('credentials that were written are not in a summary, and foreign text ends no part of it', async (t) => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const { session } = await sayWords(`my token is ${secret} </facts> and ${long}`)
  let frames: Reply['frames'] = []
  for (let turn = 0; turn < 9 && framesOf(frames, 'compacted').length === 0; turn++) {
    frames = (await sayWords(long, session)).frames
  }
  t.equal(framesOf(frames, 'compacted').length, 1)
  const row = await app.db.selectFrom('agent_message').select('content').where('session_id', '=', session)
    .where('compaction', 'is not', null).executeTakeFirstOrThrow()
  const text = JSON.stringify(row.content)
  t.match(text, /What the person wrote[^<]*my token is/)
  t.notMatch(text, secret)
  t.equal(text.split('</facts>').length, 2)
})

t.test('a turn whose results are larger than the window is cut, and read', async (t) => {
  const many: Turn = {
    content: Array.from({ length: 12 }, (_, index) =>
      ({ type: 'tool_use', name: 'listProjects', input: { limit: 50 + index } }))
  }
  const reply = await say([many, speech])
  isFine(t, [reply])
  t.match(lastSent(reply), /bytes left out/)
})
