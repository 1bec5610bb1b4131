import { createPrivateKey } from 'node:crypto'
import type { Adapter, Configuration, KoaContextWithOIDC, JWK, ClientMetadata } from 'oidc-provider'
import { findPerson } from '../../../../db/account/principals.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { resourceOf, uriOf } from '../../../../lib/security/issuer.js'
import { commandScopes, grantable, usualScopes, type Resource } from '../../../../schemas/account/assistants.js'
import { approvals, type Scope } from '../../../../schemas/account/scopes.js'
import { lives, type Library, type OauthDeps, locate, consentPath, paths } from './deps.js'
import { showCodeConfirmation, showCodeForm, showConnected, showError } from './pages.js'

/** RFC 8252 and OAuth 2.1: nothing goes in the clear but to the person's own computer. */
const requireSafeRedirects = (errors: Library['errors'], uris: unknown): void => {
  for (const uri of Array.isArray(uris) ? uris : []) {
    const url = URL.canParse(String(uri)) ? new URL(String(uri)) : undefined
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
    if (url?.protocol === 'http:' && !isLocal) throw new errors.InvalidClientMetadata('redirect_uris must use https')
  }
}

/**
 * A document may list several ways to prove who its client is, beside the one that it prefers. What the request came
 * with counts, if it is listed. Only of a document: who registered agreed on one way.
 */
const takeProof = ({ Provider }: Library, metadata: ClientMetadata): void => {
  const listed = metadata.token_endpoint_auth_methods_supported
  if (!/^https:/i.test(metadata.client_id) || !Array.isArray(listed)) return
  // Of a document a client is made for each request.
  const way = Provider.ctx?.oidc.params?.client_assertion === undefined ? 'none' : 'private_key_jwt'
  if (!listed.includes(way)) return
  metadata.token_endpoint_auth_method = way
  if (way === 'none') delete metadata.token_endpoint_auth_signing_alg
}

/** Members of a client's metadata that the library does not know, and what is done to all before it checks them. */
const clientMetadata = (library: Library): NonNullable<Configuration['extraClientMetadata']> => ({
  properties: ['token_endpoint_auth_methods_supported'],
  validator: (_ctx, _key, _value, metadata) => {
    requireSafeRedirects(library.errors, metadata.redirect_uris)
    takeProof(library, metadata)
    // Clients register with scopes of ours, and of others; what they get, a person decides each time.
    delete metadata.scope
  }
})

const timeoutMs = 5_000
const maxBytes = 16_384

/**
 * The library's way to a client's document: only to public addresses, over https, a small answer, and no redirect.
 * @throws OutboundError
 */
const fetchGuarded = ({ outbound }: Pick<OauthDeps, 'outbound'>) =>
  async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:') throw new OutboundError('url_not_allowed', 'Only https is asked')
    const headers = { accept: 'application/json' }
    const { status, headers: given, body } =
      await outbound.fetch({ url: url.href, headers, timeoutMs, maxBytes, maxRedirects: 0 })
    // It was unpacked, and has another length now.
    const { 'content-encoding': _, 'content-length': __, ...rest } = given
    // A Response of these statuses has no body.
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: rest })
  }

/** Of an Ed25519 key in PKCS #8 (RFC 8410), before its 32 bytes. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Nothing here is signed for anybody; the library requires that a client could be. The keys follow from Steward's own,
 * so that all instances have the same, and they are rotated with it.
 */
export const signingKeys = ({ secrets }: Pick<OauthDeps, 'secrets'>): JWK[] =>
  secrets.keysFor('oauth-signing').map((key) => {
    const der = Buffer.concat([prefix, Buffer.from(key, 'base64url')])
    const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
    // Node names the same fields in a type of its own.
    return { ...jwk, alg: 'Ed25519', use: 'sig' } as JWK
  })

/** The command line, which registers nowhere; who says to be it is shown as such to the person, who decides. */
export const commandClient = {
  client_id: 'steward-cli',
  client_name: 'Steward command line',
  application_type: 'native' as const,
  token_endpoint_auth_method: 'none' as const,
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
  redirect_uris: []
}

/** Of a client that names nothing: the command is for the API, everything else comes for the tools. */
const usualResource = (clientId: string): Resource => clientId === commandClient.client_id ? 'api' : 'mcp'

/** A person who sits at the command can read a plan there whole, and decide it; every other program only proposes. */
const scopesFor = (clientId: string | undefined, resource: Resource): Scope[] =>
  clientId === commandClient.client_id && resource === 'api' ? commandScopes : grantable

const asking = new Set(['authorization', 'device_authorization'])

/** Words of OpenID Connect, which clients send out of habit: they name nothing that could be given here. */
const habitual = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/**
 * @returns what a program asks for. One that names nothing is shown to ask for reading alone
 * @throws invalid_scope when all that it names is nothing that a program can be given
 */
const scopeAsked = (errors: Library['errors'], scope: unknown, givable: readonly Scope[]): string => {
  const asked = String(scope ?? '').split(' ').filter((one) => one !== '' && !habitual.has(one))
  if (asked.length === 0) return usualScopes.join(' ')
  const known = givable.filter((one) => asked.includes(one))
  // To approve is asked beside something to read: alone it opens nothing.
  if (known.some((one) => one !== approvals)) return known.join(' ')
  const why = asked.includes(approvals) ? `${approvals} is for people alone` : 'no such scope exists here'
  throw new errors.InvalidScope(`${why}; a program can ask for ${grantable.join(' ')}`, asked.join(' '))
}

/** One program is let in to one of both; what it asks for without naming anything is written into the request. */
const readResource = (issuer: string, errors: Library['errors'], ctx: KoaContextWithOIDC, uri: string) => {
  const resource = resourceOf(issuer, uri)
  const named = ctx.oidc.params?.resource
  if (!resource || (Array.isArray(named) && named.length > 1)) throw new errors.InvalidTarget()
  const givable = scopesFor(ctx.oidc.client?.clientId, resource)
  if (asking.has(ctx.oidc.route) && ctx.oidc.params) {
    ctx.oidc.params.scope = scopeAsked(errors, ctx.oidc.params.scope, givable)
  }
  return {
    scope: givable.join(' '), audience: resource, accessTokenTTL: lives.access, accessTokenFormat: 'opaque' as const
  }
}

const allowsOrigin = (origin: string, uris: readonly string[] | undefined): boolean =>
  (uris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)

const featuresOf = (issuer: string, deps: OauthDeps, errors: Library['errors']): Configuration['features'] => ({
  claimsParameter: { enabled: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 3_600 } },
  devInteractions: { enabled: false },
  deviceFlow: {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: () => ({}),
    userCodeInputSource: async (ctx, _form, _out, error) => showCodeForm(ctx, error),
    userCodeConfirmSource: async (ctx, _form, client, _info, code) =>
      showCodeConfirmation(ctx, client.clientName ?? client.clientId, code),
    successSource: async (ctx) => showConnected(ctx)
  },
  dPoP: { enabled: false },
  introspection: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  registration: {
    enabled: deps.config.OAUTH_REGISTRATION === 'on',
    initialAccessToken: false,
    issueRegistrationAccessToken: false
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: async (_ctx, client, oneOf) =>
      oneOf ? [oneOf].flat()[0] ?? issuer : uriOf(issuer, usualResource(client?.clientId ?? '')),
    getResourceServerInfo: async (ctx, uri) => readResource(issuer, errors, ctx, uri),
    useGrantedResource: async () => true
  },
  revocation: {
    enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId
  },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false }
})

const findAccount = (deps: OauthDeps): Configuration['findAccount'] => async (_ctx, sub) => {
  const at = locate(sub)
  const person = at && await findPerson(deps.db, at.workspaceId, at.id)
  if (person?.status !== 'active') return undefined
  return { accountId: sub, claims: async () => ({ sub }) }
}

const cookiesOf = (deps: OauthDeps): Configuration['cookies'] => ({
  keys: deps.secrets.keysFor('oauth-cookies'),
  names: { session: 'steward_oauth', interaction: 'steward_oauth_consent', resume: 'steward_oauth_resume' },
  long: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true }
})

/** Of a refresh token: no longer than what was consented to. */
const refreshSeconds = (ctx: KoaContextWithOIDC): number => {
  const left = (ctx.oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1_000)
  return Math.max(1, Math.min(lives.refresh, left))
}

const ttl: Configuration['ttl'] = {
  AccessToken: lives.access,
  AuthorizationCode: lives.code,
  DeviceCode: lives.deviceCode,
  Grant: lives.grant,
  Interaction: lives.consent,
  RefreshToken: refreshSeconds,
  Session: lives.consent
}

/**
 * OAuth 2.1 for people's assistants: codes with PKCE and the device flow, for opaque tokens that rotate; no implicit
 * grant, no passwords, no identity.
 * @param issuer under which this one is reached
 */
export const settingsOf = (issuer: string, deps: OauthDeps, library: Library, adapter: (model: string) => Adapter):
Configuration => ({
  adapter,
  clients: [commandClient],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  clientBasedCORS: (_ctx, origin, client) =>
    client.clientAuthMethod === 'none' && allowsOrigin(origin, client.redirectUris),
  clientDefaults: {
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'Ed25519'
  },
  cookies: cookiesOf(deps),
  expiresWithSession: async () => false,
  extraClientMetadata: clientMetadata(library),
  features: featuresOf(issuer, deps, library.errors),
  fetch: fetchGuarded(deps),
  findAccount: findAccount(deps),
  interactions: { url: async (_ctx, { uid }) => `${issuer}${consentPath(uid)}` },
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  jwks: { keys: signingKeys(deps) },
  pkce: { required: () => true },
  renderError: async (ctx, out) => showError(ctx, out.error, out.error_description),
  responseTypes: ['code'],
  revokeGrantPolicy: async () => true,
  rotateRefreshToken: true,
  routes: paths,
  scopes: [],
  ttl
})
