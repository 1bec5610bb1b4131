import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './lib/listen.js'
import { textTurn, toolTurn, wholeMessage } from './model/frames.js'
import { pace } from './model/pacer.js'
import { readScript } from './protocol.js'

let calls = 0

const json = (res: ServerResponse, status: number, body: string) => {
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  res.end(body)
}

const stream = (res: ServerResponse, script: ReturnType<typeof readScript>) => {
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', 'request-id': `req_${calls}` }
  res.writeHead(200, headers)
  const { socket } = res
  socket?.cork()
  process.nextTick(() => socket?.uncork())
  res.flushHeaders()
  if (script.rate > 0) return pace(res, script.tokens, script.rate)
  const tool = script.tool !== '' && !script.answered
  // Written below the response, because the buffers are rendered with their chunk headers already.
  socket?.write(tool ? toolTurn(`toolu_bench_${calls}`, script.tool) : textTurn(script.tokens))
  res.end()
}

const answer = (req: IncomingMessage, res: ServerResponse, body: Buffer) => {
  const path = req.url?.split('?')[0]
  if (path === '/calls') return json(res, 200, String(calls))
  if (path === '/v1/messages/count_tokens') return json(res, 200, '{"input_tokens":10}')
  if (path !== '/v1/messages') return json(res, 404, '{"type":"error","error":{"type":"not_found_error"}}')
  calls += 1
  const script = readScript(body)
  if (!script.stream) return json(res, 200, wholeMessage)
  stream(res, script)
}

const server = createServer((req, res) => {
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => parts.push(part))
  req.on('end', () => answer(req, res, parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
})
listen(server)
