import { pause, retryDelay } from './follow.js'
import { problemOf } from './problem.js'

/** A token, or what returns it: after it was refused as expired, with `true`. */
export type TokenSource = string | ((expired: boolean) => string | undefined | Promise<string | undefined>)

export interface SendOptions {
  /** Without one a browser's cookie counts. */
  token?: TokenSource
  fetch?: (request: Request) => Promise<Response>
  /** Added to each request. */
  headers?: Record<string, string>
  /** How often a request is repeated that was not answered, or was refused with a Retry-After; default 2. */
  retries?: number
}

export type Send = (request: Request, repeat?: boolean) => Promise<Response>

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const maxWaitMs = 30_000

/** @returns how long the answer asks to wait before the same request, undefined for an answer that counts */
const waitOf = (response: Response): number | undefined => {
  if (response.status !== 429 && response.status !== 503) return undefined
  const { retryAfterMs } = problemOf(undefined, response)
  return retryAfterMs !== undefined && retryAfterMs <= maxWaitMs ? retryAfterMs : undefined
}

const isExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false
  const body: unknown = await response.clone().json().catch(() => undefined)
  return ['token_expired', 'unauthenticated'].includes(problemOf(body, response).code)
}

/** @returns makes a request any number of times, of one body: a clone would make a stream of it */
const copies = async (request: Request): Promise<() => Request> => {
  const bytes = request.body ? await request.arrayBuffer() : undefined
  return () => new Request(request, bytes && { body: bytes })
}

/**
 * @returns what sends a request with the credentials. A write gets an Idempotency-Key, so that its repetition after a
 * broken connection does nothing twice. @throws Problem when there is no answer
 */
export const sender = (options: SendOptions): Send => {
  const { token, headers = {}, retries = 2 } = options
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const authorize = async (request: Request, expired: boolean) => {
    const secret = typeof token === 'function' ? await token(expired) : token
    if (secret !== undefined) request.headers.set('authorization', `Bearer ${secret}`)
  }
  const prepare = async (request: Request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    if (retries > 0 && writes.has(request.method) && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', crypto.randomUUID())
    }
    await authorize(request, false)
  }
  const renewed = async (request: Request, copy: () => Request): Promise<Response> => {
    const response = await send(copy())
    if (typeof token !== 'function' || !await isExpired(response)) return response
    await authorize(request, true)
    return send(copy())
  }
  const repeated = async (request: Request, most: number): Promise<Response> => {
    const copy = await copies(request)
    for (let failures = 0; ; failures++) {
      const response = await renewed(request, copy).catch((error: unknown) => {
        const problem = problemOf(error)
        if (failures >= most || request.signal.aborted || problem.code !== 'unreachable') throw problem
      })
      const wait = response ? waitOf(response) : retryDelay(failures)
      if (response && (failures >= most || wait === undefined)) return response
      await response?.body?.cancel()
      await pause(wait ?? 0, request.signal)
    }
  }
  return async (request, repeat = true) => {
    await prepare(request)
    const most = repeat ? retries : 0
    // Nothing is to be sent twice: as it is, whatever its body.
    const isOnce = most === 0 && typeof token !== 'function'
    return (isOnce ? send(request) : repeated(request, most)).catch((error: unknown) => { throw problemOf(error) })
  }
}
