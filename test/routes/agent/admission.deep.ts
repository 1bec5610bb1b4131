import t from '../../tap.js'
import { Admission } from '../../../routes/agent/lib/loop/admission.js'
import { asAdmin } from '../../app.js'
import { follow, scripted, startChatApp, until } from '../../chat.js'

/** An instance with so many slots, and a clock that the test moves on. */
const instanceOf = (slots: number) => {
  const clock = { ms: 1_000_000 }
  return { clock, admission: new Admission(slots, () => clock.ms) }
}

const fill = (admission: Admission, slots: number) => Array.from({ length: slots }, () => {
  const slot = admission.take()
  slot.keep()
  return slot
})

t.test('a slot is taken once, and free once, whatever is said of it again', async (t) => {
  const { admission } = instanceOf(1)
  for (const end of ['leave', 'giveBack'] as const) {
    const slot = admission.take()
    t.equal(admission.isFull, true)
    slot[end]()
    slot[end]()
    t.equal(admission.isFull, false)
    const next = admission.take()
    slot.leave()
    slot.giveBack()
    t.equal(admission.isFull, true)
    next.leave()
  }
})

t.test('a chat that has become a run gives nothing back', async (t) => {
  const { admission } = instanceOf(1)
  const slot = admission.take()
  slot.keep()
  slot.giveBack()
  t.equal(admission.isFull, true)
  slot.leave()
  t.equal(admission.isFull, false)
})

t.test('as long as nothing has ended, the next end is as far off as the beginning is past', async (t) => {
  const { admission, clock } = instanceOf(10)
  fill(admission, 10)
  t.equal(admission.secondsUntilRoom(), 1)
  clock.ms += 5_000
  // What is longer past counts less: not 5 s, but 30 s * (1 - e^(-5/30)).
  t.equal(admission.secondsUntilRoom(), 5)
})

t.test('who is refused later comes later, by the rate at which runs have ended', async (t) => {
  const { admission, clock } = instanceOf(10)
  // Ten slots, each taken for two seconds: five runs end a second.
  for (let second = 0; second < 60; second += 2) {
    const slots = fill(admission, 10)
    clock.ms += 2_000
    for (const slot of slots) slot.leave()
  }
  fill(admission, 10)
  const refused = Array.from({ length: 50 }, () => admission.secondsUntilRoom())
  t.equal(refused[0], 1)
  t.equal(refused.at(-1), 10)
  t.same(refused, refused.toSorted((a, b) => a - b))
  // Those whose time has come are not ahead any more.
  clock.ms += 8_000
  t.equal(admission.secondsUntilRoom(), 2)
})

t.test('an hour without chats says nothing of how long runs take', async (t) => {
  const { admission, clock } = instanceOf(2)
  for (const slot of fill(admission, 2)) slot.leave()
  clock.ms += 3_600_000
  fill(admission, 2)
  t.equal(admission.secondsUntilRoom(), 1)
})

t.test('a minute is the most that a refusal says', async (t) => {
  const { admission, clock } = instanceOf(1)
  fill(admission, 1)
  clock.ms += 600_000
  t.same(Array.from({ length: 4 }, () => admission.secondsUntilRoom()), [30, 60, 60, 60])
})

t.test('chats that came to nothing do not make it seem that runs end', async (t) => {
  const { admission, clock } = instanceOf(1)
  for (let i = 0; i < 100; i++) admission.take().giveBack()
  fill(admission, 1)
  clock.ms += 6_000
  t.equal(admission.secondsUntilRoom(), 6)
})

t.test('a full instance refuses before it looks at anything, and takes a repetition of what it has', async (t) => {
  const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_instance: 1 }) })
  const content = [{ type: 'text' as const, text: 'Slowly. '.repeat(500) }]
  const message = scripted(anthropic, [{ content, chunk: 4, delay_ms: 50 }])
  const say = (payload: object | string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/v1/agent/chat', payload, headers: { prefer: 'respond-async', ...headers } })
  const first = { ...asAdmin, 'idempotency-key': 'first' }
  const started = (await say({ message }, first)).json()
  const refused = { status: 503, code: 'overloaded' }
  t.match((await say({ message: 'Hello' }, asAdmin)).json(), refused)
  const json = { 'content-type': 'application/json' }
  t.match((await say('{', { ...asAdmin, ...json })).json(), refused, 'a body is not read')
  t.match((await say({ message: 'Hello' }, { authorization: 'Bearer no' })).json(), refused, 'nor are credentials')
  t.match((await say({ message: 'Hello' }, { ...asAdmin, 'idempotency-key': 'second' })).json(), refused)
  t.match((await say({ message: 'Hello' }, { authorization: 'Bearer no', 'idempotency-key': 'first' })).json(),
    { status: 401 })
  t.equal((await say({ message }, first)).json().run_id, started.run_id)
  t.equal((await app.inject({ url: '/api/v1/agent/sessions', headers: asAdmin })).statusCode, 200, 'all else goes on')
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${started.run_id}/cancel`, headers: asAdmin })
  await follow(app, started.session_id)
  await until(async () => (await say({ message: 'Hello' }, asAdmin)).statusCode === 202)
})

t.test('a chat that is refused for another reason leaves its slot', async (t) => {
  const { app } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_instance: 1 }) })
  const say = (payload: object) =>
    app.inject({ method: 'POST', url: '/api/v1/agent/chat', payload: { wait_s: 0, ...payload }, headers: asAdmin })
  const unknown = '01900000-0000-7000-8000-000000000000'
  t.match((await say({ message: 'Hello', session_id: unknown })).json(), { code: 'session_not_found' })
  const context = { selected_project_id: unknown }
  t.match((await say({ message: 'Hello', context })).json(), { code: 'project_not_found' })
  t.equal((await say({ message: 'Hello' })).statusCode, 200)
})
