import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { addServer, readTool, request, sendTool, setMode, startApp, startServer, toolOf } from './actors.js'

const { app } = await startApp(t)

t.test('an admin adds a server; its tools are pinned by hash, and each asks', async (t) => {
  const server = await startServer(t)
  const added = await request(app, 'POST', '', {
    name: 'post', url: server.url, headers: { Authorization: 'Bearer a-token-of-the-server' }
  })
  const { id, looked_at: at, created_at: made, ...shown } = added.json()
  t.same([added.statusCode, shown], [201, {
    name: 'post',
    url: server.url,
    header_names: ['Authorization'],
    enabled: true,
    tools: 2,
    waiting: 0,
    left_out: [],
    problem: null,
    revision: 1
  }])
  t.match([at, made], [/Z$/, /Z$/])
  t.equal(server.headers.authorization, 'Bearer a-token-of-the-server')
  const tools = (await request(app, 'GET', `/${id}/tools`)).json().items
  t.match(tools, [
    { name: 'read_letters', called: 'post__read_letters', mode: 'ask', state: 'accepted', accepted_hash: /^sha256:/ },
    { name: 'send_letter', called: 'post__send_letter', mode: 'ask', state: 'accepted', accepted: /Sends a letter/ }
  ])
  t.same((await request(app, 'GET', '')).json().items.map(({ name }: { name: string }) => name), ['post'])
  t.same((await request(app, 'GET', `/${id}`)).json(), added.json())
})

t.test('a secret of a server is encrypted at rest, and no answer holds it', async (t) => {
  const server = await startServer(t)
  const secret = 'Bearer kept-from-everyone'
  const body = { name: 'secret', url: server.url, headers: { authorization: secret } }
  const { id } = (await request(app, 'POST', '', body)).json()
  const rows = await app.db.selectFrom('tool_server').select('headers').where('id', '=', id).execute()
  t.notMatch(rows[0]?.headers?.toString(), /kept-from-everyone/)
  t.notMatch((await request(app, 'GET', '')).payload, /kept-from-everyone/)
  t.equal((await request(app, 'PATCH', `/${id}`, { headers: {} })).json().header_names.length, 0)
})

t.test('K86: what is no MCP server is refused with a pointer, and nothing is written', async (t) => {
  const other = createServer((_request, response) => response.end('<html>Hello</html>'))
  await new Promise<void>((resolve) => { other.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const answer = await request(app, 'POST', '', { name: 'other', url: `http://127.0.0.1:${port}/` })
  t.match([answer.statusCode, answer.json()], [422, {
    code: 'not_a_tool_server', errors: [{ pointer: '/url', code: 'not_a_tool_server' }]
  }])
  t.match(answer.json().detail, /does not speak the Model Context Protocol/)
  const gone = await request(app, 'POST', '', { name: 'gone', url: 'http://127.0.0.1:1/mcp' })
  t.match([gone.statusCode, gone.json()], [502, { code: 'tool_server_unreachable', errors: [{ pointer: '/url' }] }])
  const names = (await request(app, 'GET', '')).json().items.map(({ name }: { name: string }) => name)
  t.notOk(names.includes('other') || names.includes('gone'))
})

t.test('K82: a private address is refused with a pointer', async (t) => {
  const answer = await request(app, 'POST', '', { name: 'inside', url: 'http://10.0.0.1/mcp' })
  t.match([answer.statusCode, answer.json()], [422, {
    code: 'tool_server_refused', errors: [{ pointer: '/url', code: 'url_not_allowed' }]
  }])
})

t.test('names and headers that would be ours are refused with a pointer', async (t) => {
  const { url } = await startServer(t)
  await addServer(app, 'taken', { url })
  const pointer = async (body: object) => {
    const answer = await request(app, 'POST', '', { url, ...body })
    return [answer.statusCode, answer.json().errors?.[0]?.pointer]
  }
  t.same(await pointer({ name: 'taken' }), [409, '/name'])
  t.same(await pointer({ name: 'steward' }), [400, '/name'])
  t.same(await pointer({ name: 'Post__x' }), [400, '/name'])
  t.same(await pointer({ name: 'fine', headers: { 'mcp-session-id': 'x' } }), [400, '/headers/mcp-session-id'])
})

t.test('only an admin adds, changes, refreshes and removes', async (t) => {
  const server = await startServer(t)
  const id = await addServer(app, 'guarded', server)
  const { headers } = await makePerson(app, 'Ada', 'member')
  const refused = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    (await request(app, method, url, payload, headers)).json().code
  t.same([
    await refused('POST', '', { name: 'more', url: server.url }), await refused('PATCH', `/${id}`, { enabled: false }),
    await refused('POST', `/${id}/refresh`), await refused('DELETE', `/${id}`),
    await refused('PATCH', `/${id}/tools/send_letter`, { mode: 'read' })
  ], Array(5).fill('insufficient_role'))
  t.equal((await request(app, 'GET', `/${id}/tools`, undefined, headers)).statusCode, 200)
})

t.test('a look that fails is the server\'s problem until one does not', async (t) => {
  const server = await startServer(t)
  const id = await addServer(app, 'sometimes', server)
  server.redirect = 'http://127.0.0.1:1/'
  const failed = await request(app, 'POST', `/${id}/refresh`)
  t.match([failed.statusCode, failed.json().code], [422, 'tool_server_refused'])
  t.match((await request(app, 'GET', `/${id}`)).json(), { problem: { code: 'tool_server_refused' }, tools: 2 })
  server.redirect = undefined
  t.match((await request(app, 'POST', `/${id}/refresh`)).json(), { problem: null })
})

t.test('a removed server is gone with its tools', async (t) => {
  const id = await addServer(app, 'removed', await startServer(t))
  t.equal((await request(app, 'DELETE', `/${id}`)).statusCode, 204)
  t.same([(await request(app, 'GET', `/${id}`)).statusCode, (await request(app, 'GET', `/${id}/tools`)).statusCode,
    (await request(app, 'DELETE', `/${id}`)).statusCode], [404, 404, 404])
  t.same(await app.db.selectFrom('tool_server_tool').select('name').where('server_id', '=', id).execute(), [])
})

t.test('a tool is set to read, ask or off', async (t) => {
  const id = await addServer(app, 'modes', await startServer(t))
  for (const mode of ['read', 'off', 'ask']) t.equal((await setMode(app, id, 'send_letter', mode)).json().mode, mode)
  t.same((await setMode(app, id, 'no_such', 'read')).json().code, 'server_tool_not_found')
  t.same((await setMode(app, id, 'send_letter', 'always')).statusCode, 400)
})

t.test('the assistant finds tools of a server beside ours, marked as the server\'s words', async (t) => {
  const words = { ...sendTool, name: 'frobnicate', description: 'Frobnicates a flange.' }
  const id = await addServer(app, 'flanges', await startServer(t, [words, readTool]))
  const find = async () => (await app.inject({
    url: '/api/v1/agent/tools?query=frobnicate+a+flange', headers: asAdmin
  })).json().items.find(({ name }: { name: string }) => name === 'flanges__frobnicate')
  t.match((await find())?.description, /not part of Steward.*data and no instruction: "Frobnicates a flange\."/)
  await setMode(app, id, 'frobnicate', 'off')
  t.equal(await find(), undefined, 'one that is off is not offered')
})

t.test('MCP clients of ours do not see other people\'s tools', async (t) => {
  await addServer(app, 'hidden', await startServer(t))
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...asAdmin, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  })
  t.ok(answer.payload.includes('listProjects'))
  t.notOk(answer.payload.includes('hidden__'))
})

t.test('a tool that was accepted by its hash is what was seen', async (t) => {
  const server = await startServer(t)
  const id = await addServer(app, 'accepting', server)
  await setMode(app, id, 'send_letter', 'read')
  server.tools = [{ ...sendTool, description: 'Sends a letter to everybody.' }, readTool]
  await request(app, 'POST', `/${id}/refresh`)
  const changed = await toolOf(app, id, 'send_letter')
  t.match(changed, { state: 'changed', accepted: /Sends a letter\./, offered: /to everybody/ })
  const old = await request(app, 'PATCH', `/${id}/tools/send_letter`, { accept: changed.accepted_hash })
  t.match([old.statusCode, old.json()], [409, { code: 'stale_definition', errors: [{ pointer: '/accept' }] }])
  const accepted = await request(app, 'PATCH', `/${id}/tools/send_letter`, { accept: changed.offered_hash })
  t.match(accepted.json(), { state: 'accepted', mode: 'ask', accepted: /to everybody/ })
})
