import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { CodehostNotConfigured } from '../schemas/codehost/errors.js'
import type { CodehostAddresses } from '../lib/codehost/addresses.js'
import { OauthClient } from '../lib/codehost/oauth-client.js'
import { readSignInRules, type SignInRule } from '../lib/codehost/sign-in-rules.js'

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * Users of the sandbox have no passwords, and one of them is the first admin. So nobody signs in as one where others
 * than this machine's user may come, or where there is a real cloud to act on.
 */
const isForTrying = ({ config, sandbox }: FastifyInstance): boolean =>
  loopback.has(config.HOST) && config.PUBLIC_URL === undefined && sandbox.providers.includes('aws')

/** What a page calls the code host. */
const nameOf = ({ web, sandboxed }: CodehostAddresses): string => {
  if (sandboxed) return 'the sandbox'
  return web === 'https://github.com' ? 'GitHub' : new URL(web).host
}

/** Where there is nothing to protect and nothing configured, members of the sandbox's organisation may come in. */
const rulesOf = ({ config }: FastifyInstance, addresses: CodehostAddresses | undefined): SignInRule[] =>
  addresses?.sandboxed && config.signInRules.length === 0
    ? [{ organisation: 'larkspur', organisation_id: null, team: null, role: 'member' }]
    : config.signInRules

class CodehostOauth {
  /** What a page calls the code host; null = there is none. */
  readonly name: string | null
  readonly #rules: SignInRule[]
  readonly #client: OauthClient | undefined

  constructor (private readonly app: FastifyInstance, addresses: CodehostAddresses | undefined) {
    this.name = addresses ? nameOf(addresses) : null
    this.#rules = rulesOf(app, addresses)
    if (!addresses?.client || (addresses.sandboxed && !isForTrying(app))) return
    this.#client = new OauthClient({
      addresses,
      client: addresses.client,
      pkce: app.config.CODEHOST_PKCE === 'on',
      timeoutMs: app.config.limits.codehost_timeout_ms
    })
  }

  /** @returns who may sign in to the workspace without an invitation: its own rules; the configured are the first's */
  rulesOf (workspaceId: string): SignInRule[] {
    const { sign_in: own } = this.app.workspaces.settingsOf(workspaceId)
    if (own !== undefined) return readSignInRules(own)
    return workspaceId === this.app.home.workspace_id ? this.#rules : []
  }

  /** @returns what the code host is asked for, for people of the workspace */
  scopesOf (workspaceId: string): string[] {
    const { CODEHOST_SCOPES: scopes } = this.app.config
    if (scopes !== undefined) return scopes.split(' ')
    // Signing in needs none; asking whether a person is a member does. The sandbox's own rule works without.
    const { config, home, workspaces } = this.app
    const rules = workspaces.settingsOf(workspaceId).sign_in === undefined && workspaceId === home.workspace_id
      ? config.signInRules
      : this.rulesOf(workspaceId)
    return rules.length > 0 ? ['read:org'] : []
  }

  /** Whether anybody can sign in or connect. */
  get available (): boolean {
    return this.#client !== undefined
  }

  /** @throws codehost_not_configured */
  get client (): OauthClient {
    if (!this.#client) throw CodehostNotConfigured('Signing in with a code host is not configured here')
    return this.#client
  }
}

declare module 'fastify' {
  interface FastifyInstance { codehostOauth: CodehostOauth }
}

export default fp(async (app) => {
  const addresses = app.codehost.configured ? app.codehost.addresses : undefined
  app.decorate('codehostOauth', new CodehostOauth(app, addresses))
  if (addresses?.sandboxed || !addresses?.client) return
  const plain = [addresses.web, addresses.api].map((url) => new URL(url))
    .some(({ protocol, hostname }) => protocol === 'http:' && !loopback.has(hostname))
  if (plain) app.log.warn('CODEHOST_URL is http: tokens of the code host cross the network in the clear')
}, { name: 'codehost-oauth', dependencies: ['config', 'sandbox', 'codehost', 'workspaces'] })
