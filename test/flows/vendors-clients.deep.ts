import { webcrypto } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import t from '../tap.js'
import { authorizationOf, listTools, register, refusalOf, type Authorization } from '../oauth.js'
import { startDocuments } from './document-peer.js'

/** Claude, ChatGPT and VS Code, as their makers' pages and documents say that they come (docs/oauth.md). */
const limits = JSON.stringify({ oauth_registrations_per_hour: 100 })
const { served, peer, url, server, visitor } = await startDocuments(t, { LIMITS: limits })
const insecure = { [oauth.allowInsecureRequests]: true }

const code = ['authorization_code', 'refresh_token']
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const open = { response_types: ['code'], token_endpoint_auth_method: 'none' }
const signs = {
  response_types: ['code'],
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'RS256',
  jwks_uri: `${peer.url}/jwks.json`
}
const chatgpt = {
  ...signs,
  client_name: 'ChatGPT',
  redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  grant_types: code,
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt']
}

const publish = (path: string, metadata: object): oauth.Client => {
  const client = { client_id: `${peer.url}${path}` }
  served.set(path, { body: JSON.stringify({ ...client, client_uri: 'https://vendor.example/', ...metadata }) })
  return client
}

const makeKey = async (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) },
  true, ['sign', 'verify'])

const own = await makeKey()
const jwk = await webcrypto.subtle.exportKey('jwk', own.publicKey)
served.set('/jwks.json', { body: JSON.stringify({ keys: [{ ...jwk, kid: 'one', use: 'sig', alg: 'RS256' }] }) })

/** @param change of the claims, as those of another client's assertion */
const prove = (keys = own, change: Record<string, unknown> = {}): oauth.ClientAuth =>
  oauth.PrivateKeyJwt({ key: keys.privateKey, kid: 'one' }, {
    [oauth.modifyAssertion]: (_header, claims) => { Object.assign(claims, change) }
  })

/** Goes to the consent page and back. */
const allow = async (client: oauth.Client, redirect: string) => {
  const authorization = await authorizationOf(server, client, { redirect_uri: redirect })
  const id = await visitor.ask(authorization.url)
  const { body } = await visitor.json('GET', `/oauth/consents/${id}/request`)
  const { location = '' } = await visitor.decide(id)
  return { authorization, location, shown: body.redirect }
}

const redeem = async (client: oauth.Client, location: string, { verifier, state }: Authorization, redirect: string,
  auth: oauth.ClientAuth) => {
  const parameters = oauth.validateAuthResponse(server, client, new URL(location), state)
  const answer = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, redirect, verifier,
    insecure)
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

const refresh = async (client: oauth.Client, token: unknown, auth: oauth.ClientAuth) =>
  oauth.processRefreshTokenResponse(server, client,
    await oauth.refreshTokenGrantRequest(server, client, auth, String(token), insecure))

/** The whole way, with a refresh. @returns where the answer goes, as the person is shown */
const connect = async (client: oauth.Client, redirect: string, auth: () => oauth.ClientAuth = oauth.None) => {
  const { authorization, location, shown } = await allow(client, redirect)
  t.ok(location.startsWith(`${redirect}?`), location)
  const tokens = await redeem(client, location, authorization, redirect, auth())
  const next = await refresh(client, tokens.refresh_token, auth())
  t.equal((await listTools(url, next.access_token)).status, 200)
  return shown
}

const web = (host: string) => ({ kind: 'web', host })
const computer = (host: string) => ({ kind: 'computer', host })

/** Documents as they were in October 2026, and the address that the program then comes with. */
const documents: [string, object, [string, object][]][] = [
  ['Claude', {
    ...open,
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: [...code, jwtBearer]
  }, [['https://claude.ai/api/mcp/auth_callback', web('claude.ai')]]],
  ['Claude Code', {
    ...open,
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: code
  }, [['http://localhost:3118/callback', computer('localhost:3118')],
    ['http://127.0.0.1:54545/callback', computer('127.0.0.1:54545')]]],
  ['VS Code', {
    ...open,
    client_name: 'Visual Studio Code',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    grant_types: [...code, device]
  }, [['http://127.0.0.1:33418/', computer('127.0.0.1:33418')],
    // Another instance of it has the port.
    ['http://127.0.0.1:59656/', computer('127.0.0.1:59656')],
    ['https://vscode.dev/redirect', web('vscode.dev')]]]
]

t.test('programs come in with the documents that their makers publish', async (t) => {
  for (const [name, metadata, ways] of documents) {
    const client = publish(`/${name.replace(' ', '-')}.json`, metadata)
    for (const [redirect, shown] of ways) t.same(await connect(client, redirect), shown, `${name} ${redirect}`)
  }
})

t.test('ChatGPT comes in, whichever way of its document it proves itself by', async (t) => {
  const [redirect = ''] = chatgpt.redirect_uris
  const client = publish('/chatgpt.json', chatgpt)
  t.same(await connect(client, redirect, prove), web('chatgpt.com'))
  t.same(await connect(client, redirect, () => prove(own, { aud: server.token_endpoint })), web('chatgpt.com'),
    'an assertion for the token endpoint (RFC 7523)')
  t.same(await connect(client, redirect), web('chatgpt.com'), 'its document lists none, too')
})

t.test('who has to sign is nobody without the key: not with another, an old or a used assertion', async (t) => {
  const { token_endpoint_auth_methods_supported: _, ...metadata } = chatgpt
  const [redirect = ''] = metadata.redirect_uris
  const client = publish('/signs.json', metadata)
  const now = Math.floor(Date.now() / 1_000)
  const jti = 'used-twice'
  t.same(await connect(client, redirect, prove), web('chatgpt.com'))
  const { authorization, location } = await allow(client, redirect)
  const other = publish('/other.json', metadata)
  const wrong: [string, oauth.ClientAuth][] = [
    ['none', oauth.None()],
    ['another key', prove(await makeKey())],
    ['expired', prove(own, { iat: now - 900, exp: now - 600 })],
    ['for another server', prove(own, { aud: 'https://elsewhere.example' })],
    ['of another client', prove(own, { iss: other.client_id, sub: other.client_id })],
    ['without an id', prove(own, { jti: undefined })]
  ]
  for (const [title, auth] of wrong) {
    t.match(await refusalOf(redeem(client, location, authorization, redirect, auth)), /^invalid_(client|request)$/, title)
  }
  const tokens = await redeem(client, location, authorization, redirect, prove(own, { jti }))
  t.equal(await refusalOf(refresh(client, tokens.refresh_token, prove(own, { jti }))), 'invalid_client', 'a used one')
  t.equal(await refusalOf(refresh(client, tokens.refresh_token, oauth.None())), 'invalid_client')
  t.equal((await listTools(url, tokens.access_token)).status, 200, 'and none of these ended the connection')
})

t.test('keys are read from no address inside', async (t) => {
  const [redirect = ''] = chatgpt.redirect_uris
  for (const [at, jwks_uri] of ['https://127.0.0.1:1/jwks.json', 'https://169.254.169.254/jwks.json'].entries()) {
    const client = publish(`/inside-${at}.json`, { ...chatgpt, jwks_uri })
    const { authorization, location } = await allow(client, redirect)
    t.match(await refusalOf(redeem(client, location, authorization, redirect, prove())), /^invalid_client/, jwks_uri)
  }
})

/** What each registers where it reads that a client registers itself (RFC 7591), and comes with. */
const registrations: [string, object, string[]][] = [
  ['Claude', { redirect_uris: ['https://claude.ai/api/mcp/auth_callback'], grant_types: code, scope: 'agent:read' },
    ['https://claude.ai/api/mcp/auth_callback']],
  ['Claude', { redirect_uris: ['https://claude.com/api/mcp/auth_callback'] },
    ['https://claude.com/api/mcp/auth_callback']],
  ['ChatGPT', { redirect_uris: ['https://chatgpt.com/connector/oauth/aB3_x-9'], grant_types: code },
    ['https://chatgpt.com/connector/oauth/aB3_x-9']],
  ['Visual Studio Code', {
    redirect_uris: ['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect', 'http://127.0.0.1/',
      'http://127.0.0.1:33418/'],
    grant_types: [...code, device]
  }, ['http://127.0.0.1:33418/', 'http://127.0.0.1:50001/', 'https://vscode.dev/redirect',
    'https://insiders.vscode.dev/redirect']]
]

t.test('programs register themselves with their own addresses, and come in', async (t) => {
  for (const [name, metadata, redirects] of registrations) {
    const client = await register(server, { client_name: name, ...metadata })
    for (const redirect of redirects) t.ok(await connect(client, redirect), `${name} ${redirect}`)
  }
})

/** As whoever wants the code for themselves would have it. */
const near = (uri: string): string[] => {
  const { protocol, host, hostname, pathname } = new URL(uri)
  const isLocal = protocol === 'http:'
  return [
    `${uri}/evil`, `${uri}?next=1`, `${uri}#x`, `${uri}%2e`,
    `${protocol}//${host}${pathname}/../evil`, `${protocol}//${host}/evil`,
    `${protocol}//${hostname}.evil.example${pathname}`, `${protocol}//evil.example${pathname}`,
    `${protocol}//evil@${host}${pathname}`, `${protocol}//${hostname}@evil.example${pathname}`,
    `${isLocal ? 'https' : 'http'}://${host}${pathname}`,
    ...(isLocal ? [`http://[::1]:33418${pathname}`] : [`${protocol}//${hostname}:8443${pathname}`])
  ]
}

t.test('no code goes to an address that is almost a maker\'s', async (t) => {
  const clients: [oauth.Client, string][] = [
    ...documents.map(([name, , [[redirect] = ['']]]): [oauth.Client, string] =>
      [{ client_id: `${peer.url}/${name.replace(' ', '-')}.json` }, redirect]),
    [{ client_id: `${peer.url}/chatgpt.json` }, chatgpt.redirect_uris[0] ?? '']
  ]
  for (const [name, metadata, [redirect = '']] of registrations) {
    clients.push([await register(server, { client_name: name, ...metadata }), redirect])
  }
  for (const [client, redirect] of clients) {
    t.type(await visitor.ask((await authorizationOf(server, client, { redirect_uri: redirect })).url), 'string')
    for (const uri of near(redirect)) {
      const { status, location, text } = await visitor.visit(
        (await authorizationOf(server, client, { redirect_uri: uri })).url)
      t.same([status, location], [400, undefined], uri)
      t.match(text, /invalid_redirect_uri|invalid_request/, uri)
    }
  }
})
