import fp from 'fastify-plugin'
import type { Octokit } from 'octokit'
import { CodehostNotConfigured } from '../schemas/codehost/errors.js'
import { configuredAddresses, sandboxAddresses, type CodehostAddresses } from '../lib/codehost/addresses.js'
import { AnswerCache } from '../lib/codehost/cache.js'
import { CodehostClient, type ClientParts, type Grant } from '../lib/codehost/client.js'
import { toCodehostError } from '../lib/codehost/errors.js'
import { CircuitBreaker, createFetch } from '../lib/codehost/transport.js'

/** A page of a hundred pull requests with long texts is a few megabytes. */
const maxBytes = 16_777_216

export interface AskOptions {
  /**
   * Asked when the host refuses the token, for another one to try once.
   * @param again that one was refused too
   * @returns undefined: there is none, and codehost_reauth_required is thrown
   */
  onRefused?: (grant: Grant, again: boolean) => Promise<Grant | undefined>
}

/** The code host: where it is, and clients of its REST API. */
export class Codehost {
  readonly #parts: Omit<ClientParts, 'onRefused'>

  constructor (private readonly known: CodehostAddresses | undefined, timeoutMs: number) {
    let loaded: Promise<Octokit> | undefined
    const octokit = () => (loaded ??= load(this.addresses.api, timeoutMs))
    const graphql = () => this.addresses.graphql
    this.#parts = { octokit, graphql, cache: new AnswerCache(), breaker: new CircuitBreaker(), underWay: new Map() }
  }

  get configured (): boolean {
    return this.known !== undefined
  }

  /** @throws codehost_not_configured */
  get addresses (): CodehostAddresses {
    if (!this.known) throw CodehostNotConfigured()
    return this.known
  }

  /** Where a person ends by hand what they allowed us; null = there is no such page. */
  get settingsUrl (): string | null {
    const { web, client, sandboxed } = this.addresses
    return client && !sandboxed ? `${web}/settings/connections/applications/${encodeURIComponent(client.id)}` : null
  }

  /** @returns the API as the person whose grant it is. @throws codehost_not_configured */
  as (grant: Grant, { onRefused = async () => undefined }: AskOptions = {}): CodehostClient {
    if (!this.known) throw CodehostNotConfigured()
    return new CodehostClient(grant, { ...this.#parts, onRefused })
  }

  /**
   * Ends a token at the code host.
   * @param whole with every other token that the person gave us, such as the refresh token that came with it
   * @returns whether it is known to be dead there
   */
  async revoke (token: string, whole: boolean): Promise<boolean> {
    const { client } = this.addresses
    if (!client) return false
    const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
    const octokit = await this.#parts.octokit()
    const route = `DELETE /applications/{client_id}/${whole ? 'grant' : 'token'}`
    try {
      await octokit.request(route, { client_id: client.id, access_token: token, headers: { authorization } })
      return true
    } catch (error) {
      // The host answers the same for a revoked token and for an unknown client.
      if (!['codehost_not_found', 'codehost_validation'].includes(toCodehostError(error).code)) return false
      return this.#isDead(octokit, token)
    }
  }

  async #isDead (octokit: Octokit, token: string): Promise<boolean> {
    try {
      await octokit.request('GET /user', { headers: { authorization: `token ${token}` } })
      return false
    } catch (error) {
      return toCodehostError(error).code === 'codehost_reauth_required'
    }
  }
}

const silent = { debug () {}, info () {}, warn () {}, error () {} }

/** Loaded when it is first asked. Its own retries and waits are off: they hold a request for a minute and more. */
const load = async (api: string, timeoutMs: number): Promise<Octokit> => {
  const { Octokit: Client } = await import('octokit')
  return new Client({
    baseUrl: api,
    userAgent: 'steward',
    log: silent,
    throttle: { enabled: false },
    retry: { enabled: false },
    request: { fetch: createFetch({ api, timeoutMs, maxBytes }) }
  })
}

declare module 'fastify' {
  interface FastifyInstance { codehost: Codehost }
}

export default fp(async (app) => {
  const { codehost: url, worlds: { codehost: world }, webhookSecret } = app.sandbox
  const addresses = url === undefined || world === undefined
    ? configuredAddresses(app.config)
    : sandboxAddresses(url, world, webhookSecret)
  app.decorate('codehost', new Codehost(addresses, app.config.limits.codehost_timeout_ms))
}, { name: 'codehost', dependencies: ['config', 'sandbox'] })
