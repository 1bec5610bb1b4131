import { Agent, request } from 'node:http'

export interface ToolCall { id: string, name: string, json: string }
export interface Turn { text: string, tool?: ToolCall, stopReason: string, outputTokens: number }

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 4096 })
const target = new URL('/v1/messages', process.env.MODEL_URL)
const options = {
  agent, method: 'POST', host: target.hostname, port: target.port, path: target.pathname
}

const read = (turn: Turn, frame: string, onText: (text: string) => void) => {
  const data = JSON.parse(frame.slice(frame.indexOf('data: ') + 6))
  if (data.type === 'content_block_delta') {
    if (data.delta.type !== 'text_delta') {
      if (turn.tool) turn.tool.json += data.delta.partial_json
      return
    }
    turn.text += data.delta.text
    onText(data.delta.text)
  } else if (data.type === 'content_block_start' && data.content_block.type === 'tool_use') {
    turn.tool = { id: data.content_block.id, name: data.content_block.name, json: '' }
  } else if (data.type === 'message_delta') {
    turn.stopReason = data.delta.stop_reason
    turn.outputTokens = data.usage.output_tokens
  }
}

/** One streamed call of the Messages API, parsed by hand. */
export const callModel = (messages: object[], onText: (text: string) => void): Promise<Turn> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({
      model: 'bench',
      max_tokens: 4096,
      stream: true,
      messages,
      tools: [{ name: 'listProjects', description: 'List projects', input_schema: { type: 'object', properties: {} } }]
    })
    const length = Buffer.byteLength(body)
    const headers = { 'content-type': 'application/json', 'content-length': length, 'x-api-key': 'bench' }
    const req = request({ ...options, headers }, (res) => {
      const turn: Turn = { text: '', stopReason: '', outputTokens: 0 }
      let rest = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        const text = rest + chunk
        let from = 0
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
          read(turn, text.slice(from, end), onText)
          from = end + 2
        }
        rest = text.slice(from)
      })
      res.on('end', () => turn.stopReason ? resolve(turn) : reject(new Error(`model answered ${res.statusCode}`)))
      res.on('error', reject)
    })
    req.on('error', reject)
    req.end(body)
  })
