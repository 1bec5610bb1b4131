import { SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET } from '../constants.js'
import { badCredentials, notFound, Refusal } from '../core/errors.js'
import type { Operation } from '../core/operation.js'
import type { Token } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'

const basic = `Basic ${Buffer.from(`${SANDBOX_CLIENT_ID}:${SANDBOX_CLIENT_SECRET}`).toString('base64')}`

/** @returns the request's token if it is valid. @throws 401 as the code host does */
export function identify (sandbox: Sandbox, authorization: string | undefined, auth: Operation['auth']):
  Token | undefined {
  if (auth === 'none') return undefined
  if (auth === 'client') {
    if (authorization !== basic) throw notFound()
    return undefined
  }
  if (authorization === undefined) {
    if (auth === 'user') throw new Refusal(401, 'Requires authentication')
    return undefined
  }
  const token = sandbox.tokens.get(authorization.replace(/^(bearer|token) +/i, ''))
  const now = sandbox.world.clock.now()
  if (!token || (token.expires_at !== null && token.expires_at <= now)) throw badCredentials()
  return token
}
