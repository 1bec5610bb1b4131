import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { asAdmin } from '../../app.js'
import { confirm, startChatApp } from '../../chat.js'
import { marked, read, serviceId, timesScaled } from '../../flows/asking.js'
import { makePerson, makeToken } from '../account/actors.js'

/** What tools of the test answer, in their text. */
type Answer = Record<string, unknown> & { tool_call_id: string, confirmation_id: string }

const steward = await startChatApp(t)
const { app, url } = steward
const web = await serviceId(app, 'web')

const connect = async (headers: Record<string, string>) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  t.teardown(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args }) as CallToolResult
    const [first] = result.content
    return { ...result, body: JSON.parse(first?.type === 'text' ? first.text : 'null') as Answer }
  }
  return { client, call }
}

const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
const assistant = await makeToken(app, asAdmin, scopes, { assistant: true })
const { client, call } = await connect(assistant.headers)

t.test('it says who it is and offers the assistant\'s tools, by the token\'s scopes', async (t) => {
  t.match(client.getServerVersion(), { name: 'steward', title: 'Steward' })
  t.match(client.getInstructions(), /approval/)
  const { tools } = await client.listTools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const [token] = await app.db.selectFrom('account_token').select('user_id').where('id', '=', assistant.id).execute()
  const principal = {
    workspace_id: app.home.workspace_id,
    user_id: token?.user_id ?? '',
    name: '',
    role: 'admin' as const,
    scopes,
    via: 'token' as const,
    via_id: null
  }
  const names = app.tools.list(principal).map(({ name }) => name)
    .filter((name) => name !== 'findTools' && name !== 'getToolCall')
  t.same([...byName.keys()], [...names, 'getToolCall'], 'in the words of a client that waits for outcomes')
  t.same(byName.get('listClusters')?.annotations,
    { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true })
  t.match(byName.get('scaleService'), {
    description: /Asks a person first/,
    annotations: { readOnlyHint: false },
    inputSchema: { type: 'object', required: ['service', 'desired_count'], additionalProperties: false }
  })
  t.notOk(byName.has('listCloudAccounts'))

  const reader = await connect((await makeToken(app, asAdmin, ['infrastructure:read'])).headers)
  const offered = (await reader.client.listTools()).tools
  t.ok(offered.length > 0)
  t.same(offered.filter(({ annotations }) => annotations?.readOnlyHint !== true), [])
})

t.test('a viewer is offered what reads, and cannot call what writes', async (t) => {
  const person = await makePerson(app, 'Viewer', 'viewer')
  const viewer = await connect((await makeToken(app, person.headers, scopes)).headers)
  const { tools } = await viewer.client.listTools()
  t.ok(tools.length > 0)
  t.same(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true), [])
  await t.rejects(viewer.call('scaleService', { service: web, desired_count: 4 }), { code: -32602 })
})

t.test('a read answers at once, through its route', async (t) => {
  const clusters = await call('listClusters')
  t.notOk(clusters.isError)
  t.same(clusters.body, await read(app, '/infrastructure/containers/clusters'))
  const wrong = await call('listClusterServices', { cluster: 'nowhere' })
  t.match([wrong.isError, wrong.body], [true, { status: 404, code: 'cluster_not_found' }])
  const unfit = await call('listClusterServices', { cluster: 'prod', colour: 'red' })
  t.match([unfit.isError, unfit.body], [true, { code: 'arguments_invalid', errors: [{ code: 'unknown_field' }] }])
  await t.rejects(call('nothing'), { code: -32602, message: /Unknown tool: nothing/ })
})

t.test('a write asks; a person approves it in the inbox; its result is fetched', async (t) => {
  const asked = await call('scaleService', { service: web, desired_count: 4 })
  const pending = asked.body
  t.same(asked.structuredContent, pending)
  const names = { call: pending.tool_call_id, confirmation: pending.confirmation_id }
  t.match(marked(pending, names), {
    status: 'awaiting_approval',
    executed: false,
    tool_call_id: '<call>',
    confirmation_id: '<confirmation>',
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4',
    preview: [{ label: 'Desired count', before: '2', after: '4' }],
    risk: 'medium',
    expires_at: '<time>'
  })
  const early = await call('getToolCall', { tool_call_id: pending.tool_call_id })
  t.match(early.body, { status: 'awaiting', result: null })
  t.equal(await timesScaled(steward, web, 4), 0)

  const [item] = (await read(app, '/api/v1/agent/confirmations')).items
  t.equal(item.id, pending.confirmation_id)
  const decision = { session_id: item.session_id, confirmation_id: item.id, approved: true }
  const own = await confirm(app, decision, assistant.headers)
  t.match([own.statusCode, own.json()], [403, { code: 'assistant_token' }], 'the token cannot approve what it asks')
  const outcome = call('getToolCall', { tool_call_id: pending.tool_call_id, wait_s: 60 })
  t.equal((await confirm(app, decision)).statusCode, 200)
  t.match((await outcome).body, { status: 'succeeded', http_status: 200, result: { desired_count: 4, changed: true } })
  t.equal(await timesScaled(steward, web, 4), 1)

  const refused = await call('scaleService', { service: web, desired_count: -1 })
  t.match([refused.isError, refused.body], [true, { code: 'tool_call_refused', cause: { code: 'arguments_invalid' } }])
})

t.test('without a token of ours: 401, and where to read what is taken', async (t) => {
  const payload = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const send = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/mcp', payload, headers })
  const metadataUrl = `${app.config.publicUrl}/.well-known/oauth-protected-resource/mcp`
  const none = await send({})
  t.same([none.statusCode, none.headers['www-authenticate']],
    [401, `Bearer realm="steward", resource_metadata="${metadataUrl}"`])
  const wrong = await send({ authorization: 'Bearer nonsense' })
  t.same([wrong.statusCode, wrong.headers['www-authenticate']],
    [401, `Bearer realm="steward", error="invalid_token", resource_metadata="${metadataUrl}"`])
  const metadata = await app.inject('/.well-known/oauth-protected-resource/mcp')
  t.match(metadata.json(), { resource: `${app.config.publicUrl}/mcp`, bearer_methods_supported: ['header'] })
  const foreign = await send({ ...asAdmin, origin: 'https://elsewhere.example' })
  t.equal(foreign.statusCode, 403)
  await t.rejects(connect({ authorization: 'Bearer nonsense' }), { code: 401 })
  const event = await app.inject({ url: '/mcp', headers: asAdmin })
  t.same([event.statusCode, event.headers.allow], [405, 'POST'])
})
