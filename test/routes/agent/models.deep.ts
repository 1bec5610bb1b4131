import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { asAdmin, buildApp, type App } from '../../app.js'
import { chat, startChatApp, until } from '../../chat.js'
import { problemOf } from '../account/actors.js'

const { app, anthropic } = await startChatApp(t, {
  MODEL_PRICES: JSON.stringify({ 'unlisted-but-priced': { input: 1, output: 2 } })
})
const list = async (of: App = app) => (await of.inject({ url: '/api/v1/agent/models', headers: asAdmin })).json()
const asked = () => anthropic.control.listings()

t.test('the models of the provider are read after the start, once', async (t) => {
  await until(() => asked().length > 0)
  const { items, complete } = await list()
  await list()
  t.equal(complete, true)
  t.equal(asked().length, 1)
  t.same(items.map(({ id }: { id: string }) => id), ['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-5-5',
    'claude-haiku-5-5', 'claude-haiku-4-5-20251001'])
  t.same(items.at(-1), {
    id: 'claude-haiku-4-5-20251001',
    name: 'Claude Haiku 4.5 (sandbox, not a language model)',
    is_default: false,
    is_listed: true,
    is_priced: true,
    window: 200_000,
    max_output_tokens: 64_000,
    lifecycle: 'active',
    retires_at: null,
    efforts: [],
    thinking: ['enabled', 'disabled'],
    images: true
  })
  t.match(items[2], { id: 'claude-sonnet-5-5', is_default: true, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] })
})

t.test('a model that is not listed, or not priced, is not chosen', async (t) => {
  const { session } = await chat(app, { message: 'Hello' })
  const choose = (model: string) => app.inject({
    method: 'PATCH', url: `/api/v1/agent/sessions/${session}`, headers: asAdmin, payload: { model }
  })
  const workspace = (model: string) => app.inject({
    method: 'PATCH',
    url: `/account/workspaces/${app.home.workspace_id}`,
    headers: asAdmin,
    payload: { settings: { model } }
  })
  const wrong = {
    'unlisted-but-priced': 'model_not_listed',
    'claude-sonnet-4-20250514': 'model_not_listed',
    'my-own': 'model_price_unknown'
  }
  for (const [model, code] of Object.entries(wrong)) {
    t.match(problemOf(await choose(model)), { status: 422, code, errors: [{ pointer: '/model', code }] })
    t.match(problemOf(await workspace(model)), { status: 422, code, errors: [{ pointer: '/settings/model', code }] })
  }
  t.equal((await choose('claude-haiku-4-5')).statusCode, 200, 'a name without its date')
})

t.test('the first message chooses model, effort and thinking of its session, and no later one does', async (t) => {
  const chosen = { model: 'claude-opus-5-5', effort: 'low', thinking: 'disabled' }
  const { answer, session } = await chat(app, { message: 'Begin with the large one', ...chosen })
  t.equal(answer.statusCode, 200)
  t.match(anthropic.control.requests().findLast(({ body }) => JSON.stringify(body).includes('the large one'))?.body,
    { model: 'claude-opus-5-5', output_config: { effort: 'low' }, thinking: { type: 'disabled' } })
  t.match((await app.inject({ url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })).json(),
    { model: 'claude-opus-5-5', own_model: 'claude-opus-5-5', effort: 'low', thinking: 'disabled' })
  const later = await chat(app, { message: 'And now', session_id: session, model: 'claude-sonnet-5-5', effort: 'high' })
  t.match(problemOf(later.answer), {
    status: 400, code: 'invalid_request', errors: [{ pointer: '/model' }, { pointer: '/effort' }]
  })
  const next = await chat(app, { message: 'Go on with it', session_id: session })
  t.equal(next.answer.statusCode, 200)
  t.match(anthropic.control.requests().findLast(({ body }) => JSON.stringify(body).includes('Go on with it'))?.body,
    { model: 'claude-opus-5-5', output_config: { effort: 'low' } })
})

t.test('a session does not begin with a model that cannot be asked', async (t) => {
  const wrong = { 'unlisted-but-priced': 'model_not_listed', 'my-own': 'model_price_unknown' }
  for (const [model, code] of Object.entries(wrong)) {
    const { answer } = await chat(app, { message: 'Begin', model })
    t.match(problemOf(answer), { status: 422, code, errors: [{ pointer: '/model', code }] })
  }
  const odd = await chat(app, { message: 'Begin', thinking: '12' })
  t.match(problemOf(odd.answer), { status: 400, code: 'invalid_request', errors: [{ pointer: '/thinking' }] })
})

/** A server of the protocol whose list answers so. */
const startServer = async (answer: (page: URLSearchParams) => [number, unknown]) => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(String(request.url), 'http://localhost')
    seen.push(`${request.method} ${url.pathname}`)
    const [status, body] = answer(url.searchParams)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { seen, url: `http://127.0.0.1:${port}` }
}
const local = { ANTHROPIC_MODEL: 'local', MODEL_PRICES: JSON.stringify({ local: { input: 0, output: 0 } }) }

t.test('a list in the form of other servers is read as far as it goes, and names the window', async (t) => {
  const data = [{ id: 'local', object: 'model', max_model_len: 32_768 }, { object: 'model' }, null, { id: 7 }]
  const { url } = await startServer(() => [200, { object: 'list', data }])
  const other = await buildApp(t, { ...local, ANTHROPIC_BASE_URL: url })
  t.same(await list(other), {
    complete: true,
    items: [{
      id: 'local',
      name: 'local',
      is_default: true,
      is_listed: true,
      is_priced: true,
      window: 32_768,
      max_output_tokens: null,
      lifecycle: null,
      retires_at: null,
      efforts: null,
      thinking: null,
      images: null
    }]
  })
})

t.test('a list of many pages is read to its end', async (t) => {
  const ids = ['local', 'second', 'third']
  const { url, seen } = await startServer((page) => {
    const at = ids.indexOf(page.get('after_id') ?? '') + 1
    return [200, { data: [{ id: ids[at] }], has_more: at < 2, first_id: ids[at], last_id: ids[at] }]
  })
  const other = await buildApp(t, { ...local, ANTHROPIC_BASE_URL: url })
  t.same((await list(other)).items.map(({ id }: { id: string }) => id), ids)
  t.equal(seen.length, 3)
})

const failures = [['has none', 404, {}], ['fails', 500, {}], ['answers no list', 200, 'words']] as const

for (const [name, status, body] of failures) {
  t.test(`where the server ${name}, the configured models are listed, and it is not asked again at once`, async (t) => {
    const { url, seen } = await startServer(() => [status, body])
    const other = await buildApp(t, { ...local, ANTHROPIC_SMALL_MODEL: 'claude-haiku-5-5', ANTHROPIC_BASE_URL: url })
    const { items, complete } = await list(other)
    await list(other)
    t.same([complete, items.map(({ id }: { id: string }) => id)], [false, ['local', 'claude-haiku-5-5']])
    t.same(seen, ['GET /v1/models'])
  })
}

t.test('an instance without a model lists the one that is configured', async (t) => {
  const none = await buildApp(t, { SANDBOX: 'off' })
  t.match(await list(none), { complete: false, items: [{ id: 'claude-sonnet-5-5', is_listed: false }] })
})
