import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../../tap.js'
import { asAdmin } from '../../../app.js'
import { framesOf, textOf, until } from '../../../chat.js'
import {
  answering, broken, busy, failing, limited, readCall, setEnvironment, speech, startCloudApp, startSandbox,
  writeCredentials
} from './cloud.js'
import { inStream, part, tryCancel, tryEndings, tryModels, tryRepeats } from './faults.js'

const anthropic = await startSandbox(t)
const { keys } = anthropic.control
setEnvironment(t, { GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(t, anthropic.url, keys.subject) })
const first = 'claude-sonnet-5-5'
const second = 'claude-haiku-4-5@20251001'
const vertex = {
  MODEL_PROVIDER: 'vertex',
  CLOUD_ML_REGION: 'us-east5',
  ANTHROPIC_VERTEX_PROJECT_ID: 'acme-models',
  ANTHROPIC_BASE_URL: `${anthropic.url}/v1`,
  ANTHROPIC_MODEL: first
}
const world = await startCloudApp(t, anthropic, vertex)
const { say } = world
const cloud = { name: 'Vertex', anthropic, ...world }
const pathOf = (model: string) =>
  `/v1/projects/acme-models/locations/us-east5/publishers/anthropic/models/${model}:streamRawPredict`
t.afterEach(() => anthropic.control.reset())

// The first answer of a process is slow, which is not what is tested here.
await say([speech])

t.test('a chat with a tool call goes to the project and region, with a token of Google', async (t) => {
  const reply = await say([{ content: [{ type: 'thinking', thinking: 'Zürich' }, readCall] }, speech])
  t.equal(textOf(reply.frames), 'Grüße, 12 services are fine 🚀.')
  t.match(framesOf(reply.frames, 'tool_result')[0]?.data, { status: 'succeeded' })
  t.same(reply.asked.map(({ path, status }) => [path, status]), [[pathOf(first), 200], [pathOf(first), 200]])
  const [one] = reply.bodies
  t.same(Object.keys(one ?? {}).toSorted(),
    ['anthropic_version', 'max_tokens', 'messages', 'stream', 'system', 'tools'])
  t.notOk(JSON.stringify(one).includes('defer_loading'), 'Steward searches the tools')
})

t.test('text of several bytes is whole, wherever the network tears it', async (t) => {
  anthropic.control.fault({ kind: 'split_utf8' })
  t.equal(textOf((await say([speech])).frames), 'Grüße, 12 services are fine 🚀.')
})

tryRepeats(t, cloud, [
  ['is overloaded', { kind: 'http_error', status: 529 }, [busy]],
  ['is over its quota', { kind: 'http_error', status: 429 }, [limited]],
  ['fails', { kind: 'http_error', status: 500 }, [failing]],
  ['is overloaded within the stream', inStream('overloaded_error'), [part, busy, 'reset']],
  ['fails within the stream', inStream('api_error'), [part, broken, 'reset']]
])

tryEndings(t, cloud, [
  ['refuses the permission', { kind: 'http_error', status: 403, message: 'Permission denied' }, 'model_auth'],
  ['is asked too much', {
    kind: 'http_error', status: 400, message: 'prompt is too long: 950000 tokens > 150000 maximum'
  }, 'model_context_exceeded'],
  ['refuses the request', { kind: 'http_error', status: 400, message: 'messages: too odd' }, 'model_bad_request']
])

t.test('a model that the project has no access to is reported so, once', async (t) => {
  keys.disabled.add(first)
  const { frames, asked } = await say([speech])
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_unknown', fatal: true })
  t.equal(asked.length, 1)
})

t.test('a token that ends before its time is fetched anew, once, and nobody notices', async (t) => {
  await say([speech])
  keys.expire()
  const { frames, asked } = await say([speech])
  t.same(framesOf(frames, 'error'), [])
  t.same(asked.map(({ status }) => status), [401, 200])
  t.notOk(JSON.stringify(anthropic.control.requests()).includes('ya29.'))
})

tryCancel(t, cloud)

tryModels(t, cloud, first)

t.test('the second model goes on while the first is overloaded, by its name with a date', async (t) => {
  const two = await startCloudApp(t, anthropic, { ...vertex, ANTHROPIC_FALLBACK_MODEL: second })
  anthropic.control.fault({ kind: 'http_error', status: 529, times: 4, match: { model: first } })
  const { frames, asked } = await two.say([answering('From the second.')])
  t.equal(asked.at(-1)?.path, pathOf(second))
  t.match(framesOf(frames, 'model_changed').map(({ data }) => data),
    [{ from: first, to: second, reason: 'overloaded' }])
  t.equal(textOf(frames), 'From the second.')
})

t.test('a workspace that has a key of its own is not asked at the expense of the installation', async (t) => {
  const own = await startCloudApp(t, anthropic, vertex)
  const changed = await own.app.inject({
    method: 'PATCH',
    url: `/account/workspaces/${own.app.home.workspace_id}`,
    headers: asAdmin,
    payload: { settings: { model_api_key: 'key-of-a-workspace' } }
  })
  t.equal(changed.statusCode, 200)
  const { frames, asked } = await own.say([speech])
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_auth', fatal: true, message: /Vertex takes none/ })
  t.same(asked, [])
})

t.test('refused and missing credentials end a run at once; a token server that is away is tried again', async (t) => {
  setEnvironment(t, { GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(t, anthropic.url, 'someone else') })
  const refused = await (await startCloudApp(t, anthropic, vertex)).say([speech])
  t.match(framesOf(refused.frames, 'error').map(({ data }) => data), [{ code: 'model_auth', fatal: true }])
  setEnvironment(t, { GOOGLE_APPLICATION_CREDENTIALS: '/nonexistent/credentials.json' })
  const missing = await (await startCloudApp(t, anthropic, vertex)).say([speech])
  t.match(framesOf(missing.frames, 'error').map(({ data }) => data), [{
    code: 'model_auth', fatal: true, message: 'This server finds no credentials for Google Cloud that are valid.'
  }])
  setEnvironment(t, { GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(t, 'http://127.0.0.1:9', keys.subject) })
  const away = await (await startCloudApp(t, anthropic, vertex)).say([speech])
  t.same(framesOf(away.frames, 'error').map(({ data }) => [data.code, data.retryable]),
    [...Array(3).fill(['model_stream_broken', true]), ['model_stream_broken', true]])
})

t.test('a run is cancelled while a token server says nothing', async (t) => {
  let waiting = 0
  const server = createServer(() => { waiting++ }).listen(0, '127.0.0.1')
  t.teardown(() => server.close().closeAllConnections())
  await until(() => server.listening)
  // It listens on TCP.
  const { port } = server.address() as AddressInfo
  setEnvironment(t, {
    GOOGLE_APPLICATION_CREDENTIALS: writeCredentials(t, `http://127.0.0.1:${port}`, keys.subject)
  })
  const patient = await startCloudApp(t, anthropic, { ...vertex, LIMITS: JSON.stringify({ model_idle_ms: 600_000 }) })
  const call = patient.say([speech])
  await until(() => waiting > 0)
  const { id } = await patient.app.db.selectFrom('agent_run').select('id').executeTakeFirstOrThrow()
  await patient.app.inject({ method: 'POST', url: `/api/v1/agent/runs/${id}/cancel`, payload: {}, headers: asAdmin })
  const { frames, asked } = await call
  t.match(framesOf(frames, 'done').at(-1)?.data, { status: 'cancelled' })
  t.same(asked, [])
})
