import { digestOf } from '../lib/record/entry.js'
import type { App } from './app.js'
import { Authenticator, type Algorithm, type Deviation } from './authenticator.js'

type Headers = Record<string, string>

export const passkeyOrigin = 'https://steward.example'

/** Where a test's Steward is reached, so that passkeys have a host name. */
export const passkeySite = { PUBLIC_URL: passkeyOrigin }

export interface Change { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object }

/** @returns the header with which a person signs a request of theirs */
export const signRequest = async (app: App, headers: Headers, device: Authenticator, change: Change,
  deviation?: Deviation): Promise<Headers> => {
  const { method, url: path, payload = null } = change
  const offered = await app.inject({
    method: 'POST',
    url: '/account/passkeys/signatures',
    headers,
    payload: { method, path, body_digest: digestOf(payload) }
  })
  const { credential_id, authenticator_data, client_data_json, signature } = device.sign(offered.json(), deviation)
  return { 'x-steward-signature': [credential_id, authenticator_data, client_data_json, signature].join('.') }
}

const optionsUrl = '/account/passkeys/options'

/** The same for another passkey, which one that is there has to sign. */
export const offerAnotherPasskey = async (app: App, headers: Headers, device: Authenticator) =>
  offerPasskey(app, headers, await signRequest(app, headers, device, { method: 'POST', url: optionsUrl }))

/** @returns what a person's browser is given to make a passkey */
export const offerPasskey = async (app: App, headers: Headers, more: Headers = {}) =>
  (await app.inject({ method: 'POST', url: optionsUrl, headers: { ...headers, ...more } })).json()

/** Registers a new passkey as a person's browser does. */
export const makePasskey = async (app: App, headers: Headers, algorithm: Algorithm = -7, name = 'Laptop') => {
  const device = new Authenticator(passkeyOrigin, algorithm)
  const payload = { name, ...device.create(await offerPasskey(app, headers)) }
  const made = await app.inject({ method: 'POST', url: '/account/passkeys', headers, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return { device, id: String(made.json().id) }
}

/** @returns what a passkey has to sign for a question's plan */
export const offerSignature = (app: App, headers: Headers, id: string, input_digest: string) => app.inject({
  method: 'POST', url: `/api/v1/agent/confirmations/${id}/signature`, headers, payload: { input_digest }
})
