import type { McpHttpHandler, Server } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { hasScope, type Principal } from '../../../lib/security/principal.js'
import { assistantOffer } from './assistant-offer.js'
import type { Offer } from './offer.js'
import type { Sdk } from './sdk.js'
import { makeServer } from './serve.js'
import { serveTasks } from './serve-tasks.js'
import { headerMismatchOf } from './task-name.js'
import { fieldsOf } from '../../../schemas/unknown.js'

export interface Message {
  url: string
  method: string
  headers: Record<string, string>
  body: unknown
}

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'workspaces'>

/**
 * Answers messages of clients over streamable HTTP, in the protocol of 2026-07-28 and in those before it. Nothing is
 * kept between two messages, so any instance answers any of them.
 */
export class MessageAnswers {
  /** Loaded with the first message: most starts serve none. */
  #sdk: Promise<Sdk> | undefined
  #modern: McpHttpHandler | undefined
  /** Of messages under way: the SDK hands on only what it knows. */
  readonly #principals = new WeakMap<Request, Principal>()

  /** @param more beside Steward's own: a test adds what the conformance suite looks for */
  constructor (private readonly deps: Deps, private readonly more: readonly Offer[] = []) {}

  async answer (principal: Principal, { url, method, headers, body }: Message): Promise<Response> {
    const sdk = await (this.#sdk ??= import('@modelcontextprotocol/server'))
    const request = new Request(url, { method, headers })
    if (await sdk.isLegacyRequest(request, body)) return this.#answerLegacy(sdk, principal, request, body)
    const refused = headerMismatchOf(headers, body)
    if (refused) return refused
    this.#principals.set(request, principal)
    return this.#modernOf(sdk).fetch(request, { parsedBody: body })
  }

  async close (): Promise<void> {
    await this.#modern?.close()
  }

  #modernOf (sdk: Sdk): McpHttpHandler {
    this.#modern ??= sdk.createMcpHandler(({ requestInfo }) => {
      const principal = requestInfo && this.#principals.get(requestInfo)
      if (!principal) throw new Error('A message without a principal')
      return this.#serverFor(sdk, principal, true)
    }, { legacy: 'reject' })
    return this.#modern
  }

  #serverFor (sdk: Sdk, principal: Principal, isModern: boolean): Server {
    const hasTasks = isModern && hasScope(principal, 'agent:read')
    const server = makeServer(sdk, [assistantOffer(this.deps, principal), ...this.more], hasTasks)
    if (hasTasks) serveTasks(sdk, server, this.deps, principal)
    return server
  }

  /**
   * Before 2026-07-28: one answer for each message, without a session. Only a client that asks for progress gets a
   * stream.
   */
  async #answerLegacy (sdk: Sdk, principal: Principal, request: Request, body: unknown): Promise<Response> {
    const server = this.#serverFor(sdk, principal, false)
    const isStream = fieldsOf(fieldsOf(fieldsOf(body).params)._meta).progressToken !== undefined
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream })
    await server.connect(transport)
    const answer = await transport.handleRequest(request, { parsedBody: body })
    const end = new TransformStream<Uint8Array, Uint8Array>({ flush: () => server.close() })
    return new Response(answer.body?.pipeThrough(end) ?? null, answer)
  }
}
