import { findSecrets } from '../../../../db/content/brands.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { OutboundRequest } from '../../../../plugins/outbound.js'
import { secretContext } from '../brands/check-target.js'
import type { Deps } from './deps.js'
import { SiteRefused } from './site.js'

const timeoutMs = 15_000
const maxAnswer = 5 * 1_048_576

export interface SiteAnswer { status: number, body: unknown }
export type CallSite = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | Buffer,
  headers?: Record<string, string>) => Promise<SiteAnswer>

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns the secret that the target has now. @throws SiteRefused 401 when it has none */
export const secretOf = async (deps: Deps, workspaceId: string, { target_id: id }: StoredTarget): Promise<string> => {
  const [encrypted] = await findSecrets(deps.db, workspaceId, id)
  if (!encrypted) throw new SiteRefused(401)
  return deps.secrets.decrypt(secretContext(id), encrypted)
}

/** @param authorize makes new headers for every request: a token may be short-lived */
export const makeSiteClient = ({ outbound }: Deps, { config }: StoredTarget, authorize: () => Record<string, string>):
CallSite => async (method, path, body, more) => {
  const request: OutboundRequest = {
    url: `${(config.url ?? '').replace(/\/$/, '')}${path}`,
    method,
    timeoutMs,
    maxBytes: maxAnswer,
    // A redirect would send the credential to another host.
    maxRedirects: 0,
    headers: {
      accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...authorize(), ...more
    },
    ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) })
  }
  const { status, body: text } = await outbound.fetch(request)
  return { status, body: parse(text.toString()) }
}

/** @returns an answer's body. @throws SiteRefused for anything but a success */
export const requireAnswer = ({ status, body }: SiteAnswer): unknown => {
  if (status >= 200 && status < 300 && body !== undefined) return body
  throw new SiteRefused(status >= 200 && status < 300 ? 502 : status)
}
