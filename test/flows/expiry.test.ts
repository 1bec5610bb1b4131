import t from '../tap.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, until } from '../chat.js'
import { askToScale, read, say, sentToModel, serviceId, storedFrames, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50,"confirmation_ttl_s":1}' })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const runOf = (run: string) => read(app, `/api/v1/agent/runs/${run}`)
const late = 'Nobody approved this in time. It was not executed.'

t.test('a run whose questions stay unanswered ends without another call of the model', async (t) => {
  for (const inputs of [[[web, 31]], [[web, 32], [search, 32]]] as [string, number][][]) {
    const asked = await askToScale(steward, inputs)
    const { frames } = await follow(app, asked.session, asked.after)
    t.same(frames.map(({ event, data }) => [event, data.status]),
      [...inputs.map(() => ['tool_result', 'expired']), ['done', 'expired']])
    t.match(frames.at(-1)?.data, {
      final: true, stop_reason: 'expired', message_id: null, pending_confirmations: [], usage: { model_calls: 1 }
    })
    for (const { session_id, confirmation_id } of asked.asked) {
      for (const approved of [true, false]) {
        const answer = await confirm(app, { session_id, confirmation_id, approved })
        t.match([answer.statusCode, answer.json()], [410, { code: 'confirmation_expired', expired_at: /Z$/ }])
      }
    }
    t.match(await runOf(asked.run), { status: 'expired', pending_confirmations: [] })
    t.equal(framesOf(await storedFrames(app, asked.session, asked.run), 'done').length, 1)
    t.equal(sentToModel(steward, asked.message).calls, 1)
    for (const [service, count] of inputs) t.equal(await timesScaled(steward, service, count), 0)

    const message = scripted(anthropic, [say('As you like.')])
    const next = await chat(app, { message, session_id: asked.session })
    t.equal(textOf(next.frames), 'As you like.')
    const { results } = sentToModel(steward, message)
    t.match(results?.map(({ type, content }) => [type, content ?? null]), [
      ...inputs.map(() => ['tool_result', late]), ['text', null], ['text', null]
    ], 'the model receives it with the next message')
  }
})

t.test('I65: an approval that comes too late is refused before any sweep has seen it', async (t) => {
  const asked = await askToScale(steward, [[web, 33]])
  const { expires_at: end } = asked.first.data
  await until(async () => Date.now() > Date.parse(String(end)))
  const answer = await confirm(app, { ...asked.decision, approved: true })
  t.match([answer.statusCode, answer.json()], [410, { code: 'confirmation_expired' }])
  await follow(app, asked.session, asked.after)
  t.equal(await timesScaled(steward, web, 33), 0)
})

t.test('who has decided something of a turn is answered, though the rest expired', async (t) => {
  const asked = await askToScale(steward, [[web, 34], [search, 34]])
  await confirm(app, { ...asked.decision, approved: false })
  const { frames } = await follow(app, asked.session, asked.after)
  t.same(frames.map(({ event, data }) => [event, data.status ?? null]),
    [['tool_result', 'rejected'], ['tool_result', 'expired'], ['content', null], ['done', 'completed']])
  const { calls, results } = sentToModel(steward, asked.message)
  t.equal(calls, 2)
  t.match(results, [{ content: 'The user declined this action. It was not executed.' }, { content: late }])
})
