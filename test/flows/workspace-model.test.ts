import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../tap.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { asAdmin, buildApp } from '../app.js'
import { chat, framesOf } from '../chat.js'
import { makeWorkspace, problemOf } from '../routes/account/actors.js'

const sandbox = await startAnthropicSandbox({ delayMs: 0 })
t.teardown(() => sandbox.close())

/** With which key the model was asked, and which model: the sandbox keeps no keys. */
const asked: { key: unknown, model: unknown }[] = []
const relay = createServer((request, response) => {
  const parts: Buffer[] = []
  if (request.method === 'GET') return response.writeHead(404).end()
  request.on('data', (part: Buffer) => parts.push(part)).on('end', () => {
    const body = Buffer.concat(parts)
    asked.push({ key: request.headers.authorization, model: JSON.parse(body.toString()).model })
    const headers = Object.fromEntries(['authorization', 'anthropic-version', 'content-type'].map((name) =>
      [name, String(request.headers[name])]))
    void fetch(sandbox.url + String(request.url), { method: 'POST', headers, body }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
})
await new Promise<void>((resolve) => { relay.listen(0, '127.0.0.1', resolve) })
t.teardown(() => {
  relay.closeAllConnections()
  relay.close()
})
// A TCP server that listens has an AddressInfo.
const { port } = relay.address() as AddressInfo
const app = await buildApp(t, {
  ANTHROPIC_API_KEY: 'of-the-installation', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`
})

const own = await makeWorkspace(app, 'Own')
const other = await makeWorkspace(app, 'Other')
const patch = (settings: object) => app.inject({
  method: 'PATCH', url: `/account/workspaces/${own.id}`, headers: asAdmin, payload: { settings }
})
const talk = async (headers: Record<string, string>, session_id?: string) => {
  asked.length = 0
  const { frames, session } = await chat(app, { message: 'Hello', ...(session_id && { session_id }) }, headers)
  t.match(framesOf(frames, 'done').at(-1)?.data, { stop_reason: 'end_turn' })
  return { session, asked: [...asked] }
}
const shared = { key: 'Bearer of-the-installation', model: app.config.ANTHROPIC_MODEL }

t.test('a workspace with a key and a model of its own is asked with them, in open conversations too', async (t) => {
  const { session, asked: before } = await talk(own.headers)
  t.same(before, [shared])
  const changed = await patch({ model: 'claude-opus-5', model_api_key: 'of-the-workspace' })
  t.match(changed.json().settings, { model: 'claude-opus-5', has_model_api_key: true })
  t.notMatch(changed.payload, /of-the-workspace/)
  const mine = { key: 'Bearer of-the-workspace', model: 'claude-opus-5' }
  t.same((await talk(own.headers)).asked, [mine])
  t.same((await talk(own.headers, session)).asked, [mine])
  t.same((await talk(other.headers)).asked, [shared])
  t.same((await talk(asAdmin)).asked, [shared])
})

t.test('the key is stored encrypted, stays when other settings change, and is taken away', async (t) => {
  const rows = await app.db.selectFrom('workspace').select('model_api_key')
    .where('model_api_key', 'is not', null).execute()
  t.equal(rows.length, 1)
  const stored = rows[0]?.model_api_key ?? Buffer.alloc(0)
  t.notMatch(stored.toString('latin1'), /of-the-workspace/)
  t.throws(() => app.secrets.decrypt(`workspace|${other.id}|model_api_key`, stored))
  t.match((await patch({ model: null })).json().settings, { model: null, has_model_api_key: true })
  t.same((await talk(own.headers)).asked, [{ key: 'Bearer of-the-workspace', model: shared.model }])
  t.match((await patch({ model_api_key: null })).json().settings, { has_model_api_key: false })
  t.same((await talk(own.headers)).asked, [shared])
})

t.test('a model without a known price is refused: no budget would hold', async (t) => {
  t.match(problemOf(await patch({ model: 'unheard-of' })), {
    status: 422, code: 'model_price_unknown', errors: [{ pointer: '/settings/model' }]
  })
})

t.test('a model of the environment wins over one that a person would connect', async (t) => {
  const connection = { provider: 'anthropic', api_key: 'sk-0123456789', model: 'claude-opus-5' }
  const refused = await app.inject({ method: 'PUT', url: '/account/workspace/model', headers: asAdmin, payload: connection })
  t.match(problemOf(refused), { status: 409, code: 'model_by_environment' })
  const { answers, source, provider, model } =
    (await app.inject({ url: '/account/workspace/model', headers: asAdmin })).json()
  t.same({ answers, source, provider, model },
    { answers: 'model', source: 'environment', provider: 'compatible', model: app.config.ANTHROPIC_MODEL })
})
