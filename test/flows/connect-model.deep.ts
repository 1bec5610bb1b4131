import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../tap.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { asAdmin, buildApp } from '../app.js'
import { chat, framesOf, textOf } from '../chat.js'
import { makePerson, makeWorkspace, problemOf } from '../routes/account/actors.js'

const sandbox = await startAnthropicSandbox({ delayMs: 0 })
t.teardown(() => sandbox.close())

const right = 'sk-right-0123456789'
/** With which keys this server was asked. */
const keys: unknown[] = []
let silent = false

/** A server of the Messages API that checks its key and knows one model; the sandbox answers behind it. */
const server = createServer((request, response) => {
  const fail = (status: number, type: string, message: string) => response
    .writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error: { type, message } }))
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part)).on('end', () => {
    if (request.method === 'GET') return response.writeHead(404).end()
    const key = String(request.headers.authorization ?? request.headers['x-api-key']).replace('Bearer ', '')
    keys.push(key)
    if (silent) return fail(529, 'overloaded_error', 'busy')
    if (request.url !== '/v1/messages') return response.writeHead(404).end('Not here')
    if (key !== right) return fail(401, 'authentication_error', 'invalid x-api-key')
    const body = Buffer.concat(parts)
    const { model } = JSON.parse(body.toString())
    if (model !== 'house-1') return fail(404, 'not_found_error', `model: ${model}`)
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
    const known = body.toString().replaceAll('house-1', 'claude-sonnet-5-5')
    void fetch(sandbox.url + String(request.url), { method: 'POST', headers, body: known }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) })
      response.end((await answer.text()).replaceAll('claude-sonnet-5-5', 'house-1'))
    })
  })
})
await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
// A TCP server that listens has an AddressInfo.
const { port } = server.address() as AddressInfo
const address = `http://127.0.0.1:${port}`
const app = await buildApp(t, { OUTBOUND_ALLOW: `127.0.0.1:${port},127.0.0.1:9` })
const price = { input: 2, output: 10 }
const house = { provider: 'compatible', address, api_key: right, model: 'house-1', price }

const send = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', payload?: object, headers = asAdmin, path = '') => app.inject({
  method, url: `/account/workspace/model${path}`, headers, ...(payload && { payload })
})
const test = (payload: object, headers = asAdmin) => send('POST', payload, headers, '/test')
const say = async (headers = asAdmin) => textOf((await chat(app, { message: 'Hello' }, headers)).frames)

t.test('a test shows what the model answers, how long it took and what it cost, and stores nothing', async (t) => {
  t.match((await send('GET')).json(), { answers: 'guided', source: null, model: null, stored: null })
  const tried = await test(house)
  t.equal(tried.statusCode, 200, tried.payload)
  const { reply, took_ms, input_tokens: input, output_tokens: output, cost } = tried.json()
  t.ok(reply.length > 0)
  t.type(took_ms, 'number')
  t.ok(input > 0 && output > 0)
  t.match((await send('GET')).json(), { answers: 'guided', stored: null })
  const used = await app.db.selectFrom('agent_usage').select(['purpose', 'cost_usd_micros']).execute()
  t.same(used.map(({ purpose, cost_usd_micros: micros }) => [purpose, (micros / 1_000_000).toFixed(6)]),
    [['test', cost.amount]])
  t.ok(Number(cost.amount) * 1_000_000 >= input * price.input + output * price.output)
})

t.test('each way to fail has words of its own, and is shown at its field', async (t) => {
  const cases: [object, string, string | undefined][] = [
    [{ ...house, api_key: 'sk-wrong-0123456789' }, 'model_key_refused', '/api_key'],
    [{ ...house, model: 'house-2' }, 'model_unknown', '/model'],
    [{ ...house, address: 'http://127.0.0.1:9' }, 'model_unreachable', undefined],
    [{ ...house, address: `${address}/elsewhere` }, 'model_api_missing', '/address'],
    [{ ...house, address: 'http://10.1.2.3' }, 'model_address_private', '/address'],
    [{ ...house, address: 'http://169.254.169.254' }, 'model_address_private', '/address'],
    [{ ...house, address: 'http://localhost:1' }, 'model_address_private', '/address'],
    [{ ...house, price: undefined }, 'model_price_unknown', '/price'],
    [{ provider: 'anthropic', model: 'claude-sonnet-5-5' }, 'model_connection_invalid', '/api_key'],
    [{ provider: 'bedrock', model: 'eu.anthropic.claude-sonnet-5-5' }, 'model_connection_invalid', '/region'],
    [{ provider: 'vertex', model: 'claude-sonnet-5-5', region: 'global', project: 'acme', api_key: '{"type":"x"}' },
      'model_connection_invalid', '/api_key']
  ]
  for (const [payload, code, pointer] of cases) {
    for (const answer of [await test(payload), await send('PUT', payload)]) {
      const problem = problemOf(answer)
      t.equal(problem.code, code, answer.payload)
      t.match(problem.errors, pointer === undefined ? undefined : [{ pointer }], code)
    }
  }
  silent = true
  t.equal(problemOf(await test(house)).code, 'model_busy')
  silent = false
  t.match((await send('GET')).json(), { answers: 'guided', stored: null })
})

t.test('what answers the test is connected at once, in its workspace alone, with its key encrypted', async (t) => {
  const other = await makeWorkspace(app, 'Other')
  const connected = await send('PUT', house)
  t.equal(connected.statusCode, 200, connected.payload)
  t.match(connected.json(), {
    answers: 'model',
    source: 'workspace',
    provider: 'compatible',
    model: 'house-1',
    price,
    stored: { provider: 'compatible', address, model: 'house-1', has_api_key: true }
  })
  t.notMatch(connected.payload, right)
  keys.length = 0
  const { frames, session } = await chat(app, { message: 'Hello' }, asAdmin)
  t.match(framesOf(frames, 'done').at(-1)?.data, { stop_reason: 'end_turn' })
  t.ok(keys.includes(right))
  const models = (await app.inject({ url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })).json()
  t.equal(models.model, 'house-1')
  keys.length = 0
  await say(other.headers)
  t.same(keys, [])
  const [row] = await app.db.selectFrom('workspace').select('model_connection')
    .where('model_connection', 'is not', null).execute()
  t.notMatch(row?.model_connection?.toString('latin1'), right)
})

t.test('a stored key stays for its address, and is sent to no other one', async (t) => {
  const { api_key: _, ...rest } = house
  t.equal((await test({ ...rest, price: { input: 1, output: 1 } })).statusCode, 200)
  keys.length = 0
  t.equal(problemOf(await test({ ...rest, address: `${address}/` })).code, 'model_key_refused')
  t.notOk(keys.includes(right))
})

t.test('only admins connect a model, and only they see how', async (t) => {
  const member = await makePerson(app, 'Mia', 'member')
  const seen = (await send('GET', undefined, member.headers)).json()
  t.match(seen, { answers: 'model', model: 'house-1', stored: null })
  t.equal(problemOf(await send('PUT', house, member.headers)).code, 'insufficient_role')
  t.equal(problemOf(await test(house, member.headers)).code, 'insufficient_role')
  t.equal(problemOf(await send('DELETE', undefined, member.headers)).code, 'insufficient_role')
})

t.test('the credentials of the process are for the admins of the installation', async (t) => {
  const { headers } = await makeWorkspace(app, 'Tenant')
  const ambient = { provider: 'bedrock', region: 'eu-west-1', model: 'eu.anthropic.claude-sonnet-5-5' }
  t.match(problemOf(await test(ambient, headers)), { code: 'model_connection_invalid', errors: [{ pointer: '/api_key' }] })
})

t.test('without the connection the guided conversations answer again', async (t) => {
  t.match((await send('DELETE')).json(), { answers: 'guided', source: null, model: null, stored: null })
  keys.length = 0
  await say()
  t.same(keys, [])
})
