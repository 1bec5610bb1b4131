import fp from 'fastify-plugin'
import type { Octokit } from 'octokit'
import { CodehostNotConfigured } from '../schemas/codehost/errors.js'
import { configuredAddresses, sandboxAddresses, type CodehostAddresses } from './codehost/addresses.js'
import { AnswerCache } from './codehost/cache.js'
import { CodehostClient, type ClientParts, type Grant } from './codehost/client.js'
import { Pressure } from './codehost/pressure.js'
import { createFetch } from './codehost/transport.js'

/** A page of a hundred pull requests with long texts is a few megabytes. */
const maxBytes = 16_777_216

export interface AskOptions {
  /** Told when the host refuses the token, before codehost_reauth_required is thrown. */
  onRejected?: () => Promise<void> | void
}

/** The code host: where it is, and clients of its REST API. */
export class Codehost {
  readonly #parts: Omit<ClientParts, 'onRejected'>

  constructor (private readonly known: CodehostAddresses | undefined, timeoutMs: number) {
    let loaded: Promise<Octokit> | undefined
    const octokit = () => (loaded ??= load(this.addresses.api, timeoutMs))
    this.#parts = { octokit, cache: new AnswerCache(), pressure: new Pressure(), underWay: new Map() }
  }

  get configured (): boolean {
    return this.known !== undefined
  }

  /** @throws codehost_not_configured */
  get addresses (): CodehostAddresses {
    if (!this.known) throw CodehostNotConfigured()
    return this.known
  }

  /** @returns the API as the person whose grant it is. @throws codehost_not_configured */
  as (grant: Grant, { onRejected = () => {} }: AskOptions = {}): CodehostClient {
    if (!this.known) throw CodehostNotConfigured()
    return new CodehostClient(grant, { ...this.#parts, onRejected })
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
  const standIn = app.sandbox.codehost
  const addresses = standIn === undefined ? configuredAddresses(app.config) : await sandboxAddresses(standIn)
  app.decorate('codehost', new Codehost(addresses, app.config.limits.codehost_timeout_ms))
}, { name: 'codehost', dependencies: ['config', 'sandbox'] })
