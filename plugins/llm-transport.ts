import http from 'node:http'
import https from 'node:https'

/** The bodies of streamed answers, which their Response does not hold. */
const bodies = new WeakMap<Response, http.IncomingMessage>()

/** @returns the body of a streamed answer of this transport; undefined for any other Response */
export const streamOf = (response: Response): http.IncomingMessage | undefined => bodies.get(response)

const collect = async (message: http.IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const toHeaders = (message: http.IncomingMessage): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  return headers
}

const toResponse = async (message: http.IncomingMessage): Promise<Response> => {
  const init = { status: message.statusCode, headers: toHeaders(message) }
  if (init.status === 200 && message.headers['content-type']?.startsWith('text/event-stream')) {
    const response = new Response(null, init)
    bodies.set(response, message)
    return response
  }
  const body = await collect(message)
  return new Response(body.length > 0 && init.status !== 204 ? body : null, init)
}

/**
 * A fetch over node:http for the model client. The platform's own costs more than the rest of a streamed token:
 * its body is a web stream, with a promise or more for each chunk. Redirects are not followed.
 */
export const createTransport = () => {
  const options = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' as const }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  const request = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
      const headers =
        init.headers instanceof Headers ? Object.fromEntries(init.headers) : (init.headers as Record<string, string>)
      const { signal } = init
      const sent = (protocol === 'https:' ? https : http).request(url, {
        method: init.method ?? 'GET',
        headers,
        agent: agents[protocol],
        ...(signal ? { signal } : {})
      })
      sent.once('response', (message) => {
        toResponse(message).then(resolve, reject)
      })
      sent.once('error', reject)
      // The client sends JSON, as text or as bytes, or nothing.
      sent.end(init.body as string | Uint8Array | undefined)
    })
  return {
    fetch: request as typeof fetch,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    }
  }
}
