import t from '../tap.js'
import { get, send } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** One message of 2026-07-28. @returns its result */
const ask = async (url: string, bearer: string, method: string, params: Record<string, unknown>) => {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${bearer}`,
      'content-type': 'application/json',
      'accept': 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId)
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': tasks
        }
      }
    })
  })
  const { result } = await answer.json() as { result: Record<string, unknown> }
  return result
}

const until = async (read: () => Promise<Record<string, unknown>>, status: string) => {
  for (const end = Date.now() + 30_000; ;) {
    const task = await read()
    if (task.status === status || Date.now() > end) return task
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const title = 'a task of MCP outlives kill -9 before and after its approval, in other processes'

t.test(title, { timeout: 120_000 }, async (t) => {
  const world = await makeWorld(t)
  const first = await world.start()
  await addAccount(first.url)
  const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
  const made = await send(first.url, '/account/tokens', { name: 'mcp', assistant: true, expires_in_days: 1, scopes })
  const { secret } = await made.json() as { secret: string }
  const { items: accounts } = await get(first.url, '/cloud/accounts') as { items: { id: string }[] }
  const service = `${accounts[0]?.id}~eu-west-1~prod~web`
  const call = { name: 'scaleService', arguments: { service, desired_count: 4 } }
  const { taskId, resultType } = await ask(first.url, secret, 'tools/call', call)
  if (resultType !== 'task') throw new Error('The call is no task')
  await first.steward.kill()

  const second = await world.start({ FAULT: 'call.before_send:1' })
  t.match(await ask(second.url, secret, 'tasks/get', { taskId }), { taskId, status: 'working' }, 'it is found again')
  const { items } = await get(second.url, '/api/v1/agent/confirmations') as { items: Record<string, unknown>[] }
  const [{ id: confirmation_id, session_id, input_digest } = {}] = items
  const decision = { session_id, confirmation_id, input_digest, approved: true }
  await send(second.url, '/api/v1/agent/confirm', decision).catch(() => undefined)
  t.same(await second.steward.exited, { code: null, signal: 'SIGKILL' }, 'it died before it sent the write')

  const third = await world.start()
  const done = await until(() => ask(third.url, secret, 'tasks/get', { taskId }), 'completed')
  t.match(done, { taskId, status: 'completed', statusMessage: 'succeeded', result: { isError: false } })
  t.match(done, { result: { structuredContent: { tool_call_id: taskId, status: 'succeeded' } } })
  t.equal(await world.updates(), 1, 'it was done once')
})
