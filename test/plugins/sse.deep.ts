import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'

const app = await buildApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 20, streams_per_user: 20 }) })
const url = await app.listen({ host: '127.0.0.1', port: 0 })

const chat = async () => {
  const answer = await fetch(`${url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Which clusters do I have?' })
  })
  return { status: answer.status, text: await answer.text() }
}

t.test('a dozen streams at once: Node warned of a leak of listeners', async (t) => {
  const warnings: string[] = []
  const hear = ({ message }: Error) => { warnings.push(message) }
  process.on('warning', hear)
  t.teardown(() => process.off('warning', hear))
  const streams = await Promise.all(Array.from({ length: 12 }, chat))
  t.same(streams.filter(({ status, text }) => status !== 200 || !text.includes('"final":true')), [])
  t.same(warnings, [])
})

t.test('a stream that has nothing to send shows that it lives', async (t) => {
  const app = await buildApp(t, { LIMITS: JSON.stringify({ stream_heartbeat_ms: 200 }) })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  // The approval that it asks for is never given: the stream stays open.
  const answer = await fetch(`${origin}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Scale web to 4' })
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/(: heartbeat\n\n){2}$/.test(text)) {
    const { done, value = '' } = await reader?.read() ?? { done: true }
    if (done) break
    text += value
  }
  await reader?.cancel()
  t.match(text, /^retry: 2000[^]*: heartbeat\n\n: heartbeat\n\n$/)
})
