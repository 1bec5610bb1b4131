import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { confirm, startChatApp } from '../../chat.js'
import { marked, read, serviceId, timesScaled } from '../../flows/asking.js'
import { makeToken, makeWorkspace } from '../account/actors.js'
import { sendMessage, type Sent } from './messages.js'

/** The protocol of 2026-07-28, message by message, as its wire has it. */
const steward = await startChatApp(t)
const { app } = steward
const web = await serviceId(app, 'web')
const home = app.workspaces.originOf(app.home.workspace_id)
const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
const assistant = await makeToken(app, asAdmin, scopes, { assistant: true })

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const pages = { ...tasks, elicitation: { url: {} } }

const send = (method: string, params: Record<string, unknown> = {},
  { as = assistant.headers, ...sent }: Sent & { as?: Record<string, string> } = {}) =>
  sendMessage(app, as, method, params, sent)

const propose = async (count: number, capabilities: object = tasks) =>
  (await send('tools/call', { name: 'scaleService', arguments: { service: web, desired_count: count } },
    { capabilities })).result

const decide = async (taskId: string, approved: boolean, more: object = {}) => {
  const { items } = await read(app, '/api/v1/agent/confirmations')
  const item = items.find((one: { tool_call_id: string }) => one.tool_call_id === taskId)
  return confirm(app, { session_id: item.session_id, confirmation_id: item.id, approved, ...more })
}

const stateOf = async (taskId: string, capabilities: object = tasks) =>
  (await send('tasks/get', { taskId }, { capabilities })).result

const until = async (taskId: string, status: string) => {
  for (const end = Date.now() + 20_000; ;) {
    const task = await stateOf(taskId)
    if (task.status === status) return task
    if (Date.now() > end) throw new Error(`It stayed ${JSON.stringify(task)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

t.test('discovery says which versions there are, and that a write may be a task', async (t) => {
  const { status, result } = await send('server/discover')
  t.match([status, result], [200, {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, ...tasks },
    ttlMs: 3_600_000,
    cacheScope: 'public'
  }])
  const list = await send('tools/list')
  t.match(list.result, { ttlMs: 60_000, cacheScope: 'private' })
  t.match(list.result.tools.find(({ name }: { name: string }) => name === 'scaleService'),
    { title: 'Scale a container service', annotations: { readOnlyHint: false, destructiveHint: true } })
  const old = await send('tools/list', {}, { headers: { 'mcp-protocol-version': '2027-01-01' } })
  t.match([old.status, old.id, old.error.code], [400, 7, -32020])
})

t.test('a write that waits for a person is a task, found again by its id, and ends with the outcome', async (t) => {
  const task = await propose(4)
  t.match(marked(task, { task: task.taskId }), {
    resultType: 'task',
    taskId: '<task>',
    status: 'working',
    statusMessage: /^Scale service web .* from 2 to 4: waits for a person in /,
    createdAt: '<time>',
    pollIntervalMs: 5_000
  })
  t.ok(Number.isInteger(task.ttlMs))
  t.equal((await stateOf(task.taskId)).status, 'working')
  const shown = await stateOf(task.taskId, pages)
  const [[key, asked]] = Object.entries(shown.inputRequests) as [[string, { method: string, params: object }]]
  t.match([shown.status, asked], ['input_required', {
    method: 'elicitation/create',
    params: {
      mode: 'url', elicitationId: key, url: `${home}/#/inbox/${key}`, message: /A person decides this/
    }
  }])
  t.match(shown.statusMessage, new RegExp(`waits for a person in ${home}/#/inbox/${key}$`))
  const answered = await send('tasks/update',
    { taskId: task.taskId, inputResponses: { [key]: { action: 'accept', content: { approved: true } } } },
    { capabilities: pages })
  t.same([answered.status, answered.result.resultType], [200, 'complete'])
  t.equal((await stateOf(task.taskId)).status, 'working', 'what a client answers approves nothing')
  t.equal(await timesScaled(steward, web, 4), 0)

  t.equal((await decide(task.taskId, true)).statusCode, 200)
  const done = await until(task.taskId, 'completed')
  t.match(done, { statusMessage: 'succeeded', ttlMs: null, result: { isError: false } })
  t.match(JSON.parse(done.result.content[0].text), { status: 'succeeded', result: { desired_count: 4 } })
  t.equal(await timesScaled(steward, web, 4), 1)
})

t.test('links lead to the page of the question at the host of its own workspace', async (t) => {
  const host = 'tasks.example.com'
  const { headers } = await makeWorkspace(app, 'Tasks', [host])
  const made = await app.inject({
    method: 'POST',
    url: '/account/tokens',
    headers: { ...headers, host },
    payload: { name: 'mcp', scopes: ['agent:read', 'agent:write', 'account:read', 'account:write'], expires_in_days: 1 }
  })
  const as = { authorization: `Bearer ${made.json().secret}`, host }
  const arguments_ = (name: string) => ({ name: 'createProject', arguments: { name } })
  const origin = home.replace(/127\.0\.0\.1|localhost/, host)
  const one = (await send('tools/call', arguments_('One'), { as })).result.structuredContent
  t.equal(one.inbox_url, `${origin}/#/inbox/${one.confirmation_id}`)
  const { result: { taskId } } = await send('tools/call', arguments_('Two'), { as, capabilities: tasks })
  const { result: task } = await send('tasks/get', { taskId }, { as, capabilities: pages })
  const [[key, asked]] = Object.entries(task.inputRequests) as [[string, { params: { url: string } }]]
  t.equal(asked.params.url, `${origin}/#/inbox/${key}`)
  t.ok(task.statusMessage.endsWith(` ${origin}/#/inbox/${key}`))
  const { result: { structuredContent: plan } } = await send('tools/call',
    { name: 'proposePlan', arguments: { calls: [arguments_('Three'), arguments_('Four')] } }, { as })
  t.equal(plan.inbox_url, `${origin}/#/inbox/${plan.steps[0].confirmation_id}/plan`)
  const page = await app.inject({ url: '/', headers: { host } })
  t.match([page.statusCode, page.headers['content-type']], [200, /html/], 'what is before the # is the client')
})

t.test('a rejected write ends as a result that is an error, a cancelled one as cancelled', async (t) => {
  const rejected = await propose(5)
  t.equal((await decide(rejected.taskId, false)).statusCode, 200)
  t.match(await until(rejected.taskId, 'completed'), { statusMessage: 'rejected', result: { isError: true } })
  const left = await propose(6)
  t.same((await send('tasks/cancel', { taskId: left.taskId }, { capabilities: tasks })).status, 200)
  t.match(await until(left.taskId, 'cancelled'), { statusMessage: 'It was cancelled and not executed' })
  const again = await send('tasks/cancel', { taskId: left.taskId }, { capabilities: tasks })
  t.same([again.status, again.error], [200, undefined], 'a task that has ended is acknowledged, too')
  t.equal(await timesScaled(steward, web, 5) + await timesScaled(steward, web, 6), 0)
})

t.test('a task that a person wants changed says how to go on, and what follows is a task too', async (t) => {
  const first = await propose(8)
  t.equal((await decide(first.taskId, false, { changes: 'Two are enough' })).statusCode, 200)
  const ended = await until(first.taskId, 'completed')
  t.equal(ended.result.isError, true)
  t.match(JSON.parse(ended.result.content[0].text), {
    next: /proposeAgain/, result: { code: 'changes_requested', changes: 'Two are enough' }
  })
  const args = { tool_call_id: first.taskId, arguments: { service: web, desired_count: 2 } }
  const { result: next } = await send('tools/call', { name: 'proposeAgain', arguments: args }, { capabilities: tasks })
  t.match(next, { resultType: 'task', status: 'working', statusMessage: /from 4 to 2/ })
  t.equal((await decide(next.taskId, false)).statusCode, 200)
})

t.test('a client without tasks gets the pending approval as before, and no task method', async (t) => {
  const pending = await propose(7, {})
  t.match([pending.resultType, pending.structuredContent.status], ['complete', 'awaiting_approval'])
  const taskId = pending.structuredContent.tool_call_id
  const get = await send('tasks/get', { taskId })
  t.match(get.error, { code: -32021, data: { requiredCapabilities: tasks } })
  t.equal((await decide(taskId, false)).statusCode, 200)
})

t.test('tasks that are not there, or another person\'s, are the same error; a header that names another is refused',
  async (t) => {
    const missing = '01900000-0000-7000-8000-000000000000'
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const taskId of [missing, 'no id']) {
        const answer = await send(method, { taskId, inputResponses: {} }, { capabilities: tasks })
        t.match(answer, { id: 7, error: { code: -32602, message: 'There is no such task' } }, `${method} ${taskId}`)
      }
      const other = await send(method, { taskId: missing }, { capabilities: tasks, headers: { 'mcp-name': 'other' } })
      t.match(other, { status: 400, id: 7, error: { code: -32020 } })
    }
  })

t.test('what is malformed is an error of JSON-RPC, with the request\'s id where it has one', async (t) => {
  const raw = async (payload: string) => {
    const types = { 'content-type': 'application/json', 'accept': 'application/json, text/event-stream' }
    const headers = { ...assistant.headers, ...types }
    const answer = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
    return [answer.statusCode, answer.json()]
  }
  t.same(await raw('{"jsonrpc":'), [400, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }])
  t.match(await raw('{"hello":1}'), [400, { error: { code: -32600 } }])
  t.match(await raw('[]'), [400, { error: { code: -32600 } }])
  const waits = await send('tools/call', { name: 'getToolCall', arguments: { tool_call_id: '0', wait_s: 'zz' } })
  t.match([waits.result.isError, JSON.parse(waits.result.content[0].text)],
    [true, { code: 'arguments_invalid', errors: [{ pointer: '/tool_call_id' }] }])
})

t.test('a page of another name is refused, whatever Host it sends', async (t) => {
  const from = async (origin: string, host: string) =>
    (await send('tools/list', {}, { headers: { origin, host, 'sec-fetch-site': 'same-origin' } })).status
  t.equal(await from('http://evil.example', 'evil.example'), 403)
  t.equal(await from('null', '127.0.0.1:3000'), 403)
  t.equal(await from(new URL(app.config.publicUrl).origin, '127.0.0.1:3000'), 200)
  t.equal(await from('http://localhost:6274', 'localhost:3000'), 200)
})
