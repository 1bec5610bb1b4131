import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { confirm, openChat } from '../../chat.js'
import { read, serviceId } from '../../flows/asking.js'
import { makeToken } from '../account/actors.js'
import { sendMessage } from './messages.js'

const { app } = await openChat(t)
const web = await serviceId(app, 'web')
const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
const { headers } = await makeToken(app, asAdmin, scopes, { assistant: true })

const propose = async (count: number): Promise<string> => {
  const params = { name: 'scaleService', arguments: { service: web, desired_count: count } }
  return (await sendMessage(app, headers, 'tools/call', params)).result.structuredContent.tool_call_id
}

const decide = async (callId: string) => {
  const { items } = await read(app, '/api/v1/agent/confirmations')
  const item = items.find((one: { tool_call_id: string }) => one.tool_call_id === callId)
  return confirm(app, { session_id: item.session_id, confirmation_id: item.id, approved: false })
}

const fetchCall = (tool_call_id: string, wait_s: number) =>
  ({ name: 'getToolCall', arguments: { tool_call_id, wait_s } })

t.test('who waits for an outcome and asks for progress hears where the call stands', async (t) => {
  const callId = await propose(4)
  const waits = sendMessage(app, headers, 'tools/call', fetchCall(callId, 30), { meta: { progressToken: 'p1' } })
  setTimeout(() => { decide(callId).catch(t.threw) }, 200)
  const { notes, id, result } = await waits
  t.match(notes, [{
    method: 'notifications/progress',
    params: { progressToken: 'p1', progress: 0, total: 30, message: 'The call is awaiting' }
  }])
  t.match([id, result.structuredContent.status], [7, 'rejected'])
})

t.test('who does not ask for it gets one answer', async (t) => {
  const callId = await propose(5)
  const { notes, result } = await sendMessage(app, headers, 'tools/call', fetchCall(callId, 1))
  t.match([notes, result.structuredContent.status], [[], 'awaiting'])
})

t.test('before 2026-07-28 progress comes as a stream, too', async (t) => {
  const callId = await propose(6)
  const payload = {
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { ...fetchCall(callId, 1), _meta: { progressToken: 9 } }
  }
  const answer = await app.inject({
    method: 'POST', url: '/mcp', headers: { ...headers, accept: 'application/json, text/event-stream' }, payload
  })
  t.match(answer.headers['content-type'], /^text\/event-stream/)
  const messages = [...answer.payload.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
  t.match(messages, [{ params: { progressToken: 9, progress: 0, total: 1 } }, { id: 3, result: { content: [{}] } }])
})
