import { Readable } from 'node:stream'
import { buildWire, startOnLoopback, type Outcome, type WireAnswer, type WireRequest } from '../wire.js'

type Json = Record<string, unknown>

/** A tool as a server lists it, and what a call of it answers. */
export interface SandboxTool extends Json {
  name: string
  description?: string
  inputSchema?: unknown
}

/** What the server does with the next calls of tools; each but `answer` is what a broken or hostile one may do. */
export type Manner = 'answer' | 'twice' | 'late' | 'hang' | 'cut' | 'end' | 'refuse' | 'fail' | 'redirect'

/** An MCP server over streamable HTTP, in its own wire protocol, and what a test does to it. */
export interface ToolServerSandbox {
  url: string
  tools: SandboxTool[]
  /** The calls of tools that arrived, in their order. */
  calls: { name: unknown, arguments: unknown }[]
  /** Headers of the last request. */
  headers: Readonly<Record<string, unknown>>
  manner: Manner
  /** Whether replies come as an event stream. */
  streams: boolean
  /** What a call answers. */
  answer: (name: string, args: Json) => Json
  /** Where everything is redirected to; undefined = nowhere. */
  redirect: string | undefined
  /** Requests that arrived, by method of the protocol. */
  asked: string[]
  close: () => Promise<void>
}

const echo = (name: string, args: Json): Json =>
  ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] })

const json = (body: unknown, headers: Record<string, string> = {}): Outcome =>
  ({ status: 200, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

const frame = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`

const events = (...messages: unknown[]): WireAnswer =>
  ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: messages.map(frame).join('') })

const parse = ({ body }: WireRequest): Json => {
  try {
    return Object(JSON.parse(body.toString()))
  } catch {
    return {}
  }
}

class Server {
  constructor (readonly state: Omit<ToolServerSandbox, 'url' | 'close'>) {}

  async dispatch (request: WireRequest): Promise<Outcome> {
    const { state } = this
    state.headers = request.headers
    if (state.redirect !== undefined) return { status: 307, headers: { location: state.redirect }, body: '' }
    if (request.method !== 'POST') return { status: request.method === 'DELETE' ? 200 : 405, headers: {}, body: '' }
    const message = parse(request)
    state.asked.push(String(message.method))
    if (message.id === undefined) return { status: 202, headers: {}, body: '' }
    return this.#answer(message)
  }

  #answer ({ id, method, params }: Json): Outcome {
    const given = Object(params)
    if (method === 'initialize') {
      return this.#reply(id, {
        protocolVersion: given.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'sandbox', version: '1' }
      }, { 'mcp-session-id': 'sandbox-session' })
    }
    if (method === 'tools/list') return this.#reply(id, { tools: this.state.tools })
    if (method === 'tools/call') return this.#call(id, String(given.name), Object(given.arguments))
    return json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  }

  #reply (id: unknown, result: unknown, headers: Record<string, string> = {}): Outcome {
    const message = { jsonrpc: '2.0', id, result }
    if (!this.state.streams) return json(message, headers)
    const answer = events(message)
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }

  #call (id: unknown, name: string, args: Json): Outcome {
    const { state } = this
    state.calls.push({ name, arguments: args })
    const result = state.answer(name, args)
    const message = { jsonrpc: '2.0', id, result }
    const other = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'the second reply' }] } }
    switch (state.manner) {
      case 'twice': return events(message, other)
      case 'late': return events({ jsonrpc: '2.0', id: 'not-asked', result: other.result }, message)
      case 'hang': return { silence: 'hang' }
      case 'cut': return { silence: 'drop' }
      case 'end': return { ...events(), body: Readable.from([': nothing\n\n']) }
      case 'refuse': return json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Not like this' } })
      case 'fail': return this.#reply(id, { ...result, isError: true })
      case 'redirect': return { status: 307, headers: { location: 'http://169.254.169.254/latest/' }, body: '' }
      default: return this.#reply(id, result)
    }
  }
}

/** Starts it on loopback. It imports nothing of the service. */
export const startToolServer = async (tools: SandboxTool[]): Promise<ToolServerSandbox> => {
  const server = new Server({
    tools, calls: [], headers: {}, manner: 'answer', streams: false, answer: echo, redirect: undefined, asked: []
  })
  const app = buildWire({ bodyLimit: 4 * 1_048_576 }, (request) => server.dispatch(request))
  const { url, close } = await startOnLoopback(app, '', {})
  return Object.assign(server.state, { url: `${url}/mcp`, close })
}
