import t from '../tap.js'
import { scripted, until } from '../chat.js'
import { sendTool, startServer } from '../routes/toolservers/actors.js'
import { Follower, send } from './crash-client.js'
import { makeWorld } from './crash-steward.js'

t.test('K85: a process that dies between a server\'s call and its answer: unknown, never called again', async (t) => {
  const server = await startServer(t, [sendTool])
  const world = await makeWorld(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const first = await world.start()
  t.equal((await send(first.url, '/tool-servers', { name: 'post', url: server.url })).status, 201)
  const message = scripted(world.anthropic, [
    { content: [{ type: 'tool_use', name: 'post__send_letter', input: { to: 'Ada' } }] },
    { content: [{ type: 'text', text: 'Done.' }] }
  ])
  const client = new Follower(first.url)
  await client.chat(message)
  const { confirmation_id } = await client.until('confirmation_required')
  server.manner = 'hang'
  t.equal((await client.confirm({ session_id: client.sessionId, confirmation_id })).status, 200)
  await until(() => server.calls.length === 1)
  await first.steward.kill()

  const second = await world.start()
  await client.join(second.url)
  t.match(await client.until('tool_result'), { name: 'post__send_letter', status: 'unknown' })
  await client.until('done', ({ final }) => final === true)
  t.same(server.calls, [{ name: 'send_letter', arguments: { to: 'Ada' } }])
})
