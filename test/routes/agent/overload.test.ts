import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, follow, scripted, startChatApp, until } from '../../chat.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_instance: 1 }) })

t.test('G51: an instance that executes all the runs it may says so, and takes the next afterwards', async (t) => {
  const content = [{ type: 'text' as const, text: 'Slowly. '.repeat(50) }]
  const message = scripted(anthropic, [{ content, chunk: 4, delay_ms: 50 }])
  const started = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    payload: { message },
    headers: { ...asAdmin, prefer: 'respond-async', 'idempotency-key': 'first' }
  })
  t.equal(started.statusCode, 202)
  const { answer } = await chat(app, { message: 'Hello' })
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^([1-9]|[1-5]\d|60)$/)
  t.match(answer.json(), { code: 'overloaded', detail: 'This instance executes as many runs as it may' })
  const again = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    payload: { message },
    headers: { ...asAdmin, prefer: 'respond-async', 'idempotency-key': 'first' }
  })
  t.equal(again.json().run_id, started.json().run_id, 'who only comes back is no load')
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${started.json().run_id}/cancel`, headers: asAdmin })
  await follow(app, started.json().session_id)
  const next = await until(async () => {
    const one = await chat(app, { message: 'Hello' })
    return one.answer.statusCode === 200 && one
  })
  t.match(next.frames.at(-1), { event: 'done', data: { status: 'completed' } })
})
