import type { FastifyInstance } from 'fastify'
import type { CodehostClient } from '../../../lib/codehost/client.js'
import type { IssuedTokens } from '../../../lib/codehost/token-answer.js'
import { HostUser } from '../../../schemas/codehost/upstream.js'
import type { Authorization } from './authorization.js'
import { OauthExchangeFailed } from './errors.js'
import { isCode, storable } from './read-host.js'

/** Somebody who has shown the code host, and it us, that an account is theirs. */
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
    // Which of its reasons the code host gives is for whoever runs this, not for whoever signs in.
    if (!(error instanceof Error) || !('reason' in error)) throw error
    log.warn({ reason: error.reason }, 'the code host refused a code')
    throw OauthExchangeFailed()
  }
}

/** @returns a name that fits a user's: what the person calls themselves, or is called there */
const nameOf = ({ name, login }: HostUser): string =>
  storable(name ?? '').trim().slice(0, 100).toWellFormed().trim() || storable(login).slice(0, 100)

/**
 * Exchanges the code, and asks whose account it is with the very token that came.
 * @throws oauth_exchange_failed when the code host says no; codehost_error and others when it says nothing of use
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
