import t, { type Test } from '../../tap.js'
import type { MessageCreateParamsBase, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, until, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { story } from './story.js'

const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ model_retry_base_ms: 1, live_runs_per_user: 20 })
})

const speech: Turn = { content: [{ type: 'text', text: 'Fine.' }] }
const readTurn: Turn = { content: [{ type: 'tool_use', name: 'listProjects', input: {} }] }
const write: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Never' } }] }

const requestsOf = (message: string) => anthropic.control.requests(message)
  .map(({ body }) => body as MessageCreateParamsBase).filter(({ stream }) => stream)

const say = async (turns: Turn[], session_id?: string, headers: Record<string, string> = asAdmin, more: object = {}) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message, ...(session_id === undefined ? {} : { session_id }), ...more }, headers)
  return { ...reply, message, requests: requestsOf(message) }
}

const usageOf = (run: string) => app.db.selectFrom('agent_usage').selectAll()
  .where('run_id', '=', run).orderBy('id').execute()

t.test('P10: from its second call on, a session reads its prefix from the cache', async (t) => {
  const first = await say([readTurn, readTurn, speech])
  const second = await say([readTurn, speech], first.session)
  const rows = [...await usageOf(first.run), ...await usageOf(second.run)]
  t.equal(rows.length, 5)
  for (const [index, row] of rows.entries()) {
    if (index === 0) continue
    const [read, wrote, rest] = [row.cache_read_tokens, row.cache_write_tokens, row.input_tokens].map(Number)
    const share = (read ?? 0) / ((read ?? 0) + (wrote ?? 0) + (rest ?? 0))
    t.ok(share >= 0.9, `call ${index}: ${Math.round(share * 100)} %`)
  }
  t.match(story(second.frames).at(-1), { status: 'completed' })
})

t.test('P10: tools are sorted, and with the system prompt the same bytes in every session', async (t) => {
  const [first, second] = [await say([readTurn, speech]), await say([speech])]
  const prefix = ({ tools, system }: MessageCreateParamsBase) => JSON.stringify({ tools, system })
  const all = [...first.requests, ...second.requests]
  t.equal(new Set(all.map(prefix)).size, 1)
  const names = all[0]?.tools?.map((tool) => 'name' in tool ? tool.name : '') ?? []
  t.ok(names.length > 10)
  t.same(names, names.toSorted())
  const { headers } = await makePerson(app, 'Another', 'member')
  const others = [await say([speech], undefined, headers), await say([speech], undefined, headers)]
  t.equal(new Set(others.flatMap(({ requests }) => requests.map(prefix))).size, 1)
  t.same(others[0]?.requests[0]?.system, all[0]?.system, 'who asks is not in the system prompt')
})

t.test('P10: what a session sent stays byte for byte the beginning of what it sends', async (t) => {
  const first = await say([readTurn, speech])
  const second = await say([readTurn, speech], first.session)
  const sent = [...first.requests, ...second.requests].map(({ messages }) => JSON.stringify(messages).slice(0, -1))
  for (const [index, text] of sent.entries()) t.ok(text.startsWith(sent[index - 1] ?? ''), `call ${index}`)
})

/** Every call has its result in the next message, and roles take turns. */
const problemsOf = (messages: MessageParam[]): string[] => messages.flatMap(({ role, content }, index) => {
  const wrong = role === (index % 2 === 0 ? 'user' : 'assistant') ? [] : [`${index} is of ${role}`]
  if (typeof content === 'string') return wrong
  const next = messages[index + 1]?.content
  const answers = Array.isArray(next) ? next : []
  const results = answers.flatMap((block) => block.type === 'tool_result' ? [block.tool_use_id] : [])
  const open = content.flatMap((block) => block.type === 'tool_use' && !results.includes(block.id) ? [block.id] : [])
  return [...wrong, ...open.map((id) => `${index} leaves ${id} open`)]
})

/** The session takes a next message, whose request is as the API wants it. @returns that request's messages */
const goesOn = async (t: Test, session: string, more: object = {}): Promise<MessageParam[]> => {
  const next = await say([speech], session, asAdmin, more)
  t.match(story(next.frames), [{ text: 'Fine.' }, { status: 'completed' }])
  const { messages = [] } = next.requests[0] ?? {}
  t.same(problemsOf(messages), [])
  return messages
}

t.test('after a cancelled answer the next request is valid, and holds what was seen', async (t) => {
  const message = scripted(anthropic, [readTurn, { ...speech, fault: { kind: 'hang', after_events: 4 } }])
  const started = await app.inject({
    method: 'POST', url: '/api/v1/agent/chat', headers: { ...asAdmin, prefer: 'respond-async' }, payload: { message }
  })
  const { session_id, run_id } = started.json()
  await until(async () => (await app.db.selectFrom('stream_event').select('position')
    .where('stream_id', '=', run_id).where('event', '=', 'content').execute()).length > 0)
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run_id}/cancel`, headers: asAdmin })
  await until(async () => (await app.inject({ url: `/api/v1/agent/runs/${run_id}`, headers: asAdmin }))
    .json().finished_at !== null)
  t.match((await goesOn(t, session_id)).at(-2), { role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] })
})

t.test('after a failed answer the next request is valid', async (t) => {
  const failing: Turn = { ...speech, fault: { kind: 'http_error', status: 400 } }
  const first = await say([readTurn, failing])
  t.match(story(first.frames).at(-1), { status: 'failed' })
  const messages = await goesOn(t, first.session)
  t.equal(messages.length, 3, 'results and the next message are one')
  await goesOn(t, (await say([failing])).session)
})

t.test('after a superseded approval the next request is valid, and shows it to the model', async (t) => {
  const first = await say([write])
  t.match(story(first.frames).at(-1), { status: 'awaiting_confirmation', final: false })
  const messages = await goesOn(t, first.session, { on_pending: 'supersede' })
  t.match(JSON.stringify(messages), /The user moved on without approving/)
})

t.test('after a message that leaves an approval waiting the next request is valid, and says that it waits', async (t) => {
  const first = await say([write])
  t.match(JSON.stringify(await goesOn(t, first.session)), /It still waits for approval and was not executed/)
  t.match(JSON.stringify(await goesOn(t, first.session)), /It still waits for approval and was not executed/)
})

t.test('after an expired approval the next request is valid, and shows it to the model', async (t) => {
  const first = await say([write, speech])
  await app.db.updateTable('agent_confirmation').set({ expires_at: new Date() })
    .where('run_id', '=', first.run).execute()
  const { frames } = await follow(app, first.session, first.frames.findLast(({ id }) => id !== undefined)?.id)
  t.match(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['expired'])
  t.match(JSON.stringify(await goesOn(t, first.session)), /Nobody approved this in time/)
})

t.test('an approved call keeps the prefix', async (t) => {
  const first = await say([{ content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Made' } }] }, speech])
  const [asked] = framesOf(first.frames, 'confirmation_required')
  const { session_id, confirmation_id } = asked?.data ?? {}
  t.equal((await confirm(app, { session_id, confirmation_id, approved: true })).statusCode, 200)
  const { frames } = await follow(app, first.session, asked?.id)
  t.match(story(frames).at(-1), { status: 'completed' })
  const [before, after] = requestsOf(first.message).map(({ messages }) => JSON.stringify(messages).slice(0, -1))
  t.ok(after?.startsWith(before ?? '?'))
})
