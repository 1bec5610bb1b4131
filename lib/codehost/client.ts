import { createHash } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import type { Octokit } from 'octokit'
import { CodehostBadResponse } from '../../schemas/codehost/errors.js'
import type { ApiError } from '../../schemas/errors.js'
import { compileJson } from '../openapi/json-schemas.js'
import { type AnswerCache, type Held, nextAfter, type Next } from './cache.js'
import { hiddenOrganizations, limitOfQuery, toCodehostError, type Thrown } from './errors.js'
import { askFile, type CircuitBreaker } from './transport.js'
import { codeOf, fieldsOf } from '../../schemas/unknown.js'

/** Whose token asks; without a workspace while an account is being proved. */
export interface Grant { account_id: string, login: string, token: string, workspace_id?: string }

export type Parameters = Record<string, unknown>

export interface Answer<T> {
  data: T
  /** What to ask for the next page; null on the last one. */
  next: Next | null
  /** Set when the host limits us and this is an earlier answer. */
  staleSince: Date | null
  /** Organizations that the host left out, until the person signs in to them. */
  hidden?: string[]
}

export interface ClientParts {
  octokit: () => Promise<Octokit>
  cache: AnswerCache
  breaker: CircuitBreaker
  /** The address of GraphQL. */
  graphql: () => string
  /** Reads under way, by token and URL: who asks for the same meanwhile gets the same answer. */
  underWay: Map<string, Promise<Answer<unknown>>>
  /** Asked for another grant when the host refuses this one. */
  onRefused: (grant: Grant, again: boolean) => Promise<Grant | undefined>
}

interface Sent { data: unknown, headers: Record<string, unknown> }

/** How old an answer may be that is shown during a limit; no longer than a lost right may go on showing. */
const staleMs = 600_000
const retryPauseMs = 250

const shapes = new WeakMap<TSchema, ReturnType<typeof compileJson>>()

const fits = <T extends TSchema>(shape: T, data: unknown): data is Static<T> => {
  const check = shapes.get(shape) ?? compileJson(shape)
  shapes.set(shape, check)
  return check(data)
}

const bucketOf = (route: string): string => {
  if (route.includes(' /search/')) return 'search'
  return route.endsWith('/graphql') ? 'graphql' : 'core'
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const text = (value: unknown): string | undefined => value === undefined ? undefined : String(value)

const maxFileBytes = 20 * 1_048_576
const fileMs = 30_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const misfit = (data: unknown): ApiError => typeof data === 'string'
  ? CodehostBadResponse('The code host answered with a page, not with JSON: set CODEHOST_API_URL to its REST API')
  : CodehostBadResponse()

/** The REST API as one person: every answer is checked, cached by the person's token and mapped to our errors. */
export class CodehostClient {
  readonly identity: string

  /** @param again this grant was given because the one before it was refused */
  constructor (private readonly grant: Grant, private readonly parts: ClientParts, private readonly again = false) {
    this.identity = createHash('sha256').update(`${grant.workspace_id ?? ''} ${grant.token}`).digest('base64url')
  }

  /**
   * One GET, conditional where the answer is held; repeated once when the connection broke or the host failed.
   * @param route such as `GET /repos/{owner}/{repo}/commits`
   * @param shape what the answer must be at least; it may hold more
   * @throws ApiError of schemas/codehost/errors.ts
   */
  async read<T extends TSchema> (route: string, parameters: Parameters, shape: T): Promise<Answer<Static<T>>> {
    const key = `${this.identity} ${route} ${JSON.stringify(parameters)}`
    const known = this.parts.underWay.get(key)
    const asked = known ?? this.#read(key, route, parameters, shape)
      .finally(() => this.parts.underWay.delete(key))
    this.parts.underWay.set(key, asked)
    // The shape was checked, and a route is asked with one shape.
    return asked as Promise<Answer<Static<T>>>
  }

  /** One query of GraphQL, which changes nothing; the document is a query, never a mutation. @throws as `read` does */
  query<T extends TSchema> (document: string, variables: Parameters, shape: T): Promise<Answer<Static<T>>> {
    return this.read(`POST ${this.parts.graphql()}`, { query: document, variables }, shape)
  }

  /** One request that changes something, sent once. @throws ApiError of schemas/codehost/errors.ts */
  async write<T extends TSchema> (route: string, parameters: Parameters, shape: T): Promise<Static<T>> {
    const { data } = await this.#send(route, parameters)
    if (!fits(shape, data)) throw misfit(data)
    return data
  }

  /**
   * Reads a file as text. What the host keeps at another origin is fetched from there, without the token.
   * @throws ApiError of schemas/codehost/errors.ts, and what `elsewhere` throws
   */
  async readFile (route: string, parameters: Parameters, elsewhere: (url: string) => Promise<string>): Promise<string> {
    const { request: { endpoint } } = await this.parts.octokit()
    const { url } = endpoint(route, parameters)
    const headers = { 'authorization': `token ${this.grant.token}`, 'user-agent': 'steward' }
    const ask = (from: string, sent: Record<string, string>) => askFile(from, sent, maxFileBytes, fileMs)
    const first = await ask(url, headers)
    const isOwn = 'location' in first && new URL(first.location).origin === new URL(url).origin
    if ('location' in first && !isOwn) return elsewhere(first.location)
    const answer = 'location' in first ? await ask(first.location, { 'user-agent': 'steward' }) : first
    if ('location' in answer) return elsewhere(answer.location)
    if (answer.status === 200) return answer.body
    throw toCodehostError({ status: answer.status, response: { headers: answer.headers, data: parsed(answer.body) } })
  }

  async #read (key: string, route: string, parameters: Parameters, shape: TSchema): Promise<Answer<unknown>> {
    const held = this.parts.cache.find(key)
    try {
      const { data, headers } = await this.#ask(route, parameters, held)
      if (!fits(shape, data)) throw misfit(data)
      return this.#keep(key, parameters, data, headers)
    } catch (error) {
      // Octokit throws "not modified" as an error.
      const { status, response }: Thrown = Object(error)
      if (held && status === 304) return this.#confirm(held, response?.headers)
      const failure = toCodehostError(error)
      if (failure.code === 'codehost_rate_limited' && held && Date.now() - held.at < staleMs) {
        return { data: held.data, next: held.next, staleSince: new Date(held.at), hidden: held.hidden }
      }
      if (failure.statusCode < 500) this.parts.cache.drop(key)
      throw failure
    }
  }

  #keep (key: string, parameters: Parameters, data: unknown, headers: Record<string, unknown>): Answer<unknown> {
    const [etag, lastModified] = [text(headers.etag), text(headers['last-modified'])]
    const next = nextAfter(data, headers, parameters)
    const hidden = hiddenOrganizations(headers['x-github-sso'])
    const bytes = JSON.stringify(data).length
    this.parts.cache.keep(key, { data, next, etag, lastModified, hidden, bytes, at: Date.now() })
    return { data, next, staleSince: null, hidden }
  }

  /** The same items may have got others behind them. */
  #confirm (held: Held, headers: Record<string, unknown> = {}): Answer<unknown> {
    held.at = Date.now()
    if (headers.link !== undefined) held.next = nextAfter(held.data, headers, {})
    return { data: held.data, next: held.next, staleSince: null, hidden: held.hidden }
  }

  async #ask (route: string, parameters: Parameters, held: Held | undefined) {
    const conditions = {
      ...(held?.etag !== undefined && { 'if-none-match': held.etag }),
      ...(held?.etag === undefined && held?.lastModified !== undefined && { 'if-modified-since': held.lastModified })
    }
    try {
      return await this.#send(route, parameters, conditions)
    } catch (error) {
      if (codeOf(error) !== 'codehost_error') throw error
      await pause(retryPauseMs)
      return this.#send(route, parameters, conditions)
    }
  }

  async #send (route: string, parameters: Parameters, headers: Record<string, string> = {}): Promise<Sent> {
    const { breaker, octokit } = this.parts
    // Searches and GraphQL have limits of their own.
    const limited = `${this.identity} ${bucketOf(route)}`
    breaker.requireClosed(limited)
    const authorization = `token ${this.grant.token}`
    try {
      const client = await octokit()
      const answer = await client.request(route, { ...parameters, headers: { ...headers, authorization } })
      const limit = limitOfQuery(answer.data)
      if (limit) throw limit
      breaker.recordSuccess()
      // Octokit types what it hopes for; what came is looked at by its shape.
      return { data: answer.data, headers: { ...answer.headers } }
    } catch (error) {
      if (fieldsOf(error).status === 304) {
        breaker.recordSuccess()
        throw error
      }
      const failure = toCodehostError(error)
      breaker.recordFailure(limited, failure)
      if (failure.code !== 'codehost_reauth_required') throw failure
      const renewed = await this.#renew()
      if (!renewed) throw failure
      return renewed.#send(route, parameters, headers)
    }
  }

  /** @returns the same person's client with another token; a refused request was not carried out, whatever it was */
  async #renew (): Promise<CodehostClient | undefined> {
    this.parts.cache.forget(this.identity)
    const grant = await this.parts.onRefused(this.grant, this.again)
    return grant && !this.again ? new CodehostClient(grant, this.parts, true) : undefined
  }
}
