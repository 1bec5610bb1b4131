import t from '../../tap.js'
import { sql } from 'kysely'
import { compactStreams, purgeSessions } from '../../../db/agent/retention.js'
import { insertEvents, listEvents } from '../../../db/stream-events.js'
import { LiveEvent, lengthOf } from '../../../lib/streams/events.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, type Frame } from '../../chat.js'
import { fromRecord } from '../../recorded.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50}' })
const { workspace_id: workspace } = app.home

type Event = [event: string, data: Record<string, unknown>]
const text = (message: string, words: string, more: object = {}): Event =>
  ['content', { message_id: message, text: words, ...more }]

/** A run that ended two hours ago, whose stream holds these events. */
const makeRun = async (events: Event[], ended = '2 hours') => {
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'Hello.' }] }])
  const { session, run } = await chat(app, { message })
  const done = (await listEvents(app.db, workspace, run, 0, 100)).at(-1)
  await app.db.deleteFrom('stream_event').where('stream_id', '=', run).execute()
  let position = 0
  const rows = [...events, ['done', done?.data ?? {}] as Event].map(([event, data]) => {
    const start = position
    position += lengthOf(event, data)
    return new LiveEvent(run, event, data, start, position).row(workspace)
  })
  await insertEvents(app.db, rows)
  await app.db.updateTable('agent_run').set({ finished_at: sql`now() - ${ended}::interval` })
    .where('id', '=', run).execute()
  return { session, run, length: position }
}

const rowsOf = (run: string) => listEvents(app.db, workspace, run, 0, 1_000)

/** What a client holds of the frames: texts joined where nothing stands between them. */
const heldOf = (frames: Frame[]) => {
  const held: { event: string, data: Record<string, unknown> }[] = []
  for (const { event, data } of frames) {
    const last = held.at(-1)
    const joins = event === 'content' && !data.reset && last?.event === 'content' && !last.data.reset &&
      last.data.message_id === data.message_id
    if (joins) held[held.length - 1] = { event, data: { ...data, text: String(last.data.text) + String(data.text) } }
    else held.push({ event, data })
  }
  return held
}

const resumedAt = async (session: string, run: string, position: number) => {
  const { answer, frames } = await follow(app, session, `${run}:${position}`)
  return answer.statusCode === 204 ? [] : heldOf(frames)
}

t.test('a stream whose texts were joined is the same from every position', async (t) => {
  const call = { tool_call_id: 'c', name: 'listClusters', arguments: {}, effect: 'read', status: 'running' }
  const { session, run, length } = await makeRun([
    text('a', 'On'), text('a', 'ce '), text('a', 'twice'),
    text('a', '', { reset: true }),
    text('a', 'Grüße 🚀'), text('a', ' und 🎉'),
    ['tool_call', call],
    text('b', 'alone'),
    ['error', { code: 'model_overloaded' }],
    text('b', 'x'), text('c', 'y'), text('c', 'z')
  ])
  const positions = Array.from({ length: length + 1 }, (_, position) => position)
  const before: Awaited<ReturnType<typeof resumedAt>>[] = []
  for (const position of positions) before.push(await resumedAt(session, run, position))
  t.same(before[length], [], 'nothing follows the last position')
  await compactStreams(app.db)
  t.same((await rowsOf(run)).map(({ event, data }) => [event, data.text ?? null]), [
    ['content', 'Once twice'], ['content', ''], ['content', 'Grüße 🚀 und 🎉'], ['tool_call', null],
    ['content', 'alone'], ['error', null], ['content', 'x'], ['content', 'yz'], ['done', null]
  ])
  for (const position of positions) t.same(await resumedAt(session, run, position), before[position], `at ${position}`)
  const rows = await rowsOf(run)
  await compactStreams(app.db)
  t.same(await rowsOf(run), rows, 'a second time changes nothing')
})

t.test('what has just ended, or still lives, stays as it is', async (t) => {
  const young = await makeRun([text('a', 'one '), text('a', 'two')], '50 minutes')
  const live = await makeRun([text('a', 'one '), text('a', 'two')])
  await app.db.updateTable('agent_run').set({ finished_at: null }).where('id', '=', live.run).execute()
  await compactStreams(app.db)
  t.same((await rowsOf(young.run)).map(({ event }) => event), ['content', 'content', 'done'])
  t.same((await rowsOf(live.run)).map(({ event }) => event), ['content', 'content', 'done'])
})

const frameBytes = async (session: string, run: string) => {
  const { answer } = await follow(app, session, `${run}:0`)
  return Math.max(...answer.payload.split('\n\n').map((frame) => Buffer.byteLength(frame)))
}

t.test('no frame is larger than 64 KiB, live, stored or joined', async (t) => {
  const words = '一二三\u0001🚀'.repeat(6_000)
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: words }], chunk: 100_000 }])
  const reply = await chat(app, { message })
  t.equal(textOf(reply.frames), framesOf(reply.frames, 'content').map(({ data }) => data.text).join(''))
  const held = textOf(reply.frames)
  t.ok(held.length > 10_000 && words.startsWith(held), 'as much as the model may say')
  t.ok(framesOf(reply.frames, 'content').every(({ data }) => String(data.text).isWellFormed()))
  const frames = reply.answer.payload.split('\n\n').map((frame) => Buffer.byteLength(frame))
  t.ok(Math.max(...frames) <= 65_536)
  t.ok(await frameBytes(reply.session, reply.run) <= 65_536)
  await app.db.updateTable('agent_run').set({ finished_at: sql`now() - interval '2 hours'` })
    .where('id', '=', reply.run).execute()
  await compactStreams(app.db)
  t.ok(await frameBytes(reply.session, reply.run) <= 65_536)
  t.equal(textOf((await follow(app, reply.session, `${reply.run}:0`)).frames), held)
})

t.test('a session that was deleted a day ago is gone with all that was in it; what was done stays', async (t) => {
  const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
  const input = { service: `${account.id}~eu-west-1~prod~web`, desired_count: 3 }
  const make = async () => {
    const message = scripted(anthropic, [
      { content: [{ type: 'tool_use', name: 'scaleService', input }] }, { content: [{ type: 'text', text: 'No.' }] }])
    const { frames, session, run } = await chat(app, { message })
    const [asked] = framesOf(frames, 'confirmation_required')
    await confirm(app, { session_id: session, confirmation_id: asked?.data.confirmation_id, approved: false })
    await follow(app, session, `${run}:0`)
    await app.inject({ method: 'DELETE', url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })
    return { session, run }
  }
  const [old, fresh] = [await make(), await make()]
  await app.db.updateTable('agent_session').set({ deleted_at: sql`now() - interval '25 hours'` })
    .where('id', '=', old.session).execute()
  await purgeSessions(app.db)
  const countOf = async ({ session, run }: typeof old) => {
    const tables = ['agent_message', 'agent_run', 'agent_tool_call', 'agent_confirmation'] as const
    const counts = await Promise.all(tables.map((table) => app.db.selectFrom(table).select('id')
      .where('session_id', '=', session).execute()))
    const sessions = await app.db.selectFrom('agent_session').select('id').where('id', '=', session).execute()
    const events = await app.db.selectFrom('stream_event').select('position').where('stream_id', '=', run).execute()
    return [...counts, sessions, events].map((rows) => rows.length)
  }
  t.same(await countOf(old), [0, 0, 0, 0, 0, 0])
  t.ok((await countOf(fresh)).every((count) => count > 0))
  const audited = await fromRecord(app).select('operation').where('id', '=', old.run).execute()
  t.same(audited, [{ operation: 'chat' }])
})
