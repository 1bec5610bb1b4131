import t from '../../tap.js'
import { insertSession } from '../../../db/pse/sessions.js'
import { sessionDefaults } from '../../../schemas/pse/sessions.js'
import { asAdmin } from '../../app.js'
import { parseFrames, startChatApp } from '../../chat.js'
import { problemOf } from '../account/actors.js'
import { actor, makeSession, missing } from './actors.js'

const { app, anthropic, url } = await startChatApp(t)
const { json, get, post } = actor(app)
const { control } = anthropic
t.afterEach(() => control.reset())

const text = 'The door must open within 5 seconds.\n\nThe lamp must glow.'
const later = { prefer: 'respond-async' }

/** Reads until the value fits. */
const until = async <T>(read: () => T | Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  for (let ms = 20; ; ms = Math.min(ms * 1.2, 300)) {
    const value = await read()
    if (fits(value)) return value
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/** Starts a generation whose second look hangs. */
const hang = async () => {
  const { path } = await makeSession(app, `${text}\n\nDoors are heavy.`)
  control.fault({ kind: 'hang', after_events: 1, match: { text: 'Task: judge each' } })
  const answer = await post(`${path}/generate`, {}, later)
  const { generation_id: id } = answer.json().generation
  const read = () => json(`${path}/generations/${id}`)
  await until(read, ({ steps }) => steps.some((one: { key: string, status: string }) =>
    one.key === 'rest:1' && one.status === 'done'))
  return { answer, path, read, cancel: () => post(`${path}/generations/${id}/cancel`) }
}

t.test('cancelling during a step ends the generation', async (t) => {
  const { answer, path, read, cancel } = await hang()
  t.equal(answer.statusCode, 202)
  t.match(answer.json(), { generation: { engine: 'model', result_version: null }, spec: null })
  t.match((await json(path)), { state: 'generating' })
  t.match((await post(`${path}/generate`)).json(), { status: 409, code: 'generation_in_progress' })
  t.equal((await cancel()).statusCode, 202)
  const ended = await until(read, ({ finished_at: at }) => at !== null)
  t.match(ended, {
    status: 'cancelled',
    result_version: null,
    error: null,
    steps: [{ key: 'number' }, { key: 'part:1' }, { key: 'rest:1', status: 'done' },
      { key: 'judge:1', status: 'failed', error: { code: 'cancelled' } }]
  })
  t.match(await json(path), { state: 'open', current_version: null, active_generation_id: null })
  t.match((await cancel()).json(), { status: 'cancelled' })
  const frames = parseFrames((await get(`${path}/events`)).payload)
  t.match(frames.at(-1), { event: 'generation_cancelled', data: { error: null } })
})

t.test('what an aborted call was charged stays recorded', async (t) => {
  let wait = 25
  const abort = async () => {
    const { read, cancel } = await hang()
    wait *= 2
    await new Promise((resolve) => setTimeout(resolve, wait))
    await cancel()
    return (await until(read, ({ finished_at: at }) => at !== null)).steps[3]
  }
  // A cancel may come before the first event of the answer, which says what is charged and is nowhere to be seen yet.
  const step = await until(abort, ({ cache_write_tokens: written }) => written > 0)
  t.match(step, { key: 'judge:1', status: 'failed', error: { code: 'cancelled' }, model_calls: 1 })
})

t.test('B18: a stream resumes after any event, with no gap and no repeat', async (t) => {
  const { path } = await makeSession(app, text)
  await post(`${path}/generate`, {}, { prefer: 'wait=60' })
  const all = parseFrames((await get(`${path}/events`)).payload)
  t.match([all[0], all.at(-1)], [{ event: 'generation_queued' }, { event: 'generation_succeeded' }])
  t.same(all.map(({ id, data }) => [id, data.seq]), all.map((_, at) => [String(at + 1), at + 1]))
  for (const { id } of all.slice(0, -1)) {
    const rest = parseFrames((await get(`${path}/events`, { 'last-event-id': String(id) })).payload)
    t.same(rest, all.slice(Number(id)), `after ${id}`)
  }
  t.equal((await get(`${path}/events`, { 'last-event-id': String(all.at(-1)?.id) })).statusCode, 204)
})

t.test('a stream of a running generation receives its end', async (t) => {
  const { path, cancel } = await hang()
  const { body } = await fetch(`${url}/pse${path}/events`, { headers: { ...asAdmin, 'last-event-id': '1' } })
  const whole = new Response(body).text()
  await cancel()
  const frames = parseFrames(await whole)
  t.match([frames[0], frames.at(-1)], [{ id: '2', event: 'generation_started' }, { event: 'generation_cancelled' }])
})

t.test('a generation that takes longer than its budget ends', async (t) => {
  const { path } = await makeSession(app, text)
  control.fault({ kind: 'hang', after_events: 1, match: { text: 'Task: read this part' } })
  const { generation } = (await post(`${path}/generate`, { budget: { max_seconds: 1 } }, { prefer: 'wait=60' })).json()
  t.match(generation, { status: 'budget_exceeded', error: { code: 'budget_exceeded', message: /1 second/ } })
})

t.test('another workspace\'s session gets the same 404 as a missing one', async (t) => {
  const workspace = '01900000-0000-7000-8000-00000000000e'
  await app.db.insertInto('workspace').values({ id: workspace, name: 'Other' }).execute()
  const foreign = await insertSession(app.db, workspace, missing, { ...sessionDefaults, title: 'Theirs' })
  const problem = problemOf(await post(`/sessions/${missing}/generate`))
  t.match(problem, { status: 404, code: 'not_found' })
  t.same(problemOf(await post(`/sessions/${foreign}/generate`)), problem)
  t.same(problemOf(await post(`/sessions/${foreign}/generate`, { dry_run: true })), problem)
  t.same(problemOf(await get(`/sessions/${foreign}/generations`)), problem)
  t.same(problemOf(await post(`/sessions/${foreign}/generations/${missing}/cancel`)), problem)
  t.same(problemOf(await get(`/sessions/${foreign}/events`)), problem)
})
