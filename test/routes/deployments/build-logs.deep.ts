import t from '../../tap.js'
import type { AddressInfo } from 'node:net'
import { claimBuild } from '../../../db/deployments/leases.js'
import { BuildState, maxLineBytes, redactLine } from '../../../routes/deployments/lib/builds/build-state.js'
import { endEvents } from '../../../routes/deployments/lib/builds/cancel-build.js'
import { withStep } from '../../../routes/deployments/lib/builds/start-build.js'
import { asAdmin, buildApp } from '../../app.js'
import { actor, claimant, runnerOf, keepRolling, makeApp, registry, run, until } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
await app.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/deployments`
const { post, json } = actor(app)

interface Frame { id: number, event: string, data: Record<string, unknown> }

const parse = (text: string): Frame[] => text.split('\n\n').filter((part) => part.startsWith('event: ')).map((part) => {
  const [, event, data, id] = /^event: (\w+)\ndata: (.*)\nid: (\d+)$/.exec(part) ?? []
  return { id: Number(id), event: String(event), data: JSON.parse(data ?? 'null') }
})

/** Follows a build over a socket until it ends, or until `enough` of its frames have come. */
const follow = async (path: string, headers: Record<string, string> = {}, enough = Infinity): Promise<Frame[]> => {
  const cut = new AbortController()
  const answer = await fetch(`${base}${path}/logs`,
    { headers: { ...asAdmin, accept: 'text/event-stream', ...headers }, signal: cut.signal })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (parse(text).length >= enough) break
  }
  cut.abort()
  // What came is as much as a client that lost its connection would hold.
  return parse(text.slice(0, text.lastIndexOf('\n\n') + 2)).slice(0, enough)
}

/** A build that this test carries out by hand. */
const take = async (name: string) => {
  const shop = await makeApp(app, name)
  const { id } = (await post(`/apps/${shop.id}/deploy`, {})).json()
  const key = { workspace_id: app.home.workspace_id, app_id: shop.id }
  const row = await claimBuild(app.db, key, claimant(runnerOf(app).instance))
  if (!row) throw new Error('not claimed')
  return { state: new BuildState(app, row), path: `/apps/${shop.id}/builds/${id}`, id }
}

const finish = (state: BuildState) => state.write({ status: 'succeeded', status_reason: null },
  endEvents(state.row.steps, { status: 'succeeded', status_reason: null }), { ends: true })

t.test('a build is followed from the queue to its end, over a socket that then closes', async (t) => {
  const shop = await makeApp(app, 'Followed')
  const waiting = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:2` })).json()
  const path = `/apps/${shop.id}/builds/${waiting.id}`
  const following = follow(path)
  const stop = keepRolling(t, app)
  await (await runnerOf(app).claim({ workspace_id: app.home.workspace_id, app_id: shop.id }))?.ended
  const frames = await following
  await stop()
  t.same(frames.map(({ id }) => id), frames.map((_, index) => index + 1), 'no gap, no repeat')
  for (const { id, event, data } of frames) t.match(data, { type: event, seq: id })
  t.same(frames.filter(({ event }) => event === 'status').map(({ data }) => data.status),
    ['queued', 'running', 'succeeded'])
  const steps = frames.filter(({ event }) => event === 'step').map(({ data }) => data.step as Record<string, unknown>)
  t.same(steps.map(({ name, status }) => `${name} ${status}`), [
    'checkout running', 'checkout succeeded', 'deploy running', 'deploy succeeded', 'verify running', 'verify succeeded'
  ])
  t.same(frames.at(-1), {
    id: frames.length,
    event: 'end',
    data: { type: 'end', seq: frames.length, status: 'succeeded', status_reason: null }
  })
  const { items, ...page } = await json(`${path}/logs?limit=1000`)
  t.same(page, {
    build_id: waiting.id, status: 'succeeded', next_seq: items.at(-1).seq, complete: true, truncated: false
  })
  const streamed = frames.filter(({ event }) => event === 'log').map(({ data: { type: _, ...line } }) => line)
  t.same(items, streamed, 'the page and the stream have the same lines')
  t.match(items[0],
    { seq: 4, at: /^\d{4}-/, step: 'checkout', stream: 'system', text: /^main is commit [0-9a-f]{40}$/ })
  t.match(await json(path), { log: { lines: items.length } })

  for (const held of [1, 5, frames.length - 1]) {
    t.same(await follow(path, { 'last-event-id': String(held) }), frames.slice(held), `after ${held}`)
  }
  const done = await fetch(`${base}${path}/logs`,
    { headers: { ...asAdmin, accept: 'text/event-stream', 'last-event-id': String(frames.length) } })
  t.equal(done.status, 204, 'a client that holds all need not come back')
  t.same(await follow(path, { 'last-event-id': 'nonsense' }), frames)
})

t.test('a client that loses its connection again and again holds every event once', async (t) => {
  const { state, path } = await take('Torn')
  const held: Frame[] = []
  let over = false
  const client = async () => {
    while (held.at(-1)?.event !== 'end') {
      held.push(...await follow(path, held.length > 0 ? { 'last-event-id': String(held.at(-1)?.id) } : {}, 7))
    }
    over = true
  }
  const coming = client()
  for (let i = 0; i < 60; i++) await state.log('build', `line ${i}`)
  await finish(state)
  await coming
  t.ok(over)
  t.same(held.map(({ id }) => id), held.map((_, index) => index + 1))
  t.same(held.filter(({ event }) => event === 'log').map(({ data }) => data.text),
    Array.from({ length: 60 }, (_, i) => `line ${i}`))
})

t.test('pages by seq leave out nothing and repeat nothing; the page of a live build is not complete', async (t) => {
  const { state, path } = await take('Paged')
  for (let i = 0; i < 5; i++) await state.log('build', `line ${i}`)
  const texts: string[] = []
  const pages = []
  for (let after = 0, complete = false; !complete;) {
    const page = await json(`${path}/logs?after=${after}&limit=2`)
    pages.push(page.items.length)
    texts.push(...page.items.map(({ text }: { text: string }) => text))
    after = page.next_seq
    complete = page.complete
    if (page.items.length < 2 && !complete) await finish(state)
  }
  t.same(texts, ['line 0', 'line 1', 'line 2', 'line 3', 'line 4'])
  t.same(pages, [2, 2, 1, 0])
  for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001']) {
    t.match(await json(`${path}/logs?${query}`), { status: 400, code: 'invalid_request' }, query)
  }
})

t.test('F49: secrets never reach the record', async (t) => {
  const { state, path, id } = await take('Secret')
  const token = `ghp_${'a1'.repeat(18)}`
  const lines = [
    'AWS key AKIAIOSFODNN7EXAMPLE', `token ${token}`, 'clone https://user:hunter22@git.example/x',
    'Authorization: Bearer abc.def.ghi', 'DB_PASSWORD=correct-horse', '"api_key": "s3cr3tvalue"',
    `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.sig`,
    '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----'
  ]
  for (const line of lines) await state.log('build', line)
  const stored = await app.db.selectFrom('stream_event').select('data').where('stream_id', '=', id).execute()
  const text = JSON.stringify(stored)
  const secrets = ['AKIAIOSFODNN7EXAMPLE', token, 'hunter22', 'abc.def.ghi', 'correct-horse', 's3cr3tvalue',
    'MIIabc', 'b'.repeat(12)]
  for (const secret of secrets) t.notOk(text.includes(secret), secret)
  t.match((await json(`${path}/logs`)).items.map((item: { text: string }) => item.text).slice(0, 3), [
    'AWS key [redacted access key]', 'token [redacted token]', 'clone https://user:[redacted]@git.example/x'
  ])
  t.equal(redactLine('image registry/app:1.2.3 from arn:aws:ecs:eu-west-1:1:task-definition/web:3'),
    'image registry/app:1.2.3 from arn:aws:ecs:eu-west-1:1:task-definition/web:3')
  t.equal(redactLine('a\0b\ud800'), 'ab\ufffd')
  await finish(state)
})

t.test('a line and a log have their limits, and say so', async (t) => {
  const { state, path, id } = await take('Long')
  await state.log('build', 'é'.repeat(maxLineBytes))
  const { items: [line] } = await json(`${path}/logs`)
  t.ok(Buffer.byteLength(line.text) <= maxLineBytes + 16)
  t.match(line.text, /é… \[cut\]$/)
  await app.db.updateTable('deployment_build').set({ log_bytes: 50 * 1_048_576 }).where('id', '=', id).execute()
  await state.writeStep(withStep(state.row.steps, 'build', { status: 'running' }), 'build')
  await state.log('build', 'beyond')
  await state.log('build', 'beyond')
  t.match(await json(`${path}/logs`), { truncated: true, items: [{ text: /cut/ }] })
  t.match(await json(path), { log: { lines: 1, truncated: true } })
  await finish(state)
})

t.test('a stream shows a cancel by another request at once', async (t) => {
  const { path } = await take('Told')
  const following = follow(path)
  await until(async () => app.openStreams.total, (total) => total > 0)
  await post(`${path}/cancel`)
  const frames = await following
  t.match(frames.at(-1), { event: 'end', data: { status: 'cancelled', status_reason: 'user_cancel' } })
})

t.test('the log as the assistant\'s tool is the JSON form', async (t) => {
  const shop = await makeApp(app, 'Tool')
  const { build, taken } = await run(app, shop.id, { image: 'app:1' })
  const tool = app.tools.find('getBuildLogs')
  const person = { workspace_id: app.home.workspace_id, user_id: app.home.admin_id, name: 'Administrator' }
  const principal = { ...person, role: 'admin', bindings: null, scopes: null, via: 'assistant', via_id: null } as const
  if (!tool) throw new Error('no tool')
  const answer = await app.tools.call(principal, tool, { app_id: shop.id, build_id: build.id })
  t.match(answer, { status: 200, body: { build_id: build.id } })
  const stop = keepRolling(t, app)
  await taken?.ended
  await stop()
})
