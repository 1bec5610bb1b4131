import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { scripted, startChatApp, type Frame, type Turn } from '../chat.js'
import { held, names, reading, someCuts } from '../flows/cut-streams.js'
import { CuttingRelay } from '../flows/cutting-relay.js'
import { openWindow, signIn } from './browser.js'

const { app, anthropic, url } = await startChatApp(t, {
  SANDBOX: 'auto',
  LIMITS: JSON.stringify({ live_runs_per_user: 1_000, streams_per_user: 1_000, requests_per_minute: 1_000_000 })
})
const relay = new CuttingRelay({ host: '127.0.0.1', port: Number(new URL(url).port) })
const origin = await relay.listen(t)
const client = await openWindow(t)
const { page } = client
await signIn(client, app, url)
// An empty page of the relay's origin: the cookie of the session is for the host, whatever the port.
await page.route(`${origin}/empty`, (route) =>
  route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }))
await page.goto(`${origin}/empty`)

/** Begins a run over a connection that nothing cuts. @returns where its session streams, and the body once it ended */
const begin = async (turns: Turn[]) => {
  const answer = await fetch(`${url}/api/v1/agent/chat`, {
    method: 'POST',
    body: JSON.stringify({ message: scripted(anthropic, turns), wait_s: 0 }),
    headers: { ...asAdmin, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  })
  const session = answer.headers.get('steward-session-id') ?? ''
  return { path: `/api/v1/agent/sessions/${session}/stream`, ended: answer.text() }
}

/** Has the browser's own client follow a stream over connections that break. @param last its last event */
const followCut = (path: string, cuts: number[], last: string): Promise<Frame[]> => {
  relay.cuts = cuts
  return page.evaluate<Frame[]>(`new Promise((resolve, reject) => {
    const frames = []
    const source = new EventSource(${JSON.stringify(path)})
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) reject(new Error('refused')) }
    const take = ({ type, lastEventId, data }) => {
      // A broken connection is an error, too, and has no data.
      if (data === undefined) return
      frames.push({ id: lastEventId, event: type, data: JSON.parse(data) })
      if (type !== ${JSON.stringify(last)}) return
      source.close()
      resolve(frames)
    }
    for (const name of ${JSON.stringify(names)}) source.addEventListener(name, take)
  })`)
}

t.test('EventSource loses nothing and receives nothing twice while a run is cut again and again', async (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const before = relay.connections
    const { path, ended } = await begin(reading.map((turn) => ({ ...turn, delay_ms: 5 })))
    const [mine, whole] = await held(app, await followCut(path, someCuts(12, seed), 'done'))
    t.same(mine, whole, `seed ${seed}`)
    t.ok(relay.connections - before > 3, `${relay.connections - before} connections`)
    await ended
  }
})
