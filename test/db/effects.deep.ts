import { once } from 'node:events'
import { createConnection } from 'node:net'
import t from '../tap.js'
import { isRecording } from '../../db/effects.js'
import { asAdmin } from '../app.js'
import { chat, scripted, startChatApp } from '../chat.js'

const { app, anthropic, url } = await startChatApp(t)
const headers = { ...asAdmin, 'content-type': 'application/json' }
const until = async (isSo: () => boolean | Promise<boolean>) => {
  for (let i = 0; !await isSo() && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10))
}

t.test('an open stream of a chat keeps no record of writes in use', async (t) => {
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'a text' }], chunk: 1, delay_ms: 100 }])
  const leave = new AbortController()
  const answer = await fetch(`${url}/api/v1/agent/chat`, {
    method: 'POST', headers, body: JSON.stringify({ message }), signal: leave.signal
  })
  t.equal(answer.status, 200)
  t.equal(isRecording(), false)
  leave.abort()
})

t.test('a tool of the assistant, and a write that is refused or fails, leave no record in use', async (t) => {
  const message = scripted(anthropic, [
    { content: [{ type: 'tool_use', name: 'listClusters', input: {} }] },
    { content: [{ type: 'text', text: 'That is all.' }] }
  ])
  await chat(app, { message })
  for (const payload of [{ name: 'Recorded' }, { name: 'Recorded' }, { name: 1 }]) {
    await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload })
  }
  t.equal(isRecording(), false)
})

t.test('a client that left before its answer leaves no record in use', async (t) => {
  const body = JSON.stringify({ name: 'Left' })
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  const lines = ['POST /account/projects HTTP/1.1', 'host: steward', `authorization: ${asAdmin.authorization}`,
    'content-type: application/json', `content-length: ${body.length}`, '', body]
  socket.write(lines.join('\r\n'), () => socket.destroy())
  await once(socket, 'close')
  const isThere = async () => (await app.inject({ url: '/account/projects', headers: asAdmin })).body.includes('"Left"')
  await until(isThere)
  await until(() => !isRecording())
  t.same([await isThere(), isRecording()], [true, false])
})
