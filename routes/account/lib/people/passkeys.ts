import type { FastifyRequest } from 'fastify'
import {
  deletePasskey, findPasskey, insertPasskey, isKnownPasskey, listCredentials, takeChallenge, type PasskeyRow
} from '../../../../db/account/passkeys.js'
import { insertAudit, type AuditEntry } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { algorithms, challengeOf } from '../../../../lib/passkeys/assertion.js'
import {
  credentialsAt, issueChallenge, timeout, type RelyingParty
} from '../../../../lib/passkeys/challenges.js'
import { hasRole, type Principal } from '../../../../lib/security/principal.js'
import {
  SignatureInvalid, type CreatePasskey, type PasskeyOptions, type Statement
} from '../../../../schemas/account/passkeys.js'
import { NotFound, InsufficientScope } from '../../../../schemas/errors.js'
import { textIn } from '../../../../schemas/unknown.js'
import { requireUnscoped, PasskeyKnown, TooManyPasskeys } from '../errors.js'

/** Whose request it is, from where, and the signature with which it came. */
type Where = Pick<FastifyRequest, 'principal' | 'ip' | 'id' | 'signed'>

/** An entry of the record about a passkey, which names it: its public key is no secret. */
const passkeyEntry = ({ principal, ip, id, signed }: Where, operation: string, target: string,
  passkey: Record<string, unknown>): AuditEntry => ({
  workspace_id: principal.workspace_id,
  user_id: principal.user_id,
  via: principal.via,
  via_id: principal.via_id,
  operation,
  target,
  outcome: 'succeeded',
  status: null,
  remote_address: ip,
  request_id: id,
  body: { passkey, ...(signed && { signed }) }
})

const mostPasskeys = 20

/** A token that could register a passkey would sign what its person is to sign. @throws insufficient_scope */
export const requireBrowser = ({ via, via_id: session }: Principal): void => {
  if (via !== 'browser' || session === null) {
    throw InsufficientScope('A passkey is registered and named by its person: sign in with the browser for this')
  }
}

/** @returns what the browser is given to make a passkey */
export const offerRegistration = async (db: Db, principal: Principal, party: RelyingParty): Promise<PasskeyOptions> => {
  requireBrowser(principal)
  const { challenge, expires_at } = await issueChallenge(db, principal, party, { purpose: 'registration' })
  const { user_id: id, name } = principal
  return {
    challenge,
    rp: { id: party.rp_id, name: 'Steward' },
    user: { id: Buffer.from(id).toString('base64url'), name, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: await credentialsAt(db, principal, party),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
    timeout,
    expires_at
  }
}

const refuse = (pointer: string, code: string, message: string) =>
  SignatureInvalid(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

const challengeIn = (clientData: string): string => {
  try {
    return textIn(JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')), 'challenge') ?? ''
  } catch {
    return ''
  }
}

const verify = async ({ client_data_json, attestation_object }: CreatePasskey, statement: Statement) => {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { toSpki } = await import('../../../../lib/passkeys/public-key.js')
  const response = { clientDataJSON: client_data_json, attestationObject: attestation_object }
  // The id that counts is the one in the attestation; this one is only compared with itself.
  const id = Buffer.from('id').toString('base64url')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challengeOf(statement),
    expectedOrigin: statement.origin,
    expectedRPID: statement.rp_id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms
  })
  if (!verified) throw new Error('not verified')
  const { credential, credentialBackedUp } = registrationInfo
  return { credential, backed_up: credentialBackedUp, spki: toSpki(credential.publicKey) }
}

const register = async (trx: Db, where: Where, body: CreatePasskey): Promise<PasskeyRow> => {
  const { principal: { workspace_id: workspaceId, user_id } } = where
  const statement = await takeChallenge(trx, workspaceId, user_id, challengeIn(body.client_data_json))
  if (statement?.purpose !== 'registration') {
    throw refuse('/client_data_json', 'challenge', 'is of no challenge of yours, or of one that was used or is over')
  }
  const { credential, backed_up, spki } = await verify(body, statement).catch(() => {
    throw refuse('/attestation_object', 'attestation', 'is no passkey that was made here, for you, and verified you')
  })
  if ((await listCredentials(trx, workspaceId, user_id)).length >= mostPasskeys) throw TooManyPasskeys()
  const { rp_id } = statement
  const row = await insertPasskey(trx, workspaceId, {
    user_id,
    name: body.name,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    algorithm: spki.algorithm,
    counter: credential.counter,
    transports: body.transports ?? [],
    rp_id,
    backed_up
  })
  const { key: public_key, algorithm } = spki
  await insertAudit(trx, passkeyEntry(where, 'createPasskey', user_id,
    { name: body.name, credential_id: credential.id, public_key, algorithm, rp_id }))
  return row
}

/**
 * Keeps a passkey that the browser has made, and records its public key, which proves what is signed with it later.
 * @throws signature_invalid, passkey_known, too_many_passkeys, insufficient_scope
 */
export const registerPasskey = async (db: Db, where: Where, body: CreatePasskey): Promise<PasskeyRow> => {
  requireBrowser(where.principal)
  try {
    return await db.transaction().execute((trx) => register(trx, where, body))
  } catch (error) {
    throw isKnownPasskey(error) ? PasskeyKnown() : error
  }
}

/** Removes a passkey: its person's own, or anybody's for an admin. What it has signed stays signed. */
export const removePasskey = async (db: Db, where: Where, id: string):
Promise<void> => {
  const { principal } = where
  requireUnscoped(principal, 'Without its passkeys a person is asked for less')
  const { workspace_id: workspaceId } = principal
  const whose = hasRole(principal, 'admin') ? null : principal.user_id
  await db.transaction().execute(async (trx) => {
    const found = await findPasskey(trx, workspaceId, whose, id)
    if (!found) throw NotFound()
    await deletePasskey(trx, workspaceId, id)
    const { name, credential_id } = found
    await insertAudit(trx, passkeyEntry(where, 'deletePasskey', found.user_id, { name, credential_id }))
  })
}
