import t from '../../tap.js'
import { sql } from 'kysely'
import { asAdmin } from '../../app.js'
import { chat, framesOf, scripted, startChatApp, until, type Turn } from '../../chat.js'

// A million input tokens cost 3 USD and a million output tokens 15: micro-dollars are 3 and 15 a token.
const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ model_idle_ms: 1_500, model_retry_base_ms: 1, live_runs_per_user: 50 })
})

const usage =
  { input_tokens: 1_000, output_tokens: 40, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const words = 'Twelve services are fine, and one of them is slow.'
const speech: Turn = { content: [{ type: 'text', text: words }], chunk: 10, usage }
const whole = 1_000 * 3 + 40 * 15

interface Row { cost: number, input: number, output: number, estimated: boolean, model: string }
const rowsOf = async (run: string) => (await sql<Row>`select cost_usd_micros as cost, input_tokens as input,
  output_tokens as output, estimated, model from agent_usage where run_id = ${run} order by id`.execute(app.db)).rows
const read = async (url: string) => (await app.inject({ url: `/api/v1/agent/${url}`, headers: asAdmin })).json()
const inUsd = (micros: number) => ({ amount: (micros / 1_000_000).toFixed(6), currency: 'USD' })

/** What the person is shown, by the run, its stream and its session. */
const shown = async ({ run, session, frames }: Awaited<ReturnType<typeof chat>>) => {
  const done = framesOf(frames, 'done').at(-1)?.data as { usage: { cost: unknown } } | undefined
  return [(await read(`runs/${run}`)).usage.cost, done?.usage.cost, (await read(`sessions/${session}`)).spent]
}

/** @returns what the rows cost together; they, and all that is shown, agree */
const agreed = async (reply: Parameters<typeof shown>[0]) => {
  const rows = await rowsOf(reply.run)
  const sum = rows.reduce((total, { cost }) => total + cost, 0)
  return { rows, isAgreed: (await shown(reply)).every((cost) => JSON.stringify(cost) === JSON.stringify(inUsd(sum))) }
}

const faults: NonNullable<Turn['fault']>[] = [
  { kind: 'cut', after_events: 6 }, { kind: 'eof', after_events: 6 }, { kind: 'hang', after_events: 6 },
  { kind: 'stream_error', after_events: 6 }, { kind: 'malformed_json', after_events: 6 }
]

for (const fault of faults) {
  t.test(`a call that ends by ${fault.kind} is counted beside the one that repeats it`, async (t) => {
    const reply = await chat(app, { message: scripted(anthropic, [{ ...speech, fault }, speech]) })
    const { rows: [broken, good], isAgreed } = await agreed(reply)
    t.match([broken?.input, broken?.estimated, good], [1_000, true, { cost: whole, estimated: false }])
    // Three pieces of ten characters had come.
    const output = broken?.output ?? 0
    t.ok(output >= 30 / 4 && output <= 40, `${output} tokens`)
    t.equal(broken?.cost, 1_000 * 3 + output * 15)
    t.ok(isAgreed)
  })
}

t.test('a call that breaks before the model has begun is not charged', async (t) => {
  const reply = await chat(app, {
    message: scripted(anthropic, [{ ...speech, fault: { kind: 'http_error', status: 529 } }, speech])
  })
  const { rows, isAgreed } = await agreed(reply)
  t.match([rows.length, rows[0]?.cost, isAgreed], [1, whole, true])
})

t.test('a server that reports no tokens is charged by what was sent and answered', async (t) => {
  const uncounted: Turn = { ...speech, usage: { ...usage, input_tokens: 0, output_tokens: 0 } }
  const { rows, isAgreed } = await agreed(await chat(app, { message: scripted(anthropic, [uncounted]) }))
  const [row] = rows
  t.match([rows.length, row?.estimated, isAgreed], [1, true, true])
  t.ok((row?.input ?? 0) > 1_000, 'the instructions and the tools alone weigh more')
  t.ok((row?.output ?? 0) >= words.length / 4, `${row?.output} tokens`)
  t.equal(row?.cost, (row?.input ?? 0) * 3 + (row?.output ?? 0) * 15)
})

t.test('a turn that is cut in a call and repeated is charged twice', async (t) => {
  const content: Turn['content'] = [{ type: 'tool_use', name: 'createProject', input: { name: 'Never' } }]
  const cut: Turn = { content, usage, fault: { kind: 'truncated_tool_use' } }
  const { rows, isAgreed } = await agreed(await chat(app, { message: scripted(anthropic, [cut, speech]) }))
  t.match([rows, isAgreed], [[{ cost: whole, estimated: false }, { cost: whole, estimated: false }], true])
})

const hanging: Turn = { ...speech, fault: { kind: 'ping_only', after_events: 6, delay_ms: 200 } }

/** Begins a run whose model has sent some words and then hangs. */
const startHanging = async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    payload: { message: scripted(anthropic, [hanging]) },
    headers: { ...asAdmin, prefer: 'respond-async' }
  })
  const { run_id: run, session_id: session } = answer.json()
  await until(async () => (await sql`select 1 from stream_event where stream_id = ${run}`.execute(app.db)).rows[0])
  return { run, session }
}

t.test('a run that is cancelled in the middle of a text is charged for what was sent', async (t) => {
  const { run, session } = await startHanging()
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run}/cancel`, payload: {}, headers: asAdmin })
  await until(async () => (await read(`runs/${run}`)).status === 'cancelled')
  const rows = await rowsOf(run)
  t.match(rows, [{ input: 1_000, estimated: true }])
  t.same((await read(`runs/${run}`)).usage.cost, inUsd(rows[0]?.cost ?? 0))
  t.same((await read(`sessions/${session}`)).spent, inUsd(rows[0]?.cost ?? 0))
})

t.test('a turn that its holder cannot store any more is counted once', async (t) => {
  const late: Turn = { ...speech, delay_ms: 60 }
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    payload: { message: scripted(anthropic, [late]) },
    headers: { ...asAdmin, prefer: 'respond-async' }
  })
  const { run_id: run, session_id: session } = answer.json()
  // Another process takes the run, and never comes back to it.
  await sql`update agent_run set lease_epoch = lease_epoch + 1, lease_until = now() + interval '1 hour'
    where id = ${run}`.execute(app.db)
  const rows = await until(async () => {
    const found = await rowsOf(run)
    return found.length > 0 && found
  })
  // Its holder finds out when it stores the turn, or when it renews its lease a little before.
  t.match([rows.length, rows[0]?.input], [1, 1_000])
  t.same((await read(`sessions/${session}`)).spent, inUsd(rows[0]?.cost ?? 0))
})

t.test('broken calls count against the budget of the run before it asks the model again', async (t) => {
  const dear: Turn = { ...speech, usage: { ...usage, input_tokens: 300_000 }, fault: { kind: 'cut', after_events: 6 } }
  const reply = await chat(app, { message: scripted(anthropic, [dear, speech]) })
  t.match(framesOf(reply.frames, 'confirmation_required')[0]?.data, {
    kind: 'budget', summary: /^This run has cost 0\.90\d+ USD of 0\.5 USD\./
  })
  t.equal(anthropic.control.pending().turns, 1, 'the second turn is not asked for')
  anthropic.control.reset()
})

t.test('a title whose call broke is charged like any other', async (t) => {
  const title: Turn = { content: [{ type: 'text', text: 'A fine title' }], usage }
  anthropic.control.script({
    turns: [{ ...title, fault: { kind: 'cut', after_events: 4 } }, title], match: { title: true }
  })
  const messages = [{ role: 'user', content: 'How are my services?' }]
  const answer = await app.inject({
    method: 'POST', url: '/api/v1/agent/generate-title', payload: { messages }, headers: asAdmin
  })
  t.equal(answer.json().title, 'A fine title')
  const { rows } = await sql`select input_tokens as input, estimated from agent_usage where purpose = 'title'
    order by id`.execute(app.db)
  t.match(rows, [{ input: 1_000, estimated: true }, { input: 1_000, estimated: false }])
})

t.test('the model that answered is the one that is paid', async (t) => {
  const reply = await chat(app, { message: scripted(anthropic, [{ ...speech, model: 'claude-opus-5-5' }]) })
  const { rows, isAgreed } = await agreed(reply)
  t.match([rows, isAgreed], [[{ model: 'claude-opus-5-5', cost: 1_000 * 5 + 40 * 25 }], true])
  const unknown = await chat(app, { message: scripted(anthropic, [{ ...speech, model: 'another-model' }]) })
  t.match(await rowsOf(unknown.run), [{ model: 'claude-sonnet-5-5', cost: whole }], 'else the one that was asked')
})

t.test('writes to the cache of five minutes cost less than those to the cache of an hour', async (t) => {
  const { run } = await chat(app, { message: 'hello' })
  const [row] = (await sql<{ writes: number, rest: number }>`select cache_write_tokens as writes,
    cost_usd_micros - input_tokens * 3 - output_tokens * 15 - cache_read_tokens * 0.3 as rest
    from agent_usage where run_id = ${run}`.execute(app.db)).rows
  const [writes, rest] = [Number(row?.writes), Number(row?.rest)]
  t.ok(writes > 0 && rest >= writes * 3 * 1.25 && rest < writes * 3 * 2, `${rest} for ${writes} tokens`)
})
