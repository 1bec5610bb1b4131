import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { insertChallenge, listCredentials } from '../../db/account/passkeys.js'
import type { Db } from '../../db/index.js'
import { type SignatureOptions, PasskeysUnavailable, type Statement } from '../../schemas/account/passkeys.js'
import type { Principal } from '../security/principal.js'
import { challengeOf } from './assertion.js'

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

/** How long a person has to sign. */
const seconds = 300
export const timeout = seconds * 1_000

type What = Pick<Statement, 'purpose' | 'plans' | 'operation'>

/** Keeps what a person is asked to sign, for five minutes and one signature. */
export const issueChallenge = async (db: Db, { workspace_id, user_id }: Principal, party: RelyingParty, what: What) => {
  const nonce = randomBytes(16).toString('base64url')
  const statement: Statement = { ...what, workspace_id, user_id, ...party, nonce }
  const challenge = challengeOf(statement)
  return { statement, challenge, expires_at: await insertChallenge(db, statement, challenge, seconds) }
}

/** @returns the person's keys that work at this host name */
export const credentialsAt = async (db: Db, { workspace_id, user_id }: Principal, { rp_id }: RelyingParty) =>
  (await listCredentials(db, workspace_id, user_id)).filter((one) => one.rp_id === rp_id)
    .map(({ credential_id: id, transports }) => ({ type: 'public-key' as const, id, transports }))

/** @returns what the browser is given to have something signed */
export const offerSignature = async (db: Db, principal: Principal, party: RelyingParty, what: What):
Promise<SignatureOptions> => {
  const { statement, challenge, expires_at } = await issueChallenge(db, principal, party, what)
  return {
    challenge,
    rpId: party.rp_id,
    allowCredentials: await credentialsAt(db, principal, party),
    userVerification: 'required',
    timeout,
    expires_at,
    statement: { ...statement }
  }
}
