import { performCall, type End, type ProviderCall } from '../../db/effects.js'
import { CodehostBadResponse, CodehostError, CodehostTimeout } from '../../schemas/codehost/errors.js'
import { ApiError } from '../../schemas/errors.js'
import { isNeverSent, isRefusal } from '../outbound/errors.js'
import { rateLimited } from './errors.js'

const failuresToOpen = 10
const openMs = 5_000
const brokenCodes = new Set(['codehost_timeout', 'codehost_error'])

/**
 * Refuses requests of a token while the code host limits it (going on may get the integration banned), and requests to
 * a host that has failed ten times in a row.
 */
export class CircuitBreaker {
  readonly #limited = new Map<string, number>()
  #failures = 0
  #open: { until: number, error: ApiError } | undefined

  /**
   * @param identity the token, and the kind of requests that have a limit of their own
   * @throws codehost_rate_limited while it is limited; the last failure while the breaker is open
   */
  requireClosed (identity: string): void {
    const left = (this.#limited.get(identity) ?? 0) - Date.now()
    if (left > 0) throw rateLimited(Math.ceil(left / 1_000))
    this.#limited.delete(identity)
    if (this.#open && this.#open.until > Date.now()) throw this.#open.error
  }

  recordSuccess (): void {
    this.#failures = 0
    this.#open = undefined
  }

  recordFailure (identity: string, error: ApiError): void {
    if (error.code === 'codehost_rate_limited') {
      this.#limited.set(identity, Date.now() + Number(error.members.retry_after) * 1_000)
    }
    if (!brokenCodes.has(error.code)) return this.recordSuccess()
    this.#failures++
    if (this.#failures >= failuresToOpen) this.#open = { until: Date.now() + openMs, error }
  }
}

export interface TransportSettings {
  /** Requests go to this origin and to no other, whatever an answer says. */
  api: string
  timeoutMs: number
  maxBytes: number
}

const maxRedirects = 3
const redirects = new Set([301, 302, 307, 308])

const tooLarge = () => CodehostBadResponse('The answer of the code host is too large')

/** @returns the whole body. @throws codehost_bad_response when it is too large; the fetch's error when it was cut */
const readAll = async (response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const toFailure = (error: unknown, signal: AbortSignal, answered: boolean): Error => {
  if (error instanceof ApiError) return error
  if (signal.aborted) return CodehostTimeout()
  return answered ? CodehostBadResponse('The answer of the code host was cut') : CodehostError()
}

/** @returns where the redirect leads. @throws codehost_bad_response when that is another origin or no URL at all */
const targetOf = (response: Response, from: string, api: string): string => {
  const location = response.headers.get('location') ?? ''
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (target?.origin !== new URL(api).origin) throw CodehostBadResponse('The code host redirects to somewhere else')
  return target.href
}

const isUndone = (end: End<Response>): boolean =>
  'error' in end ? isNeverSent(end.error) : isRefusal(end.value.status)

const describe = (url: string, init: RequestInit) => (end: End<Response>): ProviderCall => ({
  provider: 'codehost',
  operation: `${init.method} ${new URL(url).pathname}`,
  request_id: 'value' in end ? end.value.headers.get('x-github-request-id') : null,
  status: 'value' in end ? end.value.status : null
})

/** One request on the wire; one that may change something passes the point of no return. */
const send = (url: string, init: RequestInit): Promise<Response> => {
  // Only queries of GraphQL are sent, which change nothing.
  const reads = init.method === undefined || /^(GET|HEAD)$/i.test(init.method) || new URL(url).pathname.endsWith('/graphql')
  return reads ? fetch(url, init) : performCall(() => fetch(url, init), isUndone, describe(url, init))
}

/** A file of the host, or where it keeps it. */
export type FileAnswer = { status: number, headers: Record<string, string>, body: string } | { location: string }

/** Asks for a file that the host may keep at another origin: that address is only told, since it shall get no token. */
export const askFile = async (url: string, headers: Record<string, string>, maxBytes: number, timeoutMs: number): Promise<FileAnswer> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (redirects.has(response.status) && location !== null) {
      await response.body?.cancel()
      return { location: new URL(location, url).href }
    }
    const body = new TextDecoder().decode(await readAll(response, maxBytes))
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  } catch (error) {
    throw toFailure(error, signal, false)
  }
}

/**
 * A fetch for octokit, which by itself waits for ever, follows redirects to anywhere and takes a cut answer for an
 * empty one. Bodies come whole or not at all, and are called JSON: what is none ends as text, which no shape fits.
 */
export const createFetch = ({ api, timeoutMs, maxBytes }: TransportSettings): typeof fetch => {
  const attempt = async (url: string, init: RequestInit, left: number, signal: AbortSignal): Promise<Response> => {
    let answered = false
    try {
      const response = await send(url, { ...init, redirect: 'manual', signal })
      answered = true
      if (redirects.has(response.status)) {
        await response.body?.cancel()
        const target = targetOf(response, url, api)
        if (left === 0) throw CodehostBadResponse('The code host redirects in circles')
        return await attempt(target, init, left - 1, signal)
      }
      const body = await readAll(response, maxBytes)
      const headers = new Headers(response.headers)
      headers.set('content-type', 'application/json')
      const bodiless = [204, 205, 304].includes(response.status)
      return new Response(bodiless ? null : body, { status: response.status, headers })
    } catch (error) {
      throw toFailure(error, signal, answered)
    }
  }
  return (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    return attempt(url, init, maxRedirects, AbortSignal.timeout(timeoutMs))
  }
}
