import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import { buildApp, type AppTest, type App } from './app.js'
import { makePerson } from './routes/account/actors.js'
import type { Role } from '../schemas/account/users.js'
import { Visitor } from './visitor.js'

export const callback = 'http://127.0.0.1:7777/callback'

const options = { [oauth.allowInsecureRequests]: true }

/** Has Steward listen. @returns where, and what it says of its authorization server there */
export const serverOf = async (app: App) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const issuer = new URL(url)
  const server = await oauth.processDiscoveryResponse(issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }))
  return { url, server }
}

/** Steward, listening, with its own address as PUBLIC_URL would say it. */
export const startOauth = async (t: AppTest, overrides: Record<string, string> = {}) => {
  const app = await buildApp(t, { SANDBOX: 'off', ...overrides })
  return { app, ...await serverOf(app) }
}

export type Started = Awaited<ReturnType<typeof startOauth>>

export const visitorOf = async (app: App, url: string, name: string, role: Role) => {
  const person = await makePerson(app, name, role)
  return { ...person, visitor: new Visitor(url, person.headers.cookie) }
}

export const register = async (server: oauth.AuthorizationServer, metadata: object = {}): Promise<oauth.Client> =>
  oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(server, {
    client_name: 'A test', redirect_uris: [callback], token_endpoint_auth_method: 'none', ...metadata
  }, options))

export interface Authorization { url: string, verifier: string, state: string }

/** @param more parameters, which replace those that a client sends; an empty one is left out */
export const authorizationOf = async (server: oauth.AuthorizationServer, client: oauth.Client,
  more: Record<string, string> = {}): Promise<Authorization> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  const parameters: Record<string, string> = {
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    scope: 'cloud:read agent:read agent:write',
    resource: `${server.issuer}/mcp`,
    ...more
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value)
  return { url: url.href, verifier, state }
}

export const clientAuth = oauth.None()

/** Redeems what the client was sent, as strictly as the specifications say. */
export const redeem = async (server: oauth.AuthorizationServer, client: oauth.Client, location: string,
  { verifier, state }: Authorization, redirectUri = callback): Promise<oauth.TokenEndpointResponse> => {
  const parameters = oauth.validateAuthResponse(server, client, new URL(location), state)
  const answer = await oauth.authorizationCodeGrantRequest(server, client, clientAuth, parameters, redirectUri,
    verifier, options)
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

export const refresh = async (server: oauth.AuthorizationServer, client: oauth.Client, token: string,
  more: Record<string, string> = {}): Promise<oauth.TokenEndpointResponse> => {
  const answer = await oauth.refreshTokenGrantRequest(server, client, clientAuth, token,
    { ...options, additionalParameters: more })
  return oauth.processRefreshTokenResponse(server, client, answer)
}

/** The whole way, from a registration to the first tokens. */
export const connect = async ({ server }: Pick<Started, 'server'>, visitor: Visitor,
  more: { client?: oauth.Client, parameters?: Record<string, string> } = {}) => {
  const client = more.client ?? await register(server)
  const authorization = await authorizationOf(server, client, more.parameters)
  const id = await visitor.ask(authorization.url)
  const { location = '' } = await visitor.decide(id)
  return { client, authorization, location, tokens: await redeem(server, client, location, authorization) }
}

export const command: oauth.Client = { client_id: 'steward-cli' }

/** Enters the code that a device shows. @returns the request of the consent page */
export const enterCode = async (visitor: Visitor, address: string, code: string): Promise<string> => {
  const secretOf = (text: string) => /name="xsrf" value="(\w+)"/.exec(text)?.[1] ?? ''
  const page = await visitor.visit(address)
  const confirm = await visitor.form('/oauth/device', { xsrf: secretOf(page.text), user_code: code })
  const on = await visitor.form('/oauth/device', { xsrf: secretOf(confirm.text), user_code: code, confirm: 'yes' })
  return visitor.ask(on.location ?? '')
}

/** A device's code that its person has entered, up to the consent page. */
export const askAsDevice = async ({ server }: Pick<Started, 'server'>, visitor: Visitor,
  { client = command, ...fields }: { client?: oauth.Client, scope?: string, resource?: string } = {}) => {
  const begun = await oauth.processDeviceAuthorizationResponse(server, client,
    await oauth.deviceAuthorizationRequest(server, client, clientAuth, fields, options))
  const poll = async () => oauth.processDeviceCodeResponse(server, client,
    await oauth.deviceCodeGrantRequest(server, client, clientAuth, begun.device_code, options))
  return { begun, id: await enterCode(visitor, begun.verification_uri, begun.user_code), poll }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A message of MCP that every token may send. */
export const listTools = (url: string, token: string, host?: string) => fetch(`${url}/mcp`, {
  method: 'POST',
  headers: {
    ...bearer(token),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(host !== undefined && { host })
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
})

/** @returns the code by which the authorization server refuses it */
export const refusalOf = (asked: Promise<unknown>): Promise<string> => asked.then(() => 'taken', (error: unknown) =>
  error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError
    ? error.error
    : String(error))
