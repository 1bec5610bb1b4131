import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { confirm, startChatApp } from '../../chat.js'
import { marked, read, serviceId, timesScaled } from '../../flows/asking.js'
import { makePerson, makeToken, origin } from '../account/actors.js'
import { allScopes } from '../../../schemas/account/scopes.js'

/** What tools of the test answer, in their text. */
type Answer = Record<string, unknown> & { tool_call_id: string, confirmation_id: string }

const steward = await startChatApp(t)
const { app, url } = steward
const web = await serviceId(app, 'web')

const connect = async (headers: Record<string, string>, query = '') => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }))
  t.teardown(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args }) as CallToolResult
    const [first] = result.content
    return { ...result, body: JSON.parse(first?.type === 'text' ? first.text : 'null') as Answer }
  }
  return { client, call }
}

/** The official client reads all pages of a list. */
const listAll = async (of: Client) => (await of.listTools()).tools

const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
const assistant = await makeToken(app, asAdmin, scopes, { assistant: true })
const { client, call } = await connect(assistant.headers)

/** The count with which the tests after it begin. */
const scaleBack = () => app.inject({
  method: 'POST',
  url: `/infrastructure/containers/services/${encodeURIComponent(web)}/scale`,
  headers: asAdmin,
  payload: { desired_count: 3 }
})

t.test('it says who it is and offers the assistant\'s tools, by the token\'s scopes', async (t) => {
  t.match(client.getServerVersion(), { name: 'steward', title: 'Steward' })
  t.match(client.getInstructions(), /approval/)
  const tools = await listAll((await connect(assistant.headers, '?toolsets=all')).client)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const [token] = await app.db.selectFrom('account_token').select('user_id').where('id', '=', assistant.id).execute()
  const principal = {
    workspace_id: app.home.workspace_id,
    user_id: token?.user_id ?? '',
    name: '',
    role: 'admin' as const,
    bindings: null,
    scopes,
    via: 'token' as const,
    via_id: null
  }
  const names = app.tools.list(principal).map(({ name }) => name)
    .filter((name) => name !== 'findTools' && name !== 'getToolCall')
  const own = ['getToolCall', 'proposeAgain', 'proposePlan', 'getPlan']
  t.same([...byName.keys()], [...names, ...own], 'and what a client that waits needs')
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

t.test('without a word about it, the list has the core and a search that finds the rest', async (t) => {
  const whole = await makeToken(app, asAdmin, [...allScopes.filter((scope) => scope !== 'approvals:write')], { assistant: true })
  const { client: core, call } = await connect(whole.headers)
  const tools = await listAll(core)
  // Four bytes are about one token: the issue allows 8,000.
  t.ok(JSON.stringify(tools).length < 32_000, `${JSON.stringify(tools).length} bytes of ${tools.length} tools`)
  t.notOk(tools.some(({ name }) => name === 'listServerlessFunctionVersions' || name === 'replaceBrand'))
  const found = await call('findTools', { query: 'stop the rollout of a service that hangs' })
  const cancel = (found.body.tools as { name: string }[]).find(({ name }) => name === 'cancelServiceDeployment')
  t.match(cancel, { call_with: 'proposeWith', inputSchema: { type: 'object', required: ['service', 'deployment_id'] } })
  const projects = await call('readWith', { name: 'listProjects', arguments: {} })
  t.same(projects.body, (await app.inject({ url: '/account/projects', headers: whole.headers })).json())
  const asked = await call('proposeWith', { name: 'createProject', arguments: { name: 'Found' } })
  t.match(asked.body, { status: 'awaiting_approval', executed: false, summary: /Found/ })
  const { session_id } = await read(app, `/api/v1/agent/confirmations/${asked.body.confirmation_id}`)
  await confirm(app, { session_id, confirmation_id: asked.body.confirmation_id, approved: false })
  t.match([await call('readWith', { name: 'createProject', arguments: { name: 'Read' } })].map(({ isError, body }) => [isError, body]),
    [[true, { code: 'tool_kind', detail: 'createProject writes: call it with proposeWith' }]])
  t.match((await call('readWith', { name: 'nothing', arguments: {} })).body, { code: 'unknown_tool' })
  t.match((await call('findTools', { words: 'x' })).body, { code: 'arguments_invalid' })
})

t.test('a client may ask for areas, and for reads alone, by address or by header', async (t) => {
  const token = await makeToken(app, asAdmin, [...allScopes.filter((scope) => scope !== 'approvals:write')], { assistant: true })
  const names = async (of: Client) => (await listAll(of)).map(({ name }) => name)
  const reads = await connect(token.headers, '?toolsets=infrastructure,cloud&readonly=true')
  const listed = await names(reads.client)
  t.ok(listed.includes('listClusters') && listed.includes('getCosts'))
  t.same((await listAll(reads.client)).filter(({ annotations }) => annotations?.readOnlyHint !== true), [])
  t.notOk(listed.includes('listProjects') || listed.includes('findTools'))
  await t.rejects(reads.call('scaleService', { service: web, desired_count: 4 }), { code: -32602 })
  await t.rejects(reads.call('listProjects'), { code: -32602 })
  const byHeader = await connect({ ...token.headers, 'x-mcp-toolsets': 'cloud, infrastructure', 'x-mcp-readonly': 'true' })
  t.same(await names(byHeader.client), listed)
  const all = await connect(token.headers, '?toolsets=all')
  const page = async (cursor?: string) => (await app.inject({
    method: 'POST',
    url: '/mcp?toolsets=all',
    headers: { ...token.headers, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { ...(cursor !== undefined && { cursor }) } }
  })).json()
  const { result: { tools, nextCursor } } = await page()
  t.equal(tools.length, 100)
  const rest = (await page(nextCursor)).result
  t.same([...tools, ...rest.tools].map(({ name }: { name: string }) => name), await names(all.client))
  t.match((await page('nowhere')).error, { code: -32602 })
  for (const [query, more, pointer] of [
    ['?toolsets=clouds', {}, '/toolsets'], ['?readonly=perhaps', {}, '/readonly'], ['?toolset=all', {}, '/toolset'],
    ['', { 'x-mcp-toolsets': 'clouds' }, '/headers/x-mcp-toolsets'], ['', { 'x-mcp-readonly': 'yes' }, '/headers/x-mcp-readonly']
  ] as const) {
    const answer = await app.inject({
      method: 'POST',
      url: `/mcp${query}`,
      headers: { ...token.headers, ...more, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    })
    t.match([answer.statusCode, answer.json()], [400, { errors: [{ pointer }] }], `${query} ${Object.keys(more).join()}`)
  }
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
    risk_because: ['More tasks cost more; fewer carry less load'],
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

t.test('a person asks for changes: the client reads the words, and proposes again on the same thread', async (t) => {
  const first = (await call('scaleService', { service: web, desired_count: 9 })).body
  const again = (args: object, id = first.tool_call_id) => call('proposeAgain', { tool_call_id: id, arguments: args })
  t.match([(await again({ service: web, desired_count: 3 })).body], [{ code: 'changes_not_requested' }], 'too soon')
  const [{ session_id }] = (await read(app, '/api/v1/agent/confirmations')).items
  const changes = 'Three tasks are enough'
  const decision = { session_id, confirmation_id: first.confirmation_id, approved: false, changes }
  const outcome = call('getToolCall', { tool_call_id: first.tool_call_id, wait_s: 60 })
  t.equal((await confirm(app, decision)).statusCode, 200)
  t.match((await outcome).body, {
    status: 'rejected', result: { code: 'changes_requested', changes }, next: /Call proposeAgain with this tool_call_id/
  })
  const unfit = await again({ service: web, desired_count: -1 })
  t.match([unfit.isError, unfit.body], [true, { code: 'tool_call_refused', cause: { code: 'arguments_invalid' } }])
  const open = await call('proposeAgain', { tool_call_id: first.tool_call_id })
  t.match([open.isError, open.body], [true, { code: 'arguments_invalid', errors: [{ pointer: '/arguments' }] }])

  const second = (await again({ service: web, desired_count: 3 })).body
  t.match(second, { status: 'awaiting_approval', executed: false, preview: [{ before: '4', after: '3' }] })
  const [asked] = (await read(app, '/api/v1/agent/confirmations')).items
  t.match(asked, { id: second.confirmation_id, thread_id: first.confirmation_id, name: 'scaleService' })
  const thread = await read(app, `/api/v1/agent/confirmations/${second.confirmation_id}/thread`)
  t.match(thread.items, [
    { id: first.confirmation_id, status: 'rejected', changes, arguments: { desired_count: 9 } },
    { id: second.confirmation_id, status: 'pending', changes: null, arguments: { desired_count: 3 } }
  ])
  await confirm(app, { session_id: asked.session_id, confirmation_id: asked.id, approved: true })
  t.match((await call('getToolCall', { tool_call_id: second.tool_call_id, wait_s: 60 })).body, { status: 'succeeded' })
  t.equal(await timesScaled(steward, web, 9), 0)
  t.equal(await timesScaled(steward, web, 3), 1)
})

t.test('writes that are proposed together form a plan, which the client reads and never decides', async (t) => {
  const search = await serviceId(app, 'search')
  const scaled = (service: string, desired_count: number) =>
    ({ name: 'scaleService', arguments: { service, desired_count } })
  const proposal = { calls: [scaled(web, 6), scaled(search, 6), scaled(web, 7)] }
  const asked = await call('proposePlan', proposal)
  // As the tool's output schema has it; a wrong guess fails below.
  const pending = asked.body as unknown as { steps: { tool_call_id: string, confirmation_id: string }[] }
  t.same(asked.structuredContent, pending)
  t.match(pending, {
    status: 'awaiting_approval',
    executed: false,
    steps: [
      { step: 1, name: 'scaleService', status: 'awaiting', preview: [{ before: '3', after: '6' }], risk: 'medium' },
      { step: 2, name: 'scaleService', status: 'awaiting', preview: [{ before: '1', after: '6' }] },
      { step: 3, name: 'scaleService', status: 'awaiting', confirmation_id: null }
    ]
  })
  const ids = pending.steps.map(({ tool_call_id }) => tool_call_id)
  const again = (await call('proposePlan', proposal)).body as unknown as typeof pending
  t.same(again.steps.map(({ tool_call_id }) => tool_call_id), ids, 'proposed again while it waits, it is the same')
  const plans = await Promise.all(ids.map(async (id) => (await call('getPlan', { tool_call_id: id })).body))
  const plan: Record<string, unknown> = plans[0] ?? {}
  t.same(plans, [plan, plan, plan], 'each of its calls leads to it')
  t.match(plan, { missing: 1, steps: [{}, {}, { preview: [{ before: '6', after: '7' }], undo: 'Scale it back to 6' }] })

  const url = `/api/v1/agent/confirmations/${pending.steps[0]?.confirmation_id}/steps`
  const decide = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url, headers, payload: { approved: true, input_digest: plan.input_digest } })
  const own = await decide(assistant.headers)
  t.match([own.statusCode, own.json()], [403, { code: 'assistant_token' }])
  t.equal(await timesScaled(steward, web, 6), 0)
  t.equal((await decide(asAdmin)).statusCode, 200)
  t.match((await call('getToolCall', { tool_call_id: ids[2], wait_s: 60 })).body, { status: 'succeeded' })
  t.match((await call('getPlan', { tool_call_id: ids[1] })).body, {
    status: 'succeeded', steps: ids.map((tool_call_id) => ({ tool_call_id, status: 'succeeded', stopped: null }))
  })
  t.same(await Promise.all([timesScaled(steward, web, 6), timesScaled(steward, web, 7)]), [1, 1])

  const alone = (await call('scaleService', { service: web, desired_count: 1 })).body
  t.match((await call('getPlan', { tool_call_id: alone.tool_call_id })).body,
    { status: 'awaiting', name: 'scaleService' })
  const [{ session_id }] = (await read(app, '/api/v1/agent/confirmations')).items
  await confirm(app, { session_id, confirmation_id: alone.confirmation_id, approved: false })
  await scaleBack()
})

t.test('a plan with a step that cannot be asked proposes nothing', async (t) => {
  const fit = { name: 'scaleService', arguments: { service: web, desired_count: 9 } }
  for (const [wrong, code] of [
    [{ ...fit, arguments: { service: web, desired_count: -1 } }, 'tool_call_refused'],
    [{ name: 'listClusters', arguments: {} }, 'tool_only_reads'],
    [{ name: 'launchRockets', arguments: {} }, 'tool_not_found']
  ] as const) {
    const answer = await call('proposePlan', { calls: [fit, wrong] })
    t.match([answer.isError, answer.body], [true, { code, ...(code === 'tool_call_refused' && { step: 2 }) }])
  }
  const one = await call('proposePlan', { calls: [fit] })
  t.match([one.isError, one.body], [true, { code: 'arguments_invalid', errors: [{ pointer: '/calls' }] }])
  t.same((await read(app, '/api/v1/agent/confirmations')).items, [])
})

t.test('nobody goes on with the thread of another person, nor without the right to propose', async (t) => {
  const first = (await call('scaleService', { service: web, desired_count: 8 })).body
  const [{ session_id }] = (await read(app, '/api/v1/agent/confirmations')).items
  await confirm(app, { session_id, confirmation_id: first.confirmation_id, approved: false, changes: 'Fewer' })
  const args = { tool_call_id: first.tool_call_id, arguments: { service: web, desired_count: 2 } }
  const stranger = await makePerson(app, 'Stranger', 'member')
  const other = await connect((await makeToken(app, stranger.headers, scopes, { assistant: true })).headers)
  const refused = await other.call('proposeAgain', args)
  t.match([refused.isError, refused.body], [true, { status: 404, code: 'tool_call_not_found' }])
  const mayRead = await connect((await makeToken(app, asAdmin, ['agent:read', 'infrastructure:read'])).headers)
  await t.rejects(mayRead.call('proposeAgain', args), { code: -32602 })
  t.same((await read(app, '/api/v1/agent/confirmations')).items, [])
})

t.test('without a token of ours: 401, and where to read what is taken', async (t) => {
  const payload = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const send = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/mcp', payload, headers })
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`
  const none = await send({})
  t.same([none.statusCode, none.headers['www-authenticate']],
    [401, `Bearer realm="steward", resource_metadata="${metadataUrl}"`])
  const wrong = await send({ authorization: 'Bearer nonsense' })
  t.same([wrong.statusCode, wrong.headers['www-authenticate']],
    [401, `Bearer realm="steward", error="invalid_token", resource_metadata="${metadataUrl}"`])
  const metadata = await app.inject('/.well-known/oauth-protected-resource/mcp')
  t.match(metadata.json(),
    { resource: `${origin}/mcp`, authorization_servers: [origin], bearer_methods_supported: ['header'] })
  const foreign = await send({ ...asAdmin, origin: 'https://elsewhere.example' })
  t.equal(foreign.statusCode, 403)
  await t.rejects(connect({ authorization: 'Bearer nonsense' }), { message: /unauthenticated/ })
  const event = await app.inject({ url: '/mcp', headers: asAdmin })
  t.same([event.statusCode, event.headers.allow], [405, 'POST'])
})
