import t from '../tap.js'
import { requestCancel } from '../../db/agent/runs.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, until } from '../chat.js'
import { makeToken } from '../routes/account/actors.js'
import { askToScale, marked, read, say, sentToModel, serviceId, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50,"budget_user_day_usd":1000}' })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const runOf = (run: string) => read(app, `/api/v1/agent/runs/${run}`)
const declined = 'The user declined this action. It was not executed.'

const resultsOf = (message: string) => sentToModel(steward, message).results?.map(({ type, content, is_error }) =>
  [type, String(content).startsWith('{') ? JSON.parse(String(content)).content.desired_count : content, is_error])

t.test('P7: two calls of one turn are decided in either order, each for itself', async (t) => {
  for (const [index, order] of [[0, 1], [1, 0]].entries()) {
    const counts = [11 + index, 13 + index] as const
    const asked = await askToScale(steward, [[web, counts[0]], [search, counts[1]]])
    t.equal(asked.asked.length, 2)
    for (const [turn, which] of order.entries()) {
      const { session_id, confirmation_id = '' } = asked.asked[which] ?? asked.first
      const decided = await confirm(app, { session_id, confirmation_id, approved: which === 0 })
      t.match(decided.json(), { status: which === 0 ? 'approved' : 'rejected', already_decided: false })
      if (turn === 1) break
      const pending = asked.asked[order[1] ?? 0]?.confirmation_id
      const run = await until(async () => {
        const now = await runOf(asked.run)
        return now.status === 'awaiting_confirmation' && now
      })
      t.same(run.pending_confirmations, [pending], 'the other one still waits')
      t.equal(sentToModel(steward, asked.message).calls, 1, 'the model waits for both')
    }
    const { frames } = await follow(app, asked.session, asked.after)
    const ends = framesOf(frames, 'tool_result').map(({ data }) => data.status)
    t.same(ends, index === 0 ? ['succeeded', 'rejected'] : ['rejected', 'succeeded'], 'in the order of the ends')
    t.equal(frames.at(-1)?.data.status, 'completed')
    t.same(resultsOf(asked.message), [
      ['tool_result', counts[0], undefined], ['tool_result', declined, true]
    ], 'one message with both results, in the order of the calls')
    t.equal(sentToModel(steward, asked.message).calls, 2)
    t.same([await timesScaled(steward, web, counts[0]), await timesScaled(steward, search, counts[1])], [1, 0])
  }
})

t.test('H55: fifty approvals at once are one execution', async (t) => {
  const asked = await askToScale(steward, [[web, 15]])
  const answers = await Promise.all(Array.from({ length: 50 }, () =>
    confirm(app, { ...asked.decision, approved: true })))
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  t.equal(answers.filter((answer) => !answer.json().already_decided).length, 1)
  t.equal(new Set(answers.map((answer) => answer.json().decided_at)).size, 1)
  const { frames } = await follow(app, asked.session, asked.after)
  t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['succeeded'])
  t.equal(framesOf(frames, 'done').length, 1)
  t.equal(await timesScaled(steward, web, 15), 1)
})

t.test('H55: of an approval and a rejection at once, one wins', async (t) => {
  for (const count of [16, 17, 18, 19]) {
    const asked = await askToScale(steward, [[web, count]])
    const decisions = count % 2 ? [true, false] : [false, true]
    const answers = await Promise.all(decisions.map((approved) => confirm(app, { ...asked.decision, approved })))
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 409])
    const won = answers.find(({ statusCode }) => statusCode === 200)?.json().status
    const lost = answers.find(({ statusCode }) => statusCode === 409)?.json()
    t.match(lost, { code: 'confirmation_decided', decision: won })
    const { frames } = await follow(app, asked.session, asked.after)
    const end = won === 'approved' ? 'succeeded' : 'rejected'
    t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), [end])
    t.equal(await timesScaled(steward, web, count), won === 'approved' ? 1 : 0)
  }
})

t.test('a new message closes what waits where the person says so, and the model receives that', async (t) => {
  const asked = await askToScale(steward, [[web, 21], [search, 21]])
  const rejected = await chat(app, { message: 'Wait', session_id: asked.session, on_pending: 'reject' })
  const names = { session: asked.session, run: asked.run }
  t.match([rejected.answer.statusCode, marked(rejected.answer.json(), names)], [409, {
    code: 'approvals_pending', run_id: '<run>', stream_url: '/api/v1/agent/sessions/<session>/stream'
  }])
  const agent = await makeToken(app, asAdmin, ['agent:read', 'agent:write'], { assistant: true })
  const other = await chat(app, { message: 'Go on', session_id: asked.session, on_pending: 'supersede' }, agent.headers)
  t.match([other.answer.statusCode, other.answer.json()], [409, { code: 'approvals_pending' }], 'nor of an assistant')
  t.equal((await runOf(asked.run)).status, 'awaiting_confirmation', 'the refused message has changed nothing')

  const message = scripted(anthropic, [say('Never mind then.')])
  const next = await chat(app, { message, session_id: asked.session, on_pending: 'supersede' })
  t.equal(textOf(next.frames), 'Never mind then.')
  t.match(next.frames.at(-1)?.data, { status: 'completed', final: true })
  const moved = 'The user moved on without approving. It was not executed.'
  const { messages, results } = sentToModel(steward, message)
  t.same(messages.map(({ role }) => role), ['user', 'assistant', 'user'])
  t.match(results?.slice(0, 2), [{ type: 'tool_result', content: moved }, { type: 'tool_result', content: moved }])
  t.match(results?.at(-1), { type: 'text', text: message })

  const old = await runOf(asked.run)
  t.match(old, { status: 'cancelled', pending_confirmations: [] })
  for (const { session_id, confirmation_id } of asked.asked) {
    for (const approved of [true, false]) {
      const late = await confirm(app, { session_id, confirmation_id, approved })
      t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed', reason: 'superseded' }])
    }
  }
  t.same((await read(app, '/api/v1/agent/confirmations')).items, [])
  t.same([await timesScaled(steward, web, 21), await timesScaled(steward, search, 21)], [0, 0])
})

t.test('of an approval and a new message at once, the approval counts in either order', async (t) => {
  for (const count of [22, 23, 24, 25]) {
    const asked = await askToScale(steward, [[web, count]])
    const message = scripted(anthropic, [say('Hello.')])
    const [decided, next] = await Promise.all([
      confirm(app, { ...asked.decision, approved: true }),
      chat(app, { message, session_id: asked.session })
    ])
    t.equal(decided.statusCode, 200, decided.payload)
    await until(async () => (await runOf(asked.run)).status === 'completed')
    t.equal(await timesScaled(steward, web, count), 1)
    if (next.answer.statusCode !== 200) t.match(next.answer.json(), { code: 'session_busy' })
  }
})

t.test('a run that is about to end takes no approval', async (t) => {
  const asked = await askToScale(steward, [[web, 27]])
  const row = await app.db.selectFrom('agent_run').select(['workspace_id', 'user_id']).where('id', '=', asked.run)
    .executeTakeFirstOrThrow()
  await requestCancel(app.db, row.workspace_id, row.user_id, asked.run, 'user_cancel')
  const late = await confirm(app, { ...asked.decision, approved: true })
  t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed' }])
  const { frames } = await follow(app, asked.session, asked.after)
  t.same(frames.map(({ event, data }) => [event, data.status]), [['tool_result', 'cancelled'], ['done', 'cancelled']])
  t.equal(await timesScaled(steward, web, 27), 0)
})

t.test('H58: a session that works takes no message', async (t) => {
  const message = scripted(anthropic, [{ ...say('A slow answer'), chunk: 1, delay_ms: 60_000 }])
  const started = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    payload: { message },
    headers: { ...asAdmin, prefer: 'respond-async' }
  })
  const { session_id: session, run_id: run, stream_url, run_url } = started.json()
  t.same([started.statusCode, started.headers.location, stream_url], [202, run_url,
    `/api/v1/agent/sessions/${session}/stream`])
  for (const more of [{}, { on_pending: 'supersede' }, { on_pending: 'reject' }]) {
    const busy = await chat(app, { message: 'And?', session_id: session, ...more })
    t.same([busy.answer.statusCode, marked(busy.answer.json(), { session, run })], [409, {
      type: 'urn:steward:error:session_busy',
      title: busy.answer.json().title,
      status: 409,
      detail: busy.answer.json().detail,
      code: 'session_busy',
      request_id: '<request>',
      run_id: '<run>',
      stream_url: '/api/v1/agent/sessions/<session>/stream'
    }])
  }
  await app.inject({ method: 'POST', url: `${run_url}/cancel`, headers: asAdmin })
  const { frames } = await follow(app, session, `${run}:0`)
  t.match(frames.at(-1)?.data, { type: 'done', status: 'cancelled', final: true })
  const next = await chat(app, { message: scripted(anthropic, [say('Here.')]), session_id: session })
  t.equal(textOf(next.frames), 'Here.')
})
