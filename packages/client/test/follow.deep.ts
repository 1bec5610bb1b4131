import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from '../../../test/tap.js'
import { follow, type FollowOptions } from '../src/follow.js'
import { FrameParser, readFrames, type Message } from '../src/frames.js'
import { allOf, itemsOf } from '../src/pages.js'
import { Problem } from '../src/problem.js'
import { sender } from '../src/send.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const serve = async (t: Pick<Test, 'teardown'>, handler: Handler): Promise<string> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const stream = { 'content-type': 'text/event-stream' }

interface Event { n: number, text: string }

const frame = (n: number, end: string): string =>
  [`id: run:${n}`, 'event: word', `data: ${JSON.stringify({ n, text: 'é 漢字 👍' })}`, '', ''].join(end)

/** @returns what a client holds that follows the address to its end */
const held = async (url: string, more: Partial<FollowOptions<Event>> = {}): Promise<Event[]> => {
  const open = (lastId: string | undefined) =>
    fetch(url, { headers: lastId === undefined ? {} : { 'last-event-id': lastId } })
  return (await allOf(follow<Event>({ open, delay: () => 0, ...more }))).map(({ data }) => data)
}

const three = [1, 2, 3].map((n) => ({ n, text: 'é 漢字 👍' }))

for (const [name, end] of Object.entries({ 'line feeds': '\n', 'carriage returns': '\r', both: '\r\n' })) {
  t.test(`a stream with ${name} that is cut at any byte loses nothing and repeats nothing`, async (t) => {
    let cut = 0
    let requests = 0
    const url = await serve(t, ({ headers }, response) => {
      requests++
      const after = Number(/^run:(\d)$/.exec(String(headers['last-event-id']))?.[1] ?? 0)
      if (after === 3) return response.writeHead(204).end()
      const bytes = Buffer.from(`: here${end}${end}` + three.slice(after).map(({ n }) => frame(n, end)).join(''))
      response.writeHead(200, stream).write(bytes.subarray(0, cut))
      if (cut < bytes.length) response.destroy()
      else response.end()
      // The next connection is whole.
      cut = Infinity
    })
    const length = Buffer.byteLength(`: here${end}${end}` + three.map(({ n }) => frame(n, end)).join(''))
    for (let at = 0; at <= length; at++) {
      cut = at
      t.same(await held(url), three, `byte ${at}`)
    }
    t.ok(requests > length * 2)
  })
}

t.test('a message is the same in whatever pieces it arrives', async (t) => {
  const text = '\uFEFFdata: a\r\n\r\nid: 1\rdata\rdata:b\r\rretry: 5\n: no\n\nid: x\0y\nevent:e\ndata:  c\n\ndata: lost'
  const whole: Message[] = [
    { id: undefined, event: undefined, data: 'a' },
    { id: '1', event: undefined, data: '\nb' },
    { id: undefined, event: 'e', data: ' c' }
  ]
  t.same(new FrameParser().push(text), whole)
  for (let at = 0; at < text.length; at++) {
    for (let then = at; then < text.length; then += 3) {
      const parser = new FrameParser()
      const pieces = [text.slice(0, at), text.slice(at, then), '', text.slice(then)]
      const messages = pieces.flatMap((piece) => parser.push(piece))
      if (JSON.stringify(messages) !== JSON.stringify(whole)) t.same(messages, whole, `${at}, ${then}`)
    }
  }
})

t.test('a page in place of a stream ends it with what it was, and so does a message without an end', async (t) => {
  const html = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
  })
  await t.rejects(held(html), { code: 'unexpected_answer', status: 200, message: /with text\/html, not Steward's/ })
  const endless = await serve(t, (_request, response) => {
    response.writeHead(200, stream)
    response.write('data: ')
    const more = () => { if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more)) }
    more()
  })
  await t.rejects(held(endless), { code: 'unexpected_answer' })
})

t.test('an error that stays is thrown, one that may pass is waited for as it asks', async (t) => {
  const url = await serve(t, ({ url }, response) => {
    const code = url === '/gone' ? 404 : 503
    const body = JSON.stringify({ code: code === 404 ? 'session_not_found' : 'overloaded', detail: 'No', status: code })
    response.writeHead(code, { 'content-type': 'application/problem+json', 'retry-after': '0' }).end(body)
  })
  await t.rejects(held(`${url}/gone`), { code: 'session_not_found', status: 404 })
  const controller = new AbortController()
  const seen: unknown[] = []
  const onBreak = (failures: number, problem: Problem | undefined) => {
    seen.push([failures, problem?.code, problem?.retryAfterMs])
    if (failures === 2) controller.abort()
  }
  t.same(await held(`${url}/busy`, { signal: controller.signal, onBreak }), [])
  t.same(seen, [[0, 'overloaded', 0], [1, 'overloaded', 0], [2, 'overloaded', 0]])
})

t.test('a proxy that holds the stream back, or a dead connection, is noticed and named', async (t) => {
  let requests = 0
  const url = await serve(t, (_request, response) => {
    response.writeHead(200, stream)
    if (++requests === 1) return response.flushHeaders()
    response.end(three.map(({ n }) => frame(n, '\n')).join(''))
  })
  const problems: unknown[] = []
  const onBreak = (_failures: number, problem: Problem | undefined) => { problems.push(problem?.code) }
  const isLast = ({ n }: Event) => n === 3
  t.same(await held(url, { silenceMs: 100, onBreak, isLast }), three)
  t.same([problems, requests], [['stream_silent'], 2])
})

t.test('whoever reads slowly is not taken for silent, and who leaves closes the connection', async (t) => {
  let close = () => {}
  const isClosed = new Promise<void>((resolve) => { close = resolve })
  const url = await serve(t, (_request, response) => {
    response.writeHead(200, stream).write(three.map(({ n }) => frame(n, '\n')).join(''))
    response.on('close', () => close())
  })
  let count = 0
  for await (const { data } of readFrames<Event>(await fetch(url), 150)) {
    await new Promise((resolve) => { setTimeout(resolve, 200) })
    if (++count === data.n && count === 3) break
  }
  t.equal(count, 3)
  await isClosed
})

t.test('a write that was not answered is sent again with its key, and an expired token is renewed', async (t) => {
  const seen: unknown[] = []
  const url = await serve(t, (request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => { body += piece.toString() }).on('end', () => {
      seen.push([request.headers['idempotency-key'], request.headers.authorization, body])
      if (seen.length === 1) return response.destroy()
      if (seen.length === 2) return response.writeHead(503, { 'retry-after': '0' }).end()
      const code = seen.length === 3 ? 401 : 200
      response.writeHead(code, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ code: 'token_expired', detail: 'Over' }))
    })
  })
  const send = sender({ token: (expired) => expired ? 'new' : 'old' })
  const answer = await send(new Request(url, { method: 'POST', body: 'once' }))
  t.equal(answer.status, 200)
  const key = (seen[0] as string[])[0]
  t.match(key, /^[0-9a-f-]{36}$/)
  t.same(seen, [...Array(3).fill([key, 'Bearer old', 'once']), [key, 'Bearer new', 'once']])
})

t.test('pages follow each other to the last, and a list that goes in a circle is not followed', async (t) => {
  const pages = [[1, 2], [], [3]]
  const load = async (cursor = '0') => {
    const next = Number(cursor) + 1
    return { items: pages[Number(cursor)] ?? [], next_cursor: next < pages.length ? String(next) : null }
  }
  t.same(await allOf(itemsOf(load)), [1, 2, 3])
  await t.rejects(allOf(itemsOf(async () => ({ items: [1], next_cursor: 'again' }))), Problem)
})
