import http from 'node:http'
import https from 'node:https'

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

export interface Sent {
  method?: string | undefined
  headers?: Record<string, string>
  /** In parts that are one body together. */
  body: readonly Uint8Array[]
  signal?: AbortSignal | null | undefined
}

/** Sends a request. @returns the answer as soon as it has its headers */
export type Send = (url: string, sent: Sent) => Promise<http.IncomingMessage>

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0)

const toSent = (init: RequestInit): Sent => ({
  method: init.method,
  headers: init.headers instanceof Headers ? Object.fromEntries(init.headers) : init.headers as Record<string, string>,
  // The client sends JSON, as text or as bytes, or nothing.
  body: init.body ? [Buffer.from(init.body as string | Uint8Array)] : [],
  signal: init.signal
})

/**
 * The model client's way to the provider, over node:http. The platform's fetch costs more than the rest of a streamed
 * token: its body is a web stream, with a promise or more for each chunk. Redirects are not followed.
 */
export const createTransport = () => {
  const options = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' as const }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  const send: Send = (url, { method = 'GET', headers, body, signal }) => new Promise((resolve, reject) => {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const request = (protocol === 'https:' ? https : http).request(url, {
      method,
      headers: { ...headers, ...(body.length > 0 && { 'content-length': lengthOf(body) }) },
      agent: agents[protocol]
    })
    request.once('response', resolve).on('error', reject)
    // Not as an option: node would watch the request's whole life for it, with a dozen listeners.
    const abort = () => request.destroy(new Error('aborted'))
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    request.cork()
    for (const part of body) request.write(part)
    request.end()
  })
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    toResponse(await send(input instanceof Request ? input.url : String(input), toSent(init)))
  return {
    send,
    fetch: fetch as typeof globalThis.fetch,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    }
  }
}
