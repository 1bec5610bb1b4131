import { api, baseUrl, body } from '../api/client'
import { signWith } from './authenticator'

/** @returns the value as RFC 8785 writes it: the server hashes the same */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`)
  return `{${members.join()}}`
}

const digestOf = async (text: string): Promise<string> => {
  const value: unknown = text === '' ? null : JSON.parse(text)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(value)))
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

const signatureFor = async (request: Request): Promise<string> => {
  const method = methods.find((one) => one === request.method) ?? 'POST'
  const path = new URL(request.url).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length)
  const body_digest = await digestOf(await request.clone().text())
  const options = await body(api.POST('/account/passkeys/signatures', { body: { method, path, body_digest } }))
  const { credential_id, authenticator_data, client_data_json, signature } = await signWith(options)
  return [credential_id, authenticator_data, client_data_json, signature].join('.')
}

const isRefused = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return false
  // A proxy's 403 may have any body.
  const { code } = Object(await response.clone().json().catch(() => undefined)) as { code?: unknown }
  return code === 'operation_signature_required'
}

/** Requests under way, as they were sent: a body can be read once. */
const sent = new Map<string, Request>()

/** Whatever writes may have to be signed; only the server knows what does. */
const mayBeRefused = ({ method }: Request): boolean => methods.some((one) => one === method)

/** Has the person sign what the server wants signed, and sends it again: no page has to know which operations. */
export const signRefused = (): void => api.use({
  onRequest: async ({ request, id }) => {
    if (!mayBeRefused(request)) return undefined
    // Two requests from one text: a clone would make a stream of the body.
    const text = await request.text()
    const again = () => text === '' ? request.clone() : new Request(request, { body: text })
    sent.set(id, again())
    return again()
  },
  onResponse: async ({ response, id }) => {
    const request = sent.get(id)
    sent.delete(id)
    if (!request || !await isRefused(response)) return undefined
    const headers = new Headers(request.headers)
    headers.set('x-steward-signature', await signatureFor(request))
    return fetch(new Request(request, { headers }))
  },
  onError: ({ id }) => { sent.delete(id) }
})
