import t from '../tap.js'
import { SseReader } from '../../bench/load/sse-reader.js'

const frame = (data: { type: string, [field: string]: string }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const stream = [
  frame({ type: 'tool_call', name: 'a' }), ': heartbeat\n\n', frame({ type: 'content', text: 'word word ' }),
  frame({ type: 'content', text: 'word ' }), frame({ type: 'done', title: 'word ' })
].join('')

t.test('frames are read whatever the borders of the chunks', async (t) => {
  for (const size of [1, 7, 50, stream.length]) {
    const reader = new SseReader()
    for (let at = 0; at < stream.length; at += size) reader.push(stream.slice(at, at + size))
    t.match(reader, { tokens: 3, done: true, error: '' })
    t.ok(reader.firstToolAt > 0 && reader.firstContentAt >= reader.firstToolAt)
  }
})

t.test('an error event is named by its code', async (t) => {
  const reader = new SseReader()
  reader.push(frame({ type: 'error', code: 'model_unavailable' }))
  t.match(reader, { error: 'model_unavailable', done: false })
})
