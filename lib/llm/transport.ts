import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'

/** @returns the whole body */
export const collect = async (message: http.IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const toHeaders = (message: http.IncomingMessage): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  return headers
}

const toResponse = async (message: http.IncomingMessage): Promise<Response> => {
  const init = { status: message.statusCode, headers: toHeaders(message) }
  const body = await collect(message)
  return new Response(body.length > 0 && init.status !== 204 ? body : null, init)
}

/** Where requests go and what they say of themselves: made once for many. */
export interface Destination {
  isSecure: boolean
  hostname: string | null | undefined
  port: string | number | null | undefined
  path: string | null | undefined
  /**
   * A flat list of names and values. Node writes a list out as it is; of headers in an object it keeps a copy for as
   * long as the connection lives, a third of all that a call costs in memory.
   */
  headers: readonly string[]
}

export const destinationOf = (url: string, headers: Headers): Destination => {
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url))
  const named = new Headers(headers)
  named.set('host', new URL(url).host)
  if (auth && !named.has('authorization')) named.set('authorization', `Basic ${Buffer.from(auth).toString('base64')}`)
  return { isSecure: protocol === 'https:', hostname, port, path, headers: [...named].flat() }
}

export interface Sent {
  method?: string | undefined
  /** In parts that are one body together. */
  body: readonly Uint8Array[]
  signal?: AbortSignal | null | undefined
  /** Ends the request with an error once nothing came for so long, in ms. */
  idle?: { ms: number, onIdle: () => void }
}

/** Sends a request. @returns the answer as soon as it has its headers */
export type Send = (destination: Destination, sent: Sent) => Promise<http.IncomingMessage>

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/** Not as an option of the request: node would watch its whole life for it, with a dozen listeners. */
const endBySignal = (signal: AbortSignal, request: http.ClientRequest): void => {
  const end = () => { request.destroy(new Error('aborted')) }
  signal.addEventListener('abort', end)
  request.once('close', () => signal.removeEventListener('abort', end))
  if (signal.aborted) end()
}

const endWhenIdle = (onIdle: () => void, request: http.ClientRequest): void => {
  request.once('timeout', () => {
    onIdle()
    request.destroy(new Error('idle'))
  })
}

const answerOf = (request: http.ClientRequest): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => { request.once('response', resolve).on('error', reject) })

const write = (request: http.ClientRequest, body: readonly Uint8Array[]): void => {
  request.cork()
  for (const part of body) request.write(part)
  request.end()
}

/**
 * The model client's way to the provider, over node:http. The platform's fetch costs more than the rest of a streamed
 * token: its body is a web stream, with a promise or more for each chunk. Redirects are not followed.
 * @param lookup how names are resolved, where not every address may be dialled
 */
export const createTransport = (lookup?: LookupFunction) => {
  const options = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' as const }
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  // The functions that make its listeners do not see the body: it can be forgotten as soon as it is sent.
  const send: Send = (destination, { method = 'GET', body, signal, idle }) => {
    const { isSecure, hostname, port, path, headers } = destination
    const request = (isSecure ? https : http).request({
      hostname,
      port,
      path,
      method,
      headers: body.length > 0 ? [...headers, 'content-length', String(lengthOf(body))] : headers,
      agent: isSecure ? agents.https : agents.http,
      timeout: idle?.ms,
      ...(lookup && { lookup })
    })
    const answer = answerOf(request)
    if (idle) endWhenIdle(idle.onIdle, request)
    if (signal) endBySignal(signal, request)
    write(request, body)
    return answer
  }
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    // The client sends JSON, as text or as bytes, or nothing.
    const body = init.body ? [Buffer.from(init.body as string | Uint8Array)] : []
    const destination = destinationOf(url, new Headers(init.headers))
    return toResponse(await send(destination, { method: init.method, body, signal: init.signal }))
  }
  return {
    send,
    fetch: fetch as typeof globalThis.fetch,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    }
  }
}
