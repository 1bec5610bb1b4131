import { randomBytes } from 'node:crypto'
import { insertChallenge, listCredentials } from '../../db/account/passkeys.js'
import type { Db } from '../../db/index.js'
import type { Principal } from '../security/principal.js'
import type { SignatureOptions } from '../../schemas/account/passkeys.js'
import type { Statement } from '../../schemas/account/signed-statement.js'
import type { RelyingParty } from './relying-party.js'
import { challengeOf } from './statement.js'

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
