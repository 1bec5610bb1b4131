import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, makeEnvironment, type App } from '../app.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import {
  chat, confirm, follow, framesOf, parseFrames, scripted, startChatApp, textOf, until, type Frame, type Turn
} from '../chat.js'
import { askToScale, lastId, read, say, serviceId, storedFrames } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50,"wait_s":1,"streams_per_user":100}' })
const { app, anthropic, url } = steward
const web = await serviceId(app, 'web')
const streamOf = (session: string) => `/api/v1/agent/sessions/${session}/stream`
const positionOf = ({ id = '' }: Frame) => Number(id.split(':')[1])
const long = Array.from({ length: 60 }, (_, index) => `word ${index} é 漢字 👍 `).join('')
const reading: Turn[] = [
  { content: [{ type: 'text', text: long }, { type: 'tool_use', name: 'listProjects', input: {} }], chunk: 7 },
  { content: [{ type: 'text', text: long }], chunk: 7 }
]
const facts = (frames: Frame[]) => frames.filter(({ event }) => event !== 'content')

/** Begins a run and reads it over a socket while it happens, until enough is read or it ends. */
const readLive = async (path: string, init: RequestInit, enough: (frames: Frame[]) => boolean) => {
  const controller = new AbortController()
  const headers = { ...asAdmin, 'content-type': 'application/json', ...init.headers }
  const answer = await fetch(`${url}${path}`, { ...init, headers, signal: controller.signal })
  const { body } = answer
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (enough(parseFrames(text))) break
    }
  } finally {
    controller.abort()
  }
  return { answer, text, frames: parseFrames(text), session: String(answer.headers.get('steward-session-id')) }
}

t.test('a frame has the run and its position as id, one line of JSON, and its type as event', async (t) => {
  const { answer, frames, run, session } = await chat(app, { message: scripted(anthropic, reading) })
  t.match(answer.headers, {
    'content-type': /^text\/event-stream/,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'steward-session-id': session,
    'steward-run-id': run
  })
  const [first, ...blocks] = answer.payload.trimEnd().split('\n\n')
  t.equal(first, 'retry: 2000')
  for (const block of blocks) t.match(block, /^event: [a-z_]+\ndata: \{[^\n]*\}\nid: [0-9a-f-]{36}:\d+$/)
  t.equal(blocks.length, frames.length)
  t.same(frames.map(({ event }) => event), frames.map(({ data }) => data.type))
  t.ok(frames.every(({ id }) => id?.startsWith(`${run}:`)))
  const positions = frames.map(positionOf)
  t.same(positions, [...new Set(positions)].sort((a, b) => a - b))
  t.equal(textOf(frames), `${long}\n${long}`)
})

t.test('I65: a client cut off after any event, or within a text, misses no event and gets none twice', async (t) => {
  const message = scripted(anthropic, reading.map((turn) => ({ ...turn, delay_ms: 2 })))
  const live = await readLive('/api/v1/agent/chat', { method: 'POST', body: JSON.stringify({ message }) }, () => false)
  const { frames, session } = live
  t.ok(framesOf(frames, 'content').length > 2, 'the text came in pieces')
  const run = String(live.answer.headers.get('steward-run-id'))
  const stored = await storedFrames(app, session, run)
  t.equal(textOf(stored), textOf(frames))
  t.same(facts(stored), facts(frames))
  for (const seen of [frames, stored]) {
    for (const index of seen.keys()) {
      const before = seen.slice(0, index + 1)
      const rest = await follow(app, session, before.at(-1)?.id)
      if (index === seen.length - 1) {
        t.equal(rest.answer.statusCode, 204)
        continue
      }
      const all = [...before, ...rest.frames]
      const same = textOf(all) === textOf(frames) && JSON.stringify(facts(all)) === JSON.stringify(facts(frames))
      t.ok(same, `cut after ${before.at(-1)?.id}`)
    }
  }
})

t.test('two readers come to a run while it streams, one is cut and comes back', async (t) => {
  const message = scripted(anthropic, [{ ...say(long), chunk: 4, delay_ms: 5 }])
  const post = { method: 'POST', body: JSON.stringify({ message }) }
  const first = await readLive('/api/v1/agent/chat', post, (frames) => frames.length > 0)
  const { session } = first
  const whole = readLive(streamOf(session), {}, () => false)
  const again = readLive(streamOf(session), { headers: { 'last-event-id': lastId(first.frames) ?? '' } }, () => false)
  const [joined, resumed] = await Promise.all([whole, again])
  t.same([joined.answer.status, resumed.answer.status], [200, 200])
  t.equal(textOf(joined.frames), long)
  t.equal(textOf([...first.frames, ...resumed.frames]), long)
  t.same(joined.frames.at(-1), resumed.frames.at(-1))
  t.match(joined.frames.at(-1), { event: 'done', data: { status: 'completed', final: true } })
  t.equal((await follow(app, session)).answer.statusCode, 204, 'nothing is live any more')
  const foreign = '01900000-0000-7000-8000-000000000000'
  t.equal((await follow(app, session, `${foreign}:5`)).answer.statusCode, 204)
  t.match((await app.inject({ url: streamOf(foreign), headers: asAdmin })).json(), { code: 'session_not_found' })
})

t.test('a stream that waits for approval ends in time, whenever its reader has come', async (t) => {
  const asked = await askToScale(steward, [[web, 41]])
  const streams = [asked.frames, (await follow(app, asked.session)).frames,
    (await follow(app, asked.session, asked.after)).frames]
  for (const frames of streams) {
    const { id, data } = frames.at(-1) ?? {}
    t.match([id ?? null, data], [null, {
      type: 'done',
      status: 'awaiting_confirmation',
      final: false,
      stop_reason: null,
      pending_confirmations: [asked.first.confirmation_id]
    }])
  }
  t.equal(streams[2]?.length, 1, 'what was seen is not sent again')
  await confirm(app, { ...asked.decision, approved: false })
  const { frames } = await follow(app, asked.session, asked.after)
  t.match(frames.at(-1), { id: /:/, event: 'done', data: { final: true } })
})

t.test('HEAD has no endless stream', async (t) => {
  const asked = await askToScale(steward, [[web, 42]])
  const answer = await fetch(`${url}${streamOf(asked.session)}`, { method: 'HEAD', headers: asAdmin })
  t.equal(await answer.text(), '')
  await confirm(app, { ...asked.decision, approved: false })
  await follow(app, asked.session, asked.after)
})

const server = process.env.TEST_DATABASE_URL
// The embedded database belongs to one process.
if (server) {
  t.test('two instances share a run', async (t) => {
    const sandbox = await startAnthropicSandbox({ delayMs: 0 })
    t.teardown(() => sandbox.close())
    const environment = await makeEnvironment(t, {
      ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: sandbox.url, AWS_ENDPOINT_URL: steward.aws
    })
    const start = async (): Promise<App> => {
      const made = await build(readConfig(environment), false)
      t.teardown(() => made.close())
      await made.ready()
      return made
    }
    const [here, there] = [await start(), await start()]
    const message = scripted(sandbox, [{ ...say(long), chunk: 4, delay_ms: 5 }])
    const begun = (text: string) => here.inject({
      method: 'POST',
      url: '/api/v1/agent/chat',
      payload: { message: text },
      headers: { ...asAdmin, prefer: 'respond-async' }
    })
    const { session_id } = (await begun(message)).json()
    const followed = await follow(there, session_id)
    t.equal(textOf(followed.frames), long)
    t.match(followed.frames.at(-1)?.data, { status: 'completed' })

    const input = { name: 'Made once' }
    const asking: Turn = { content: [{ type: 'tool_use', name: 'createProject', input }] }
    const asked = await chat(here, { message: scripted(sandbox, [asking, say('Made.')]) })
    const confirmation_id = framesOf(asked.frames, 'confirmation_required')[0]?.data.confirmation_id
    const decided = await confirm(there, { session_id: asked.session, confirmation_id, approved: true })
    t.equal(decided.statusCode, 200, decided.payload)
    const rest = await follow(here, asked.session, lastId(asked.frames))
    t.match(rest.frames.at(-1)?.data, { status: 'completed', final: true })
    const { items } = await read(here, '/account/projects')
    t.equal(items.filter(({ name }: { name: string }) => name === input.name).length, 1)

    const slow = (await begun(scripted(sandbox, [{ ...say(long), chunk: 1, delay_ms: 60_000 }]))).json()
    await there.inject({ method: 'POST', url: `${slow.run_url}/cancel`, headers: asAdmin })
    const ended = await until(async () => {
      const run = await read(there, slow.run_url)
      return run.finished_at !== null && run
    })
    t.equal(ended.status, 'cancelled')
  })
}
