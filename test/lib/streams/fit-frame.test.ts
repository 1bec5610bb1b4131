import t from '../../tap.js'
import { fitFrame, maxFrameBytes } from '../../../lib/streams/events.js'
import { asAdmin } from '../../app.js'
import { follow, framesOf, openChat } from '../../chat.js'

const { app } = await openChat(t)
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

t.test('no frame of a stream is larger than 64 KiB; what was cut says so, and the API has the whole', async (t) => {
  const content = 'ä'.repeat(60_000)
  const input = { repo_id: '7001', title: 'Long', head: 'steward/long', files: [{ path: 'long.md', content }] }
  const call = (await app.inject({
    method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload: { name: 'openPull', arguments: input }
  })).json()
  const { items } = (await app.inject({ url: '/api/v1/agent/confirmations', headers: asAdmin })).json()
  t.equal(items[0].arguments.files[0].content, content)
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${call.run_id}/cancel`, headers: asAdmin })
  const { frames } = await follow(app, call.session_id, `${call.run_id}:0`)
  t.same(frames.filter(({ data }) => bytes(data) > maxFrameBytes), [])
  const calls = framesOf(frames, 'tool_call')
  t.ok(calls.length > 0)
  for (const { data } of calls) {
    t.match(data, { name: 'openPull', truncated: true, arguments: { repo_id: '7001', head: 'steward/long' } })
    t.match(JSON.stringify(data.arguments), /bytes left out/)
  }
  const [question] = framesOf(frames, 'confirmation_required')
  t.match(question?.data, { name: 'openPull', truncated: true })
})

t.test('whatever the data is, it is cut as little as fits', (t) => {
  const fit = (data: Record<string, unknown>) => JSON.parse(fitFrame(data, JSON.stringify(data)))
  const small = { id: 'a', list: [1, 2], text: 'x'.repeat(20_000) }
  t.same(fit(small), small)
  const many = { id: 'a', list: Array.from({ length: 100_000 }, (_, i) => i) }
  t.same(fit(many), { id: 'a', list: many.list.slice(0, 1_000), truncated: true })
  const wide = { id: 'a', ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, 'y'.repeat(5_000)])) }
  t.match(fit(wide), { id: 'a', truncated: true })
  const hopeless = { id: 'a', tree: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`key-${i}`, i])) }
  t.same(fit(hopeless), { id: 'a', truncated: true })
  for (const data of [many, wide, hopeless]) t.ok(bytes(fit(data)) < maxFrameBytes)
  t.end()
})
