import { randomUUID } from 'node:crypto'
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { EventSource } from 'eventsource'
import { createEventSource } from 'eventsource-client'
import t from '../tap.js'
import { follow } from 'steward-client'
import { asAdmin } from '../app.js'
import { scripted, startChatApp, type Frame, type Turn } from '../chat.js'
import { cutsAbout, held, names, reading, someCuts } from './cut-streams.js'
import { CuttingRelay } from './cutting-relay.js'
import { hasHttpx, startPython } from './python-client.js'
import { byParser, loadEventSourcePlus, type SseReader } from './sse-packages.js'

const { app, anthropic, url } = await startChatApp(t, {
  LIMITS: JSON.stringify({ live_runs_per_user: 1_000, streams_per_user: 1_000, requests_per_minute: 1_000_000 })
})
const relay = new CuttingRelay({ host: '127.0.0.1', port: Number(new URL(url).port) })
const origin = await relay.listen(t)
// One of the clients is made for browsers. A window with a document would be one for the model's SDK as well.
Object.assign(globalThis, {
  window: { fetch, setTimeout, clearTimeout }, document: { addEventListener () {}, removeEventListener () {} }
})
t.teardown(() => { for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name) })

interface Message { body: string, headers: Record<string, string> }
type Client = (message: Message, take: (frame: Frame) => boolean) => Promise<void>

const toFrame = (id: string | undefined, event: string, data: string): Frame =>
  ({ id, event, data: JSON.parse(data) as Record<string, unknown> })
const chatUrl = `${origin}/api/v1/agent/chat`

/** Fetches for a client that would wait, or ask, for ever when it is refused. */
const fetchOr = (refuse: (reason: Error) => void): typeof fetch => async (address, init) => {
  const answer = await fetch(address, init)
  if (!answer.ok) refuse(new Error(`${answer.status} ${await answer.clone().text()}`))
  return answer
}

/** @returns a client of a package that takes a request and gives messages */
const clientOf = (reader: SseReader): Client => (message, take) => new Promise((resolve, reject) => {
  reader(chatUrl, { ...message, fetch: fetchOr(reject) },
    ({ id, event = '', data }) => take(toFrame(id, event, data))).then(resolve, reject)
})
const plus = await loadEventSourcePlus()
const python = hasHttpx() ? startPython(t) : undefined

/** Each says something by POST and, when the connection breaks, repeats its request by itself. */
const clients: Record<string, Client> = {
  eventsource: (message, take) => new Promise((resolve, reject) => {
    const source = new EventSource(chatUrl, {
      fetch: (address, init) => fetchOr(reject)(address, {
        ...init, method: 'POST', body: message.body, headers: { ...init.headers, ...message.headers }
      } as RequestInit) // Its own type of the same thing.
    })
    for (const name of names) {
      source.addEventListener(name, ({ lastEventId, data }) => {
        // A connection error is an `error` too, and has no data.
        if (typeof data !== 'string' || !take(toFrame(lastEventId, name, data))) return
        source.close()
        resolve()
      })
    }
  }),
  'eventsource-client': (message, take) => new Promise((resolve, reject) => {
    const source = createEventSource({
      url: chatUrl,
      method: 'POST',
      fetch: fetchOr(reject),
      ...message,
      onMessage: ({ id, event = '', data }) => {
        if (!take(toFrame(id, event, data))) return
        source.close()
        resolve()
      }
    })
  }),
  '@microsoft/fetch-event-source': (message, take) => new Promise((resolve, reject) => {
    let isOver = false
    fetchEventSource(chatUrl, {
      method: 'POST',
      fetch: fetchOr(reject),
      ...message,
      openWhenHidden: true,
      onmessage: ({ id, event, data }) => {
        // It gives a comment, and `retry`, as messages without data.
        if (data !== '') isOver = take(toFrame(id, event, data)) || isOver
      },
      onclose: () => { if (!isOver) throw new Error('cut') },
      onerror: () => 1
    }).then(resolve, reject)
  }),
  'eventsource-parser': clientOf(byParser),
  'steward-client': async (message, take) => {
    const open = (lastId: string | undefined) => fetch(chatUrl, {
      method: 'POST', body: message.body, headers: { ...message.headers, ...(lastId && { 'last-event-id': lastId }) }
    })
    for await (const { id, data } of follow<Record<string, unknown>>({ open, delay: () => 1 })) {
      if (take({ id, event: String(data.type), data })) return
    }
  },
  ...(plus && { 'event-source-plus': clientOf(plus) }),
  ...(python && { 'httpx, Python': (message, take) => python({ url: chatUrl, ...message }, take) })
}

const newMessage = (turns: Turn[]): Message => ({
  body: JSON.stringify({ message: scripted(anthropic, turns) }),
  headers: { ...asAdmin, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
})

/** Lets a client follow its run to the end over connections that break after so many bytes. */
const followCut = async (client: Client, message: Message, cuts: number[]): Promise<Frame[]> => {
  relay.cuts = cuts
  const frames: Frame[] = []
  const isOver = client(message, (frame) => {
    frames.push(frame)
    return frame.event === 'done' && frame.data.final === true
  })
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${JSON.stringify(frames.at(-1))}`)), 90_000)
  })
  await Promise.race([isOver, isLate]).finally(() => clearTimeout(timer))
  return frames
}

/** It takes an id when it reads that line: cut one byte before the frame's end, it has lost the event. */
const careless = '@microsoft/fetch-event-source'

// Where a live run is cut is not the same at each run, so a careless client may meet that byte.
for (const [name, client] of Object.entries(clients).filter(([name]) => name !== careless)) {
  t.test(`${name} loses nothing and receives nothing twice while a run is cut again and again`, async (t) => {
    for (let seed = 1; seed <= 3; seed++) {
      const before = relay.connections
      const live = reading.map((turn) => ({ ...turn, delay_ms: 3 }))
      const [mine, whole] = await held(app, await followCut(client, newMessage(live), someCuts(12, seed)))
      t.same(mine, whole, `seed ${seed}`)
      t.ok(relay.connections - before > 3, `${relay.connections - before} connections`)
    }
  })
}

for (const [name, client] of Object.entries(clients)) {
  t.test(`${name} goes on after its last event wherever within a frame the connection broke`, async (t) => {
    const message = newMessage(reading)
    const first = await followCut(client, message, [])
    const body = await fetch(`${url}/api/v1/agent/chat`, { method: 'POST', ...message }).then((answer) => answer.text())
    const cuts = cutsAbout(body)
    const lost: number[] = []
    for (const cut of cuts) {
      const [mine, whole] = await held(app, await followCut(client, message, [cut]))
      if (JSON.stringify(mine) !== JSON.stringify(whole)) lost.push(cut)
    }
    t.ok(lost.length <= (name === careless ? 1 : 0), `lost something at ${lost.join()}`)
    t.ok(first.length > 3)
  })
}
