import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type {
  Adapter, AccessToken, Configuration, KoaContextWithOIDC, RefreshToken, AdapterPayload
} from 'oidc-provider'
import { findAssistantOwner } from '../../../../db/account/assistants.js'
import { findClient, insertClient } from '../../../../db/account/oauth-clients.js'
import { insertAudit } from '../../../../db/audit.js'
import { networkOf, siteOf, siteShare } from '../../../../lib/http/addresses.js'
import { issueToken } from '../../../../lib/security/tokens.js'
import { grantable } from '../../../../schemas/account/assistants.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { lives, type Library, type OauthDeps, Refusing, locate, discovery, successorOf } from './deps.js'
import { AccessStore, GrantStore } from './grant-stores.js'
import { pageHeadersOf } from './pages.js'
import { settingsOf } from './settings.js'
import { StateStore } from './state-store.js'

const contextOf = (id: string): string => `account_oauth_client|${id}|metadata`

/** Clients that registered themselves. */
class ClientStore extends Refusing {
  /**
   * @param addressOf of the request under way
   * @param full what is thrown when there are too many
   */
  constructor (private readonly deps: OauthDeps, private readonly addressOf: () => string,
    private readonly full: () => Error) { super('Client') }

  override async upsert (id: string, payload: AdapterPayload): Promise<void> {
    const { db, home, secrets, config: { limits } } = this.deps
    const metadata = secrets.encrypt(contextOf(id), JSON.stringify(payload))
    const [address, hourly] = [networkOf(this.addressOf()), limits.oauth_registrations_per_hour]
    const prefix = siteOf(address)
    const site = prefix === undefined ? undefined : { prefix, hourly: hourly * siteShare }
    const room = { all: limits.oauth_clients, hourly, site }
    const client = { id, metadata, address }
    if (!await insertClient(db, home.workspace_id, client, room)) throw this.full()
  }

  override async find (id: string): Promise<AdapterPayload | undefined> {
    const { db, home, secrets } = this.deps
    const row = await findClient(db, home.workspace_id, id)
    // What was written is what the library gave.
    return row && JSON.parse(secrets.decrypt(contextOf(id), row.metadata)) as AdapterPayload
  }
}

/** A client that gives its token back disconnects itself; everything else is a code or token that came twice. */
const operationOf = (ctx: KoaContextWithOIDC): string =>
  ctx.oidc.route === 'revocation' ? 'revokeAssistantToken' : 'endReusedTokens'

/** Leaves an entry of the record: nobody of ours sent the request that ended it. */
const recordEnd = async (deps: OauthDeps, ctx: KoaContextWithOIDC, grantId: string): Promise<void> => {
  const grant = locate(grantId)
  const userId = grant && await findAssistantOwner(deps.db, grant.workspaceId, grant.id)
  if (!grant || userId === undefined) return
  await insertAudit(deps.db, {
    workspace_id: grant.workspaceId,
    user_id: userId,
    via: 'token',
    via_id: grant.id,
    operation: operationOf(ctx),
    target: grant.id,
    outcome: 'succeeded',
    status: ctx.status,
    remote_address: ctx.ip,
    request_id: grant.id
  })
  deps.unnumbered.soon(grant.workspaceId)
}

/**
 * Loaded with the first request that needs it: most Stewards let nobody in for days. By its parts, for its entry writes
 * past the log that it supports later Nodes only; on the oldest of ours, the tests prove that it works.
 */
const load = async (): Promise<Library> => {
  const [{ Provider }, errors] = await Promise.all([
    // @ts-expect-error: types exist of its entry, which exports the same class
    import('oidc-provider/lib/provider.js'),
    // @ts-expect-error: and the same errors
    import('oidc-provider/lib/helpers/errors.js')
  ])
  return { Provider, errors }
}

/** A library of identity says more than is true of this: tokens are opaque, and no identity is given. */
const ofIdentity = new Set(['claims_supported', 'claim_types_supported', 'claims_parameter_supported',
  'subject_types_supported', 'jwks_uri', 'id_token_signing_alg_values_supported', 'request_uri_parameter_supported',
  'acr_values_supported'])

const tooMany = ({ errors }: Library): Error =>
  Object.assign(new errors.TemporarilyUnavailable('Too many programs registered themselves; try again later'),
    { status: 429, statusCode: 429, expose: true })

const storeOf = (deps: OauthDeps, library: Library) => (model: string): Adapter => {
  const { Provider, errors } = library
  const invalid = () => new errors.InvalidGrant('it was used already, or has ended')
  if (model === 'Grant') return new GrantStore(deps)
  if (model === 'AccessToken') return new AccessStore(deps, invalid)
  if (model === 'Client') return new ClientStore(deps, () => Provider.ctx?.ip ?? '', () => tooMany(library))
  return new StateStore(deps, model, invalid)
}

type Issued = AccessToken | RefreshToken

/** Tokens have our form: they say of which workspace they are, and scanners of secrets know them. */
const nameTokens = (library: Library, deps: OauthDeps, provider: Provider): void => {
  const textOf = (kind: 'oat' | 'ort', { accountId, scope }: Issued): string => {
    const at = locate(accountId)
    if (!at) throw new Error('A token is of nobody')
    const { grant_type: way, refresh_token: before } = library.Provider.ctx?.oidc.params ?? {}
    if (way !== 'refresh_token' || typeof before !== 'string') return issueToken(deps, kind, at.workspaceId).text
    return successorOf(deps, kind, at.workspaceId, before, kind === 'oat' ? scope : undefined).text
  }
  const { AccessToken, RefreshToken } = provider
  Object.assign(AccessToken.prototype, {
    generateTokenId (this: Issued & { format?: string }) {
      this.format = 'opaque'
      return textOf('oat', this)
    }
  })
  Object.assign(RefreshToken.prototype, {
    generateTokenId (this: Issued) { return textOf('ort', this) }
  })
}

/**
 * A form that is shown after an error begins a session, which the library stores only where there was one before: the
 * browser gets its cookie here, so that the form can be sent.
 */
const keepNewSessions = (library: Library, provider: Provider, cookies: Configuration['cookies']): void => {
  // What the library does not export has a class all the same; these are the members that are used of it.
  const { prototype } = (provider as unknown as { Session: { prototype: SessionModel } }).Session
  const { persist } = prototype
  prototype.persist = async function (this: SessionModel) {
    if (typeof this.exp === 'number') return persist.call(this)
    library.Provider.ctx?.oidc.cookies.set(cookies?.names?.session ?? '', this.id, cookies?.long)
    return this.save(lives.consent)
  }
}

interface SessionModel {
  id: string
  exp?: number
  persist: (this: SessionModel) => Promise<unknown>
  save: (seconds: number) => Promise<unknown>
}

/** What no person has seen goes to no address: it would make this site lead anywhere (RFC 9700, 4.11). */
const showBeforeRedirect = (ctx: KoaContextWithOIDC, error: Error): void => {
  if (ctx.oidc.route === 'authorization') Object.assign(error, { allow_redirect: false })
}

const listen = (deps: OauthDeps, provider: Provider): void => {
  provider.on('server_error', (_ctx, error) => deps.log.error({ reason: messageOf(error) }, 'OAuth request failed'))
  // Else the framework below, whose events the types leave out, writes the stack to the output, past the log.
  const framework: EventEmitter = provider
  framework.on('error', (error: unknown) => deps.log.error({ reason: messageOf(error) }, 'OAuth request failed'))
  provider.on('authorization.error', showBeforeRedirect)
  provider.on('grant.revoked', (ctx, grantId) => {
    recordEnd(deps, ctx, grantId).catch((error: unknown) =>
      deps.log.error({ reason: messageOf(error) }, 'end of an assistant not recorded'))
  })
}

const buildProvider = (library: Library, deps: OauthDeps, issuer: string): Provider => {
  const settings = settingsOf(issuer, deps, library, storeOf(deps, library))
  const provider = new library.Provider(issuer, settings)
  // The request says what our own server found out of it: see `handle`.
  provider.proxy = true
  nameTokens(library, deps, provider)
  keepNewSessions(library, provider, settings.cookies)
  listen(deps, provider)
  provider.use(async (ctx, next) => {
    ctx.set(pageHeadersOf(ctx.path))
    await next()
    if (ctx.path !== discovery || ctx.status !== 200) return
    ctx.set('cache-control', 'public, max-age=300')
    // The library wrote it.
    const shown = Object.entries(ctx.body as object).filter(([name]) => !ofIdentity.has(name))
    ctx.body = { ...Object.fromEntries(shown), scopes_supported: grantable }
  })
  return provider
}

/** What our server knows of a request, whatever proxies said. */
export interface Arrival { host: string, ip: string }

interface Server { provider: Provider, answer: ReturnType<Provider['callback']> }

/** An installation has few addresses; a name that anybody sends may look like this machine's. */
const maxServers = 16

/** The authorization server, under each address by which this Steward is reached. */
export class AuthorizationServers {
  readonly #servers = new Map<string, Promise<Server>>()

  constructor (private readonly deps: OauthDeps) {}

  async #build (issuer: string): Promise<Server> {
    const provider = buildProvider(await load(), this.deps, issuer)
    return { provider, answer: provider.callback() }
  }

  #of (issuer: string): Promise<Server> {
    let server = this.#servers.get(issuer)
    if (!server) {
      const [oldest] = this.#servers.keys()
      if (this.#servers.size >= maxServers && oldest !== undefined) this.#servers.delete(oldest)
      server = this.#build(issuer)
      server.catch(() => this.#servers.delete(issuer))
      this.#servers.set(issuer, server)
    }
    return server
  }

  async providerOf (issuer: string): Promise<Provider> {
    return (await this.#of(issuer)).provider
  }

  /** Answers a request of the protocol. */
  async handle (issuer: string, request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    const { answer } = await this.#of(issuer)
    request.headers['x-forwarded-proto'] = new URL(issuer).protocol.slice(0, -1)
    request.headers['x-forwarded-host'] = arrival.host
    request.headers['x-forwarded-for'] = arrival.ip
    await answer(request, response)
  }
}
