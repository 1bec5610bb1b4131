import type { FastifyInstance } from 'fastify'
import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { IssuedTokens } from '../../../../lib/codehost/token-answer.js'
import { HostUser } from '../../../../schemas/codehost/upstream.js'
import type { Authorization } from './authorization.js'
import { OauthExchangeFailed } from '../errors.js'
import { isCode, storable } from '../read-host.js'

/** An account that the person has proved to own. */
export interface Proof {
  account_id: string
  login: string
  name: string
  issued: IssuedTokens
  client: CodehostClient
}

type Deps = Pick<FastifyInstance, 'codehost' | 'codehostOauth' | 'log'>

const exchange = async ({ codehostOauth, log }: Deps, redirectUri: string, code: string, begun: Authorization) => {
  try {
    return await codehostOauth.client.exchange(redirectUri, code, begun)
  } catch (error) {
    // The code host's reason is for the operator's log, not for the person who signs in.
    if (!(error instanceof Error) || !('reason' in error)) throw error
    log.warn({ reason: error.reason }, 'the code host refused a code')
    throw OauthExchangeFailed()
  }
}

/** @returns a valid name of a user: the account's name, else its login */
const nameOf = ({ name, login }: HostUser): string =>
  storable(name ?? '').trim().slice(0, 100).toWellFormed().trim() || storable(login).slice(0, 100)

/**
 * Exchanges the code for a token, and reads with this token whose account it is.
 * @throws oauth_exchange_failed when the code host refuses; codehost_error and others when it fails
 */
export const proveAccount = async (deps: Deps, redirectUri: string, code: string, begun: Authorization):
Promise<Proof> => {
  const issued = await exchange(deps, redirectUri, code, begun)
  const client = deps.codehost.as({ account_id: '', login: '', token: issued.access_token })
  try {
    const { data: user } = await client.read('GET /user', {}, HostUser)
    return { account_id: String(user.id), login: storable(user.login), name: nameOf(user), issued, client }
  } catch (error) {
    throw isCode(error, 'codehost_reauth_required') ? OauthExchangeFailed() : error
  }
}
