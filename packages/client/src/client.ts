import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './openapi.js'
import { follow } from './follow.js'
import type { Frame } from './frames.js'
import { problemOf, unexpectedAnswer, type Problem } from './problem.js'
import { sender, type SendOptions } from './send.js'

/** The schemas of openapi.yaml by name. */
export type Schemas = components['schemas']

export interface StewardOptions extends SendOptions {
  /** Where Steward is, such as https://steward.example.com; a path before it stays. */
  baseUrl: string
  /** Whether a browser sends its cookie; as for `fetch`. */
  credentials?: RequestInit['credentials']
}

export interface FollowRequest {
  signal?: AbortSignal
  /** Goes on after this event. */
  lastId?: string
  /** Headers of the answer, such as Steward-Run-Id. */
  onOpen?: (response: Response) => void
  /** The connection ended early, and is made again. */
  onBreak?: (failures: number, problem: Problem | undefined) => void
}

export interface ChatOptions extends FollowRequest {
  /** The same message with the same key is sent once. */
  idempotencyKey?: string
}

export interface Steward {
  /** Every operation by method and path: `api.GET('/account/me')`. Its errors come back; `body` throws them. */
  api: Client<paths>
  baseUrl: string
  /** Sends a request with the credentials. @throws Problem only when there is no answer */
  send: (path: string, init?: RequestInit) => Promise<Response>
  /** Says something to the assistant, and follows the run until it has ended, or waits for an approval. */
  chat: (message: Schemas['ChatRequest'], options?: ChatOptions) => AsyncGenerator<Frame<Schemas['ChatEvent']>>
  /** Follows a GET whose answer is a stream. */
  follow: <E>(path: string, request?: FollowRequest & { isLast?: (event: E) => boolean }) => AsyncGenerator<Frame<E>>
}

interface Answered<T> { data?: T, response: Response, error?: unknown }

/** @returns the body of a successful response. @throws Problem for any other, or when there is none */
export const body = async <T>(pending: Promise<Answered<T>>): Promise<NonNullable<T>> => {
  const { data, response, error } = await pending.catch((reason: unknown) => { throw problemOf(reason) })
  if (!response.ok) throw problemOf(error, response)
  // A 204 has no body; its callers ignore the value.
  return data as NonNullable<T>
}

const isEnd = (event: Schemas['ChatEvent']): boolean => event.type === 'done'

/** openapi-fetch reads each answer as JSON, and a page to sign in is none. @throws Problem */
const requireJson = (response: Response): Response => {
  if (response.ok && /^text\/html\b/.test(response.headers.get('content-type') ?? '')) throw unexpectedAnswer(response)
  return response
}

/** @returns the API of a Steward, and its streams */
export const createSteward = ({ baseUrl: url, credentials, ...options }: StewardOptions): Steward => {
  const baseUrl = url.replace(/\/$/, '')
  const request = sender(options)
  const own = credentials && { credentials }
  const stream = (path: string, lastId: string | undefined, signal?: AbortSignal, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('accept', 'text/event-stream')
    if (lastId !== undefined) headers.set('last-event-id', lastId)
    return request(new Request(`${baseUrl}${path}`, { ...own, ...init, headers, ...(signal && { signal }) }), false)
  }
  return {
    baseUrl,
    api: createClient<paths>({ ...own, baseUrl, fetch: async (sent) => requireJson(await request(sent)) }),
    send: (path, init) => request(new Request(`${baseUrl}${path}`, { ...own, ...init })),
    chat: (message, { idempotencyKey = crypto.randomUUID(), ...rest } = {}) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
      const init = { method: 'POST', headers, body: JSON.stringify(message) }
      const open = (lastId: string | undefined) => stream('/api/v1/agent/chat', lastId, rest.signal, init)
      return follow({ ...rest, isLast: isEnd, open })
    },
    follow: (path, rest = {}) => follow({ ...rest, open: (lastId) => stream(path, lastId, rest.signal) })
  }
}
