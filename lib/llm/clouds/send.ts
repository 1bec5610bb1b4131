import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { APIError } from '@anthropic-ai/sdk'
import type { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { Answered, SendStreamed } from '../client.js'
import { modelBroken } from '../errors.js'
import { destinationOf, toHeaders, type Send, type Sent } from '../transport.js'

/** How models are reached that a cloud serves. */
export interface Road {
  /** @param apiKey of a workspace or of the installation; undefined = by the credentials of this process */
  clientFor: (apiKey: string | undefined) => BaseAnthropic
  /** @returns whether the refusal says that credentials have expired which were good before */
  hasExpired: (error: APIError) => boolean
  /** Forgets the credentials that are held: the next call looks for them again. */
  renew: () => void
}

/** Where the cloud is asked; every cloud reads of it what it needs. */
export interface CloudOptions {
  /** Instead of the cloud's own address. */
  baseURL: string | undefined
  region: string
  /** Of Google Cloud. */
  project: string
  /** Of AWS, assumed by the credentials of this process. */
  role?: { arn: string, externalId: string, endpoint: string | undefined } | undefined
  /** Of Google Cloud, instead of what its library finds. */
  serviceAccount?: { client_email: string, private_key: string } | undefined
}

/** What every client has: repetitions and time-outs are ours, and nothing is written into a log or a trace. */
export const common = { maxRetries: 0, timeout: 3_600_000, logLevel: 'off', openTelemetry: false } as const

/** Which call a request belongs to: the client makes the request, and hands on neither its silence nor its end. */
const current = new AsyncLocalStorage<Sent>()

/** The way of a cloud's client to the network: ours, with an answer that is read as it comes. */
export const fetchStreamed = (send: Send): typeof globalThis.fetch => async (input, init = {}) => {
  const url = input instanceof Request ? input.url : String(input)
  const { signal, idle } = current.getStore() ?? {}
  // The clients send JSON, as text.
  const body = [Buffer.from(init.body as string)]
  const answer = await send(destinationOf(url, new Headers(init.headers)), { method: 'POST', body, signal, idle })
  // The same stream, as the two type libraries name it.
  const stream = Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0]
  return new Response(stream, { status: answer.statusCode, headers: toHeaders(answer) })
}

/** Credentials are looked for before anything is sent, which may take for ever, too. */
const withDeadline = async <T>(work: Promise<T>, { signal, idle }: Sent): Promise<T> => {
  const over = new AbortController()
  const given = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true, signal: over.signal })
    if (!idle) return
    const timer = setTimeout(() => {
      idle.onIdle()
      reject(new Error('idle'))
    }, idle.ms)
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    return await Promise.race([work, given])
  } finally {
    over.abort()
  }
}

const requestIds = ['request-id', 'x-amzn-requestid']

const post = async (client: BaseAnthropic, body: string, sent: Sent): Promise<Answered> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await withDeadline(current.run(sent, () =>
    client.post('/v1/messages', { body, headers, stream: true }).asResponse()), sent)
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  if (!answer.body) throw modelBroken()
  const stream = Readable.fromWeb(answer.body as ReadableStream)
  if (!isStream) {
    stream.on('error', () => undefined).resume()
    throw modelBroken()
  }
  const requestId = requestIds.map((name) => answer.headers.get(name)).find((id) => id !== null) ?? null
  return { body: stream, requestId }
}

/**
 * Calls through a cloud's own client, which signs the request and reads the frames of the answer. Credentials that
 * have expired before their time are looked for again, once.
 */
export const makeSendThrough = (road: Road, client: BaseAnthropic): SendStreamed => async (sent) => {
  const body = Buffer.concat(sent.body).toString()
  sent.signal?.throwIfAborted()
  try {
    return await post(client, body, sent)
  } catch (error) {
    if (!(error instanceof APIError) || error.status === undefined || !road.hasExpired(error)) throw error
    road.renew()
    return post(client, body, sent)
  }
}
