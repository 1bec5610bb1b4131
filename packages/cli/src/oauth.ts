import { pause, problemOf, unexpectedAnswer } from 'steward-client'
import { Ended, exits } from './exits.js'
import type { Credentials } from './credentials.js'

/** Of RFC 8414, what is used here. */
export interface Metadata {
  issuer: string
  token_endpoint: string
  device_authorization_endpoint?: string
  revocation_endpoint?: string
  registration_endpoint?: string
  scopes_supported?: string[]
}

export interface Device {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete?: string
  expires_in: number
  interval?: number
}

interface Tokens { access_token: string, expires_in?: number, refresh_token?: string }

interface OAuthError { error: string, error_description?: string }

const timeoutMs = 30_000

/** So many polls in a row that reach nothing end the sign-in. */
const mostFailures = 5
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Tokens travel encrypted, or not at all beyond this machine. */
const isSafe = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
  // A redirect would take the codes to another place than the metadata names.
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...init })
    .catch((error: unknown) => { throw problemOf(error) })
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) throw unexpectedAnswer(response)
  return response
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** @returns where the server signs people in. @throws Ended when it does not, or names what cannot be trusted */
export const discover = async (server: string): Promise<Metadata> => {
  const { origin, pathname } = new URL(server)
  const path = pathname === '/' ? '' : pathname
  const response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`,
    { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), headers: { accept: 'application/json' } })
    .catch((error: unknown) => { throw problemOf(error) })
  // Checked below: whatever answers at the address may say anything.
  const metadata = await response.json().catch(() => undefined) as Metadata | undefined
  if (response.status !== 200 || !isText(metadata?.issuer) || !isText(metadata.device_authorization_endpoint)) {
    throw new Ended(exits.failed, `${server} offers no sign-in for commands. Make a token in its settings, and run ` +
      'steward login --token -')
  }
  if (metadata.issuer.replace(/\/$/, '') !== server) {
    throw new Ended(exits.failed, `${server} names another issuer, ${JSON.stringify(metadata.issuer)}: not signed in`)
  }
  const { token_endpoint, device_authorization_endpoint, revocation_endpoint, registration_endpoint } = metadata
  const urls = [token_endpoint, device_authorization_endpoint, revocation_endpoint, registration_endpoint]
    .filter((url) => url !== undefined)
  if (!isText(token_endpoint) || !urls.every((url) => URL.canParse(url) && isSafe(url))) {
    throw new Ended(exits.failed, `${server} names addresses without encryption: not signed in`)
  }
  return metadata
}

const post = async <T>(url: string, form: Record<string, string | undefined>): Promise<T | OAuthError> => {
  const given = Object.entries(form).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const])
  const response = await request(url, { method: 'POST', body: new URLSearchParams(Object.fromEntries(given)) })
  const body: unknown = await response.json().catch((error: unknown) => { throw problemOf(error) })
  if (!response.ok && !(isText(Object(body).error))) throw problemOf(body, response)
  // The RFC of each endpoint describes it.
  return body as T | OAuthError
}

export const isError = (answer: object): answer is OAuthError => 'error' in answer

/** @throws Ended with what the server says */
export const refused = ({ error, error_description: words }: OAuthError): never => {
  throw new Ended(exits.signedOut, `Not signed in: ${words ?? error} (${error})`)
}

/** @returns the client's id after its registration (RFC 7591) */
export const register = async (endpoint: string): Promise<string> => {
  const body = JSON.stringify({
    client_name: 'steward, the command',
    application_type: 'native',
    grant_types: [deviceGrant, 'refresh_token'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'none'
  })
  const response = await request(endpoint, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  // Of RFC 7591, or an error of it.
  const answer = await response.json() as { client_id: string } | OAuthError
  return isError(answer) ? refused(answer) : answer.client_id
}

/** @returns a code for the person (RFC 8628) */
export const startDevice = (metadata: Metadata, clientId: string, scope: string | undefined):
Promise<Device | OAuthError> =>
  post<Device>(metadata.device_authorization_endpoint ?? '', { client_id: clientId, scope })

export const toCredentials = (tokens: Tokens, rest: Omit<Credentials, 'token'>, now = Date.now()): Credentials => ({
  ...rest,
  token: tokens.access_token,
  ...(tokens.expires_in !== undefined && { expires_at: now + tokens.expires_in * 1_000 }),
  ...(tokens.refresh_token !== undefined && { refresh_token: tokens.refresh_token })
})

/** Waits until the person has entered the code. @throws Ended when they refuse, or do not come */
export const pollDevice = async (metadata: Metadata, clientId: string, device: Device, signal: AbortSignal):
Promise<Tokens> => {
  const end = Date.now() + device.expires_in * 1_000
  let intervalMs = (device.interval ?? 5) * 1_000
  let failures = 0
  while (Date.now() < end) {
    await pause(intervalMs, signal)
    if (signal.aborted) throw new Ended(exits.interrupted, 'Not signed in')
    const form = { grant_type: deviceGrant, device_code: device.device_code, client_id: clientId }
    // A connection that fails now may work at the next look.
    const answer = await post<Tokens>(metadata.token_endpoint, form).catch((error: unknown) => {
      if (++failures >= mostFailures) throw problemOf(error)
    })
    if (answer === undefined) {
      intervalMs = Math.min(15_000, intervalMs * 2)
      continue
    }
    failures = 0
    if (!isError(answer)) return answer
    else if (answer.error === 'slow_down') intervalMs += 5_000
    else if (answer.error !== 'authorization_pending') refused(answer)
  }
  throw new Ended(exits.signedOut, 'Not signed in: the code has expired')
}

/** @returns new tokens for the old refresh token, which is valid no longer; undefined when it is refused */
export const refresh = async (credentials: Credentials): Promise<Credentials | undefined> => {
  const { token_endpoint, refresh_token, client_id } = credentials
  if (token_endpoint === undefined || refresh_token === undefined) return undefined
  const answer = await post<Tokens>(token_endpoint, { grant_type: 'refresh_token', refresh_token, client_id })
  return isError(answer) ? undefined : toCredentials(answer, credentials)
}

/** Ends the sign-in at the server, too (RFC 7009). */
export const revoke = async ({ revocation_endpoint: url, refresh_token, token, client_id = '' }: Credentials) => {
  if (url === undefined) return
  const body = new URLSearchParams({ token: refresh_token ?? token, client_id })
  await fetch(url, { method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
}
