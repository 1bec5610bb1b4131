import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from '../../tap.js'
import { TurnReader } from '../../../lib/llm/reader.js'
import { TurnBuilder } from '../../../lib/llm/turn.js'

const frame = (data: { type: string, [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const start = frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
const word = (text: string) =>
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
const end = frame({ type: 'content_block_stop', index: 0 }) + frame({ type: 'message_stop' })

/** A model's answer that arrives in these pieces, each by itself. */
const answerOf = async (pieces: Buffer[]): Promise<IncomingMessage> => {
  const server = createServer((_, res) => {
    void (async () => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      for (const piece of pieces) {
        res.write(piece)
        await sleep(5)
      }
      res.end()
    })()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const sent = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false }).end()
  const [message] = await once(sent, 'response') as [IncomingMessage]
  return message
}

const readAll = async (body: IncomingMessage) => {
  const turn = new TurnBuilder()
  const pieces: string[] = []
  const failure = await new TurnReader(body, turn, (text) => { pieces.push(text) }).read()
    .then(() => undefined, (error: { code?: string }) => error.code)
  return { text: pieces.join(''), failure, complete: turn.complete }
}

t.test('an answer that is cut anywhere, within a character too, is read whole', async (t) => {
  const bytes = Buffer.from(start + word('Grüße, 世界 🚀') + word(' und mehr') + end)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7))
  t.same(await readAll(await answerOf(pieces)),
    { text: 'Grüße, 世界 🚀 und mehr', failure: undefined, complete: true })
})

t.test('words are read the same however a provider writes them', async (t) => {
  const texts = ['plain ', 'a "quote" and a \\ ', 'line\nbreak ', 'Grüße 🚀 ', '\0gone ', '\ud800 alone',
    '"},"text":"no end']
  const spaced = word('spaced ').replace('}}', '}    }')
  const escaped = word('X ').replace('X', '\\u0058')
  const reordered = frame({ index: 0, delta: { text: 'reordered', type: 'text_delta' }, type: 'content_block_delta' })
  const more = frame({
    type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' more' }, usage: { output_tokens: 1 }
  })
  const frames = [start, ...texts.map(word), spaced, escaped, reordered, more, end]
  const text = 'plain a "quote" and a \\ line\nbreak Grüße 🚀 gone \ufffd alone"},"text":"no end' +
    'spaced X reordered more'
  t.same(await readAll(await answerOf([Buffer.from(frames.join(''))])), { text, failure: undefined, complete: true })
})

t.test('an answer that arrives in one piece is passed on in one', async (t) => {
  const body = await answerOf([Buffer.from(start + word('one ') + word('two') + end)])
  t.same(await readAll(body), { text: 'one two', failure: undefined, complete: true })
})

t.test('what came before an answer broke is passed on', async (t) => {
  const broken = 'event: content_block_delta\ndata: {"type":\n\n'
  t.same(await readAll(await answerOf([Buffer.from(start + word('as far as this') + broken)])),
    { text: 'as far as this', failure: 'model_stream_broken', complete: false })
  t.same(await readAll(await answerOf([Buffer.from(start + word('and this'))])),
    { text: 'and this', failure: 'model_stream_broken', complete: false })
})
