import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { performCall, type End } from '../../../db/effects.js'
import { stewardVersion } from '../../../lib/openapi/version.js'
import { notAllowed, OutboundError, isNeverSent, isRefusal } from '../../../lib/outbound/errors.js'
import { maxTools } from '../../../schemas/toolservers/servers.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'

export type Outbound = Pick<FastifyInstance, 'outbound'>

export interface Peer { url: string, headers: Record<string, string> }

/** A session with a server: one look at its tools, and one call at most. */
export interface Session {
  listTools: () => Promise<Tool[]>
  /** @throws ToolRefused when the tool was not run; anything else when that is not known */
  callTool: (tool: Tool, args: Record<string, unknown>) => Promise<CallToolResult>
}

/** The server refused the call, or it never reached the server: nothing was done. */
export class ToolRefused extends Error {}

const lookMs = 15_000
const callMs = 100_000
const maxLookBytes = 4 * 1_048_576
const maxCallBytes = 1_048_576
const maxPages = 10
/** A reply that has been read is handed on within this time after the answer has ended. */
const graceMs = 1_000

/** The client is loaded when the first server is asked. */
const loadClient = () => import('@modelcontextprotocol/client')

const methodIn = (body: unknown): string | undefined => {
  if (typeof body !== 'string') return undefined
  try {
    return textIn(JSON.parse(body), 'method')
  } catch {
    return undefined
  }
}

/** What the client takes for the network. Nothing but the server's own address is asked, and a tool is called once. */
class Wire {
  #called = false
  readonly #stop = new AbortController()
  #lose: (error: Error) => void = () => {}
  /** Rejects when the answer to the call has ended, and there was no reply in it. */
  readonly lost: Promise<never>
  /** Why the last request failed: the client hides it in words of its own. */
  failure: unknown

  constructor (private readonly deps: Outbound, private readonly peer: Peer) {
    this.lost = new Promise((_resolve, reject) => { this.#lose = reject })
    this.lost.catch(() => undefined)
  }

  stop (): void {
    this.#stop.abort(new Error('The session has ended'))
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init
    // A server has nothing to say unasked.
    if (method !== 'POST' && method !== 'DELETE') return new Response(null, { status: 405 })
    const calls = methodIn(body) === 'tools/call'
    if (calls && this.#called) throw new Error('A tool is called once')
    this.#called ||= calls
    try {
      return await this.#send(new URL(url), method, init, calls)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  async #send (url: URL, method: 'POST' | 'DELETE', { body, headers, signal }: RequestInit, calls: boolean) {
    if (url.href !== new URL(this.peer.url).href) throw notAllowed('Only the server\'s own address is asked')
    const own = Object.entries(this.peer.headers).map(([name, value]) => [name.toLowerCase(), value])
    const answer = await this.deps.outbound.open({
      url: this.peer.url,
      method,
      headers: { ...Object.fromEntries(own), ...Object.fromEntries(new Headers(headers)) },
      ...(typeof body === 'string' && { body }),
      maxBytes: calls ? maxCallBytes : maxLookBytes,
      signal: AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])])
    })
    if (answer.status >= 300 && answer.status < 400) throw notAllowed('It redirects to another address')
    return this.#toResponse(answer, calls)
  }

  #toResponse ({ status, headers, body }: Awaited<ReturnType<Outbound['outbound']['open']>>, calls: boolean): Response {
    const kept = ['content-type', 'mcp-session-id'].flatMap((name): [string, string][] =>
      headers[name] === undefined ? [] : [[name, headers[name]]])
    if (status === 204 || status === 205) return new Response(null, { status, headers: kept })
    return new Response(calls ? this.#watch(body) : body, { status, headers: kept })
  }

  async * #watch (body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    let failure: unknown
    try {
      yield * body
    } catch (error) {
      this.failure = failure = error
      throw error
    } finally {
      const lost = failure instanceof Error ? failure : new Error('The answer ended without a reply')
      setTimeout(() => this.#lose(lost), graceMs).unref()
    }
  }
}

/** No schema of a server is compiled for its answers: they are only shown. */
const anything = { getValidator: () => (data: unknown) => ({ valid: true as const, data, errorMessage: undefined }) }

const start = async (wire: Wire, { url }: Peer) => {
  const { Client, StreamableHTTPClientTransport } = await loadClient()
  const client = new Client({ name: 'steward', version: stewardVersion }, {
    capabilities: {},
    listMaxPages: maxPages,
    versionNegotiation: { mode: 'auto' },
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: anything as never
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: wire.fetch,
    reconnectionOptions: {
      maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1
    }
  })
  await client.connect(transport, { timeout: lookMs })
  return { client, transport }
}

type Started = Awaited<ReturnType<typeof start>>

/** An error of JSON-RPC is the server's own word that it refused. */
const isRefused = (error: unknown): boolean => {
  if (isNeverSent(error)) return true
  if (error instanceof OutboundError && error.code === 'url_not_allowed') return true
  const { name, status } = fieldsOf(error)
  return name === 'ProtocolError' || isRefusal(typeof status === 'number' ? status : undefined)
}

/** A result that says that it is an error is the server's own word that the tool failed. */
const isUndone = (end: End<CallToolResult>): boolean =>
  'error' in end ? isRefused(end.error) : end.value.isError === true

const call = async (client: Client, wire: Wire, tool: Tool, args: Record<string, unknown>): Promise<CallToolResult> => {
  const { outputSchema: _, ...toolDefinition } = tool
  const asked = client.callTool({ name: tool.name, arguments: args }, { timeout: callMs, toolDefinition })
  // What comes after the end is ignored.
  asked.catch(() => undefined)
  return Promise.race([asked, wire.lost])
}

const sessionOf = (client: Client, wire: Wire): Session => ({
  async listTools () {
    const { tools } = await client.listTools(undefined, { timeout: lookMs, cacheMode: 'bypass' })
    if (tools.length > maxTools) throw new Error(`It has more than ${maxTools} tools`)
    return tools
  },
  async callTool (tool, args) {
    try {
      return await performCall(() => call(client, wire, tool, args), isUndone, (end) => ({
        provider: 'mcp', operation: tool.name, request_id: null, status: 'error' in end ? null : 200
      }))
    } catch (error) {
      throw isRefused(error) ? new ToolRefused(String(textIn(error, 'message')), { cause: error }) : error
    }
  }
})

/** Ends the session at the server as well, without waiting for it; then nobody waits for an answer any more. */
const end = ({ client, transport }: Started, wire: Wire): void => {
  const timer = setTimeout(() => wire.stop(), 2_000).unref()
  transport.terminateSession().catch(() => undefined).finally(() => {
    clearTimeout(timer)
    wire.stop()
    client.close().catch(() => undefined)
  })
}

/** Does something in a session of its own. @throws what the work throws; what `start` throws, by its own reason */
export const withSession = async <T>(deps: Outbound, peer: Peer, work: (session: Session) => Promise<T>):
Promise<T> => {
  const wire = new Wire(deps, peer)
  let started: Started | undefined
  try {
    started = await start(wire, peer).catch((error: unknown) => { throw wire.failure ?? error })
    return await work(sessionOf(started.client, wire))
  } finally {
    if (started) end(started, wire)
    else wire.stop()
  }
}
