import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, until } from '../chat.js'
import { makeToken } from '../routes/account/actors.js'
import { askedIn, askToScale, read, say, sentToModel, serviceId, timesScaled, wantsToScale } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50,"budget_user_day_usd":1000}' })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const runOf = (run: string) => read(app, `/api/v1/agent/runs/${run}`)
const sessionOf = (session: string) => read(app, `/api/v1/agent/sessions/${session}`)
const ended = (run: string) => until(async () => {
  const now = await runOf(run)
  return now.finished_at !== null && now
})
const waiting = async (session: string): Promise<string[]> =>
  (await read(app, `/api/v1/agent/confirmations?session_id=${session}`)).items.map(({ id }: { id: string }) => id)

/** Asks a question beside what waits. */
const talk = async (session: string, text = 'About 90 USD a month.', more: object = {}) => {
  const message = scripted(anthropic, [say(text)])
  const reply = await chat(app, { message, session_id: session, ...more })
  if (textOf(reply.frames) !== text) throw new Error(`Not answered: ${reply.answer.payload}`)
  return { ...reply, message }
}

/** Answers what the model is told of a call that had waited. */
const answerLate = (asked: { first: { data: Record<string, unknown> } }, text: string) =>
  anthropic.control.script({ turns: [say(text)], match: { text: `(call ${String(asked.first.data.tool_call_id)}):` } })

t.test('a message while an approval waits leaves it waiting, and the model reads that it waits', async (t) => {
  const asked = await askToScale(steward, [[web, 31], [search, 31]])
  const next = await talk(asked.session)
  t.match(next.frames.at(-1)?.data, { status: 'completed', final: true })
  const { results } = sentToModel(steward, next.message)
  const calls = asked.asked.map(({ data }) => String(data.tool_call_id))
  t.match(results, [
    ...calls.map((call) => ({
      type: 'tool_result',
      content: `It still waits for approval and was not executed (call ${
      call}). The person decides, now or later; you are told what becomes of it. Do not propose it again.`
    })),
    { type: 'text' }, { type: 'text', text: next.message }
  ])
  t.notOk(results?.some(({ is_error: isError }) => isError), 'nothing has failed')
  const ids = asked.asked.map(({ confirmation_id }) => confirmation_id)
  t.same((await waiting(asked.session)).toSorted(), ids.toSorted())
  t.match(await runOf(asked.run), { status: 'parked', finished_at: null, pending_confirmations: ids.toSorted() })
  t.match(await sessionOf(asked.session), { live_run: null, pending_confirmations: 2 })
  t.equal((await follow(app, asked.session)).answer.statusCode, 204, 'no run is live')
  t.same([await timesScaled(steward, web, 31), await timesScaled(steward, search, 31)], [0, 0])
})

t.test('a later approval runs the write, once, and the model answers with its outcome', async (t) => {
  const asked = await askToScale(steward, [[web, 32]])
  await talk(asked.session)
  await talk(asked.session, 'Still the same.')
  answerLate(asked, 'It runs 32 tasks now.')
  const decided = await confirm(app, { ...asked.decision, approved: true })
  t.match([decided.statusCode, decided.json()], [200, { status: 'approved', run_id: asked.run }])
  t.match(await ended(asked.run), { status: 'completed' })
  t.equal(await timesScaled(steward, web, 32), 1)
  const { messages } = sentToModel(steward, asked.message)
  const late = JSON.stringify(messages.at(-1))
  t.match(late, new RegExp(`- scaleService \\(call ${String(asked.first.data.tool_call_id)}\\): succeeded\\.`))
  t.match(late, /No person wrote this/)
  t.same(messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'])
  const { frames } = await follow(app, asked.session, asked.after)
  t.same(frames.filter(({ event }) => event !== 'content').map(({ data }) => [data.type, data.status]), [
    ['tool_call', 'awaiting_confirmation'], ['tool_call', 'running'], ['tool_result', 'succeeded'],
    ['done', 'completed']
  ], 'its stream goes on where it was')
  t.equal(textOf(frames), 'It runs 32 tasks now.')
  const shown = (await read(app, `/api/v1/agent/sessions/${asked.session}/messages`)).items
  t.notOk(shown.some(({ role, text }: { role: string, text: string }) => role === 'user' && /platform/.test(text)))
  t.same(shown.at(-2).tool_calls.map(({ status }: { status: string }) => status), ['succeeded'], 'where it was asked')
})

t.test('a later rejection is told to the model, and nothing runs', async (t) => {
  const asked = await askToScale(steward, [[web, 33]])
  await talk(asked.session)
  answerLate(asked, 'Then not.')
  await confirm(app, { ...asked.decision, approved: false, reason: 'Too many' })
  t.match(await ended(asked.run), { status: 'completed' })
  t.match(JSON.stringify(sentToModel(steward, asked.message).messages.at(-1)), /rejected\. The user declined this action\. It was not executed\. Reason: Too many/)
  t.equal(await timesScaled(steward, web, 33), 0)
})

t.test('a decision while another run works waits for that run, and then goes on', async (t) => {
  const asked = await askToScale(steward, [[web, 34]])
  const slow = scripted(anthropic, [{ ...say('A slow answer'), chunk: 1, delay_ms: 60_000 }])
  const started = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    headers: { ...asAdmin, prefer: 'respond-async' },
    payload: { message: slow, session_id: asked.session }
  })
  t.equal(started.statusCode, 202)
  t.match((await confirm(app, { ...asked.decision, approved: true })).json(), { status: 'approved' })
  t.match(await runOf(asked.run), { status: 'parked' })
  await app.inject({ method: 'POST', url: `${started.json().run_url}/cancel`, headers: asAdmin })
  t.match(await ended(asked.run), { status: 'completed' })
  t.equal(await timesScaled(steward, web, 34), 1)
})

t.test('what was asked later does not hold up what is approved: that one waits on instead', async (t) => {
  const first = await askToScale(steward, [[web, 35]])
  const second = await askToScale(steward, [[search, 35]], { session_id: first.session })
  t.match([(await runOf(first.run)).status, (await runOf(second.run)).status], ['parked', 'awaiting_confirmation'])
  await confirm(app, { ...first.decision, approved: true })
  t.match(await ended(first.run), { status: 'completed' })
  t.match(await runOf(second.run), { status: 'parked', pending_confirmations: [second.decision.confirmation_id] })
  await confirm(app, { ...second.decision, approved: true })
  t.match(await ended(second.run), { status: 'completed' })
  t.same([await timesScaled(steward, web, 35), await timesScaled(steward, search, 35)], [1, 1])
})

t.test('only a new write on the same target takes the place of what waits', async (t) => {
  const asked = await askToScale(steward, [[web, 36], [search, 36]])
  const other = await askToScale(steward, [[web, 37]], { session_id: asked.session })
  const [onWeb, onSearch] = asked.asked
  t.same((await waiting(asked.session)).toSorted(),
    [onSearch?.confirmation_id, other.decision.confirmation_id].toSorted(), 'the other target waits on')
  const late = await confirm(app, { ...asked.decision, approved: true })
  t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed', reason: 'superseded' }])
  t.equal(onWeb?.confirmation_id, asked.decision.confirmation_id)
  await confirm(app, { ...other.decision, approved: true })
  await ended(other.run)
  const { session_id, confirmation_id = '' } = onSearch ?? asked.first
  t.match((await confirm(app, { session_id, confirmation_id, approved: true })).json(), { status: 'approved' })
  t.match(await ended(asked.run), { status: 'completed' })
  t.same([await timesScaled(steward, web, 36), await timesScaled(steward, web, 37),
    await timesScaled(steward, search, 36)], [0, 1, 1])
})

t.test('the very call that waits is not asked a second time', async (t) => {
  const asked = await askToScale(steward, [[web, 38]])
  const message = scripted(anthropic, [wantsToScale([web, 38]), say('It waits.')])
  const again = await chat(app, { message, session_id: asked.session })
  t.same(askedIn(again.frames), [])
  t.match(framesOf(again.frames, 'tool_result').map(({ data }) => data.result),
    [{ code: 'waits_already', tool_call_id: asked.first.data.tool_call_id }])
  t.same(await waiting(asked.session), [asked.decision.confirmation_id])
})

t.test('the person\'s word closes what waits beside the conversation', async (t) => {
  const superseded = await askToScale(steward, [[web, 39]])
  await talk(superseded.session)
  await talk(superseded.session, 'Never mind.', { on_pending: 'supersede' })
  const cancelled = await askToScale(steward, [[web, 40]])
  await talk(cancelled.session)
  const stopped = await app.inject({
    method: 'POST', url: `/api/v1/agent/runs/${cancelled.run}/cancel`, headers: asAdmin
  })
  t.match([stopped.statusCode, stopped.json()], [200, { status: 'cancelled', reason: 'user_cancel' }])
  const deleted = await askToScale(steward, [[web, 41]])
  await talk(deleted.session)
  await app.inject({ method: 'DELETE', url: `/api/v1/agent/sessions/${deleted.session}`, headers: asAdmin })
  for (const { decision, run, reason } of [
    { ...superseded, reason: 'superseded' }, { ...cancelled, reason: 'user_cancel' },
    { ...deleted, reason: 'session_deleted' }
  ]) {
    t.match(await ended(run), { status: 'cancelled', reason })
    const late = await confirm(app, { ...decision, approved: true })
    t.match(late.json(), { status: 409, code: 'confirmation_closed', reason })
  }
  t.same([await timesScaled(steward, web, 39), await timesScaled(steward, web, 40),
    await timesScaled(steward, web, 41)], [0, 0, 0])
})

t.test('an assistant may go on with a conversation in which approvals wait, and closes none', async (t) => {
  const asked = await askToScale(steward, [[web, 42]])
  const { headers } = await makeToken(app, asAdmin, ['agent:read', 'agent:write'], { assistant: true })
  const message = scripted(anthropic, [say('It waits.')])
  t.equal(textOf((await chat(app, { message, session_id: asked.session }, headers)).frames), 'It waits.')
  t.same(await waiting(asked.session), [asked.decision.confirmation_id])
})

t.test('no more than the limit waits in one session', async (t) => {
  const all = Array.from({ length: 10 }, (_, n) => [n % 2 ? web : search, 50 + n] as [string, number])
  const [first, ...rest] = all
  const asked = await askToScale(steward, [first ?? all[0] ?? [web, 50]])
  const message = scripted(anthropic, [wantsToScale(...rest, [web, 70]), say('Enough.')])
  const more = await chat(app, { message, session_id: asked.session })
  t.match(framesOf(more.frames, 'tool_result').map(({ data }) => data.result), [{ code: 'too_many_pending' }])
})

t.test('a copy of a conversation has no approval of the old one', async (t) => {
  const asked = await askToScale(steward, [[web, 43]])
  await talk(asked.session)
  const copy = (await app.inject({
    method: 'POST', url: `/api/v1/agent/sessions/${asked.session}/fork`, headers: asAdmin, payload: {}
  })).json()
  t.match([copy.live_run, copy.pending_confirmations, copy.confirmations], [null, 0, []])
  const calls = (await read(app, `/api/v1/agent/sessions/${copy.id}/messages`)).items
    .flatMap(({ tool_calls: calls }: { tool_calls: { status: string }[] }) => calls.map(({ status }) => status))
  t.same(calls, ['cancelled'])
  t.same(await waiting(asked.session), [asked.decision.confirmation_id])
})
