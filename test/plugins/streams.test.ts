import { v7 as uuid } from 'uuid'
import t from '../tap.js'
import { insertEvents } from '../../db/stream-events.js'
import type { LiveEvent } from '../../lib/streams/events.js'
import { buildApp } from '../app.js'
import { until } from '../chat.js'

const textOf = (events: LiveEvent[]) => events.map((event) => String(event.data.text ?? `[${event.event}]`)).join('')

t.test('streams', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const workspaceId = app.home.workspace_id
  const store = async (rows: Parameters<typeof insertEvents>[1]) => {
    await insertEvents(app.db, rows)
    return true
  }
  const done = { event: 'done', data: { final: true } }
  const follow = (streamId: string, after = 0) => {
    const events: LiveEvent[] = []
    const { signal } = new AbortController()
    const read = app.streams.read({ workspaceId, streamId, after, signal, onEvent: (event) => events.push(event) })
    return { events, read }
  }

  await t.test('a reader who comes while a step is being committed misses nothing', async (t) => {
    const channel = app.streams.open(workspaceId, uuid(), 0)
    channel.content('m', 'sent before the commit')
    let goOn = () => {}
    const held = new Promise<void>((resolve) => { goOn = resolve })
    const written = channel.write([done], async (rows) => {
      await held
      return store(rows)
    })
    const { events, read } = follow(channel.id)
    goOn()
    await written
    channel.close()
    await read
    t.equal(textOf(events), 'sent before the commit[done]')
  })

  await t.test('readers who come while text is being stored see it whole, each', async (t) => {
    const channel = app.streams.open(workspaceId, uuid(), 0)
    const readers = []
    for (const word of ['one ', 'two ', 'three ']) {
      channel.content('m', word)
      readers.push(follow(channel.id), follow(channel.id))
    }
    await channel.write([done], store)
    channel.close()
    await Promise.all(readers.map(({ read }) => read))
    t.same(readers.map(({ events }) => textOf(events)), Array(6).fill('one two three [done]'))
  })

  await t.test('from any position of a text, the rest of it follows, live and stored', async (t) => {
    const channel = app.streams.open(workspaceId, uuid(), 0)
    channel.content('m', 'abcdef')
    const live = [0, 1, 3, 6].map((after) => follow(channel.id, after))
    await channel.write([done], store)
    channel.close()
    const stored = [0, 2, 5].map((after) => follow(channel.id, after))
    await Promise.all([...live, ...stored].map(({ read }) => read))
    t.same(live.map(({ events }) => textOf(events)), ['abcdef[done]', 'bcdef[done]', 'def[done]', '[done]'])
    t.same(stored.map(({ events }) => textOf(events)), ['abcdef[done]', 'cdef[done]', 'f[done]'])
  })

  await t.test('text of more streams than go in one statement is stored, each once, while they go on', async (t) => {
    const channels = Array.from({ length: 600 }, () => app.streams.open(workspaceId, uuid(), 0))
    const stored = async () => {
      const rows = await app.db.selectFrom('stream_event').select(['stream_id', 'data'])
        .where('workspace_id', '=', workspaceId).orderBy('position').execute()
      return channels.map(({ id }) => rows.filter((row) => row.stream_id === id).map(({ data }) => data.text).join(''))
    }
    for (const channel of channels) channel.content('m', 'one ')
    await until(async () => (await stored()).every((text) => text !== '') || undefined)
    for (const channel of channels) channel.content('m', 'two ')
    for (const channel of channels) channel.content('m', 'three ')
    await until(async () => (await stored()).every((text) => text !== 'one ') || undefined)
    t.same(await stored(), Array(600).fill('one two three '))
    for (const channel of channels) channel.close()
  })

  await t.test('what was not stored is not emitted', async (t) => {
    const channel = app.streams.open(workspaceId, uuid(), 0)
    const { events, read } = follow(channel.id)
    t.equal(await channel.write([{ event: 'tool_call', data: {} }], async () => false), false)
    await t.rejects(channel.write([done], async () => { throw new Error('no database') }), { message: 'no database' })
    await channel.write([done], store)
    channel.close()
    await read
    t.equal(textOf(events), '[done]')
  })
})
