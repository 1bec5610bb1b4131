import { EventEmitter } from 'node:events'
import type { Db } from '../../../db/index.js'
import { readStream } from '../../../lib/streams/reader.js'
import t from '../../tap.js'
import { workspace } from '../../app.js'

const app = await workspace(t)
const streamId = '01a2210f-0000-7000-8000-000000000000'
const dead = new Error('the worker is gone')

/** A database that fails as often as said, and then is the real one. */
const failing = (times: number): Db => new Proxy(app.db, {
  get (db, name) {
    if (name === 'selectFrom' && times-- > 0) throw dead
    return Reflect.get(db, name)
  }
})

const follow = (db: Db, patienceMs: number, signal = new AbortController().signal) => {
  const warned: unknown[] = []
  const source = {
    db,
    hints: new EventEmitter(),
    channel: () => undefined,
    flush: async () => undefined,
    pollMs: 1,
    patienceMs,
    subscribeRemote: async () => undefined,
    warn: (error: unknown) => warned.push(error)
  }
  const reader = { workspaceId: streamId, streamId, after: 0, signal, onEvent: () => undefined }
  return { warned, ended: readStream(source, reader) }
}

t.test('a stream whose database stays away ends with an error, after one line of the log', async (t) => {
  const { warned, ended } = follow(failing(Infinity), 20)
  await t.rejects(ended, { code: 'database_unavailable', statusCode: 503 })
  t.same(warned, [dead])
})

t.test('a stream outlives a short outage, and the next one has its own time and line', async (t) => {
  const leave = new AbortController()
  const { warned, ended } = follow(failing(5), 60_000, leave.signal)
  setTimeout(() => leave.abort(), 50)
  await ended
  t.same(warned, [dead])
})
