import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PasskeysUnavailable } from '../../schemas/account/passkeys.js'

/** The host name for which passkeys are made, and the address at which they sign. */
export interface RelyingParty { rp_id: string, origin: string }

/**
 * @returns the address at which the request's browser reaches us, as far as that is believed: the workspace's host
 *   name, PUBLIC_URL, or this machine
 * @throws passkeys_unavailable where browsers offer none: at a number instead of a name, and without TLS
 */
export const relyingPartyOf = ({ workspaces }: Pick<FastifyInstance, 'workspaces'>, request: FastifyRequest):
RelyingParty => {
  const { protocol, hostname, origin, port } = new URL(workspaces.browserOrigin(request))
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    const open = protocol === 'http:' ? ` Open http://localhost${port && `:${port}`}` : ''
    throw PasskeysUnavailable(`Browsers make passkeys for a host name, and ${hostname} is none.${open}`)
  }
  if (protocol !== 'https:' && hostname !== 'localhost') {
    throw PasskeysUnavailable('Browsers make passkeys over https only')
  }
  return { rp_id: hostname, origin }
}
