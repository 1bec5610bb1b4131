import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'
import type { Test } from '../../tap.js'

export interface PeerPerson { email?: string, email_verified?: boolean, name?: string, groups?: string[] }

/** oidc-provider, whose people sign in without a page: whoever `next` names. */
export interface OpenidPeer {
  issuer: string
  client: { id: string, secret: string }
  people: Record<string, PeerPerson>
  next: string
  provider: Provider
  /** Addresses that the client has registered; named before the first sign-in. */
  register: (callback: string, logout: string, back: string) => void
}

type Clients = NonNullable<Configuration['clients']>

const configure = (peer: OpenidPeer, clients: Clients): Configuration => ({
  clients,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'offline_access', 'groups'],
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => peer.people[sub]
    ? { accountId: sub, claims: () => ({ sub, ...peer.people[sub] }) }
    : undefined,
  features: {
    devInteractions: { enabled: false }, backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true }
  },
  cookies: { keys: ['openid-peer'] },
  // Its own guard takes no address of this machine, where Steward is.
  fetch: (url, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
  ttl: { AccessToken: 300, IdToken: 300, Interaction: 600, Session: 3_600, Grant: 3_600, RefreshToken: 3_600 }
})

/** Signs in and consents, as the person that is next. */
const finish = async (peer: OpenidPeer, request: http.IncomingMessage, response: http.ServerResponse) => {
  const { provider, next, client } = peer
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: next } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? next, clientId: client.id })
  grant.addOIDCScope(String(params.scope))
  const grantId = await grant.save()
  return provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true })
}

/** @param register what the client has registered, known when the provider was added to Steward */
export const startPeer = async (t: Pick<Test, 'teardown'>): Promise<OpenidPeer> => {
  const server = http.createServer()
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // A server that listens on TCP has such an address.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { id: 'steward', secret: 'secret-of-the-client-at-the-peer' }
  const peer: Omit<OpenidPeer, 'provider'> & { provider?: Provider } = {
    issuer,
    client,
    people: {},
    next: 'ada',
    register: (callback, logout, back) => {
      const made = new Provider(issuer, configure(peer as OpenidPeer, [{
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callback],
        post_logout_redirect_uris: [back],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: logout,
        backchannel_logout_session_required: true
      }]))
      peer.provider = made
      const handle = made.callback()
      server.removeAllListeners('request').on('request', (request, response) => {
        const isPage = request.url?.startsWith('/interaction/')
        void (isPage ? finish(peer as OpenidPeer, request, response) : handle(request, response))
      })
    }
  }
  peer.register('http://localhost/none', 'http://localhost/none', 'http://localhost/none')
  return peer as OpenidPeer
}
