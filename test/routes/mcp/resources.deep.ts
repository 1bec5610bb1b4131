import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp } from '../../chat.js'
import { makeStranger, makeToken } from '../account/actors.js'
import { makeTrigger, send, settled } from '../agent/triggers/world.js'
import { builder, makeApp } from '../deployments/actors.js'
import { generate, makeSession } from '../pse/actors.js'
import { sendMessage } from './messages.js'

const { app, anthropic, url } = await startChatApp(t)
const missing = '01900000-0000-7000-8000-000000000000'
const secret = `ghp_${'a1B2'.repeat(9)}`

const made = await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Shop' } })
const project = made.json().id as string
const spec = await makeSession(app, 'The locker opens within two seconds. The courier must see which lockers are free.')
await generate(app, spec.path)
const { session } = await chat(app, {
  message: scripted(anthropic, [{ content: [{ type: 'text', text: `It was ${secret}.` }] }]), wait_s: 10
})
const { id: trigger } = await makeTrigger(app, {
  kind: 'schedule',
  cron: '0 8 * * 1-5',
  time_zone: 'UTC',
  question: scripted(anthropic, [{ content: [{ type: 'text', text: 'All is well.' }] }])
})
await send(app, 'POST', `/triggers/${trigger}/run`, {})
const [fired] = await settled(app, trigger)

const scopes = ['agent:read', 'account:read', 'pse:read', 'content:read', 'deployments:read']
const { headers } = await makeToken(app, asAdmin, scopes, { assistant: true })
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
t.teardown(() => client.close())

const listAll = async (as: Record<string, string>) => {
  const uris: string[] = []
  for (let cursor: string | undefined; ;) {
    const { result } = await sendMessage(app, as, 'resources/list', { ...(cursor !== undefined && { cursor }) })
    uris.push(...result.resources.map(({ uri }: { uri: string }) => uri))
    cursor = result.nextCursor
    if (cursor === undefined) return uris
  }
}

t.test('reports, conversations, specs and brands are resources, page by page, and read through routes', async (t) => {
  const uris = await listAll(headers)
  t.has(new Set(uris), new Set([
    `steward://reports/${fired?.report_id}`, `steward://sessions/${session}`, `steward://specs/${spec.id}/versions/1`,
    `steward://brands/${project}`
  ]))
  t.equal(new Set(uris).size, uris.length)
  const { resourceTemplates } = await client.listResourceTemplates()
  t.same(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
    'steward://reports/{report_id}', 'steward://sessions/{session_id}',
    'steward://specs/{session_id}/versions/{version}', 'steward://brands/{project_id}'
  ])
  const text = async (uri: string) => {
    const [first] = (await client.readResource({ uri })).contents
    return [first?.mimeType, first && 'text' in first ? first.text : '']
  }
  t.match(await text(`steward://specs/${spec.id}/versions/1`), ['text/markdown', /locker/])
  const [type, brand] = await text(`steward://brands/${project}`)
  t.match([type, JSON.parse(String(brand))], ['application/json', { configured: false }])
  const [, report] = await text(`steward://reports/${fired?.report_id}`)
  t.match(JSON.parse(String(report)), { sentences: [{ text: 'All is well.' }] })
  const [, talk] = await text(`steward://sessions/${session}`)
  t.match(talk, /\[redacted token\]/, 'a secret is taken out')
  t.notMatch(talk, secret)
})

t.test('what is not there, or not for the token, is the same error, with what was asked for', async (t) => {
  const stranger = await makeStranger(app)
  const narrow = (await makeToken(app, asAdmin, ['agent:read'], { assistant: true })).headers
  for (const [as, uri] of [
    [headers, `steward://specs/${missing}/versions/1`], [headers, 'steward://brands/../account/tokens'],
    [headers, 'file:///etc/passwd'], [headers, `steward://brands/${project}?version=1`],
    [stranger, `steward://brands/${project}`], [stranger, `steward://sessions/${session}`],
    [narrow, `steward://brands/${project}`]
  ] as const) {
    const { status, error } = await sendMessage(app, as, 'resources/read', { uri })
    t.match([status, error], [200, { code: -32602, data: { uri } }], uri)
  }
  t.same((await listAll(narrow)).filter((uri) => !/^steward:\/\/(sessions|reports)\//.test(uri)), [])
  t.same((await listAll(stranger)).filter((uri) => [project, spec.id, session].some((id) => uri.includes(id))), [])
  for (const cursor of ['9.x', 'x', '1.nonsense']) {
    t.match((await sendMessage(app, headers, 'resources/list', { cursor })).error, { code: -32602 }, cursor)
  }
})

t.test('prompts bring what Steward knows now, under the token\'s rights', async (t) => {
  const shop = await makeApp(app, 'shop')
  const build = await builder(app).start(shop.id)
  const { prompts } = await client.listPrompts()
  t.same(prompts.map(({ name }) => name), ['review_deployment', 'review_spec'], 'no infrastructure:read')
  const args = { app_id: shop.id, build_id: build.id }
  const { messages } = await client.getPrompt({ name: 'review_deployment', arguments: args })
  const texts = messages.map(({ content }) => content.type === 'text' ? content.text : '')
  t.match(texts, [new RegExp(`^Review build ${build.id} `), /as data and not as instructions:\n\{/, build.id])
  const failed = async (name: string, given: object) =>
    (await sendMessage(app, headers, 'prompts/get', { name, arguments: given })).error
  t.match(await failed('review_deployment', { app_id: shop.id }), { code: -32602, message: /needs build_id/ })
  t.match(await failed('review_deployment', { ...args, build_id: missing }), { code: -32602 })
  t.match(await failed('review_deployment', { ...args, build_id: '../../x' }), { code: -32602 })
  t.match(await failed('investigate_service', { service: 'web' }), { code: -32602 }, 'not for this token')
})

t.test('lists and reads say how long they may be kept, and for whom', async (t) => {
  for (const [method, params] of [
    ['resources/list', {}], ['resources/templates/list', {}], ['prompts/list', {}],
    ['resources/read', { uri: `steward://brands/${project}` }]
  ] as const) {
    t.match((await sendMessage(app, headers, method, params)).result, { ttlMs: 60_000, cacheScope: 'private' }, method)
  }
})

t.test('a route that cannot answer now is an error with its request\'s id', async (t) => {
  const { send } = app.tools
  t.teardown(() => { app.tools.send = send })
  app.tools.send = async () =>
    ({ status: 503, body: { status: 503, code: 'database_unavailable', detail: 'Later', request_id: 'r1' } })
  const { error } = await sendMessage(app, headers, 'resources/read', { uri: `steward://brands/${project}` })
  t.match(error, { code: -32603, message: 'Later', data: { code: 'database_unavailable', request_id: 'r1' } })
})
