import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../lib/listen.js'
import { callModel, type ToolCall, type Turn } from './relay-upstream.js'

/** Where the two relays differ: what they keep, and what their tool does. */
export interface Keeper {
  begin: (message: string) => Promise<string>
  runTool: (sessionId: string, call: ToolCall) => Promise<string>
  finish: (sessionId: string, turn: Turn) => Promise<void>
  list: () => Promise<string>
}

/** Frames of one tick leave in one write. */
const writer = (res: ServerResponse) => {
  let held = ''
  const flush = () => { res.write(held); held = '' }
  return (type: string, data: string) => {
    if (held === '') process.nextTick(flush)
    held += `event: ${type}\ndata: {"type":"${type}",${data}}\n\n`
  }
}

const chat = async (keeper: Keeper, message: string, res: ServerResponse) => {
  const sessionId = await keeper.begin(message)
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = writer(res)
  const messages: object[] = [{ role: 'user', content: message }]
  const onText = (text: string) => send('content', `"text":${JSON.stringify(text)}`)
  let turn = await callModel(messages, onText)
  while (turn.tool) {
    const { id, name, json } = turn.tool
    send('tool_call', `"id":"${id}","name":"${name}","arguments":${json}`)
    const result = await keeper.runTool(sessionId, turn.tool)
    send('tool_result', `"id":"${id}","name":"${name}","result":${result}`)
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: JSON.parse(json) }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] })
    turn = await callModel(messages, onText)
  }
  await keeper.finish(sessionId, turn)
  send('done', `"session_id":"${sessionId}","stop_reason":"${turn.stopReason}","output_tokens":${turn.outputTokens}`)
  process.nextTick(() => res.end())
}

const answer = async (keeper: Keeper, req: IncomingMessage, res: ServerResponse, body: string) => {
  if (req.method === 'POST') return chat(keeper, JSON.parse(body).message, res)
  const text = req.url === '/ready' ? '{}' : await keeper.list()
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  res.end(text)
}

/** Serves POST /chat, GET /sessions and GET /ready. */
export const serve = (keeper: Keeper): void => listen(createServer((req, res) => {
  let body = ''
  req.setEncoding('utf8')
  req.on('data', (part: string) => { body += part })
  req.on('end', () => answer(keeper, req, res, body).catch((error) => {
    console.error(error)
    res.destroy()
  }))
}))
