import { lockCredential, markUsed, takeChallenge } from '../../db/account/passkeys.js'
import type { Db } from '../../db/index.js'
import { SignatureInvalid, type PasskeySignature, type Statement } from '../../schemas/account/passkeys.js'
import type { Principal } from '../security/principal.js'
import { findMismatch, isSignedByKey, readAssertion, type Assertion, challengeOf } from './assertion.js'

/** A signature with all that it takes to check it again, anywhere. */
export interface Signed extends Assertion {
  statement: Statement
  /** SPKI in DER, base64url. */
  public_key: string
  algorithm: number
}

/** What is signed, as the caller knows it by itself. */
export interface Wanted {
  /** @returns whether the statement is of just this */
  isOf: (statement: Statement) => boolean
  /** Where the signature stands in the request. */
  pointer: string
}

const refuse = (pointer: string, code: string, message: string) =>
  SignatureInvalid(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

const takeStatement = async (trx: Db, { workspace_id, user_id }: Principal, challenge: unknown, wanted: Wanted):
Promise<Statement> => {
  const found = typeof challenge === 'string'
    ? await takeChallenge(trx, workspace_id, user_id, challenge)
    : undefined
  if (!found) throw refuse(wanted.pointer, 'challenge', 'signs what was not asked, was used already, or is over')
  if (challengeOf(found) !== challenge || !wanted.isOf(found)) {
    throw refuse(wanted.pointer, 'statement', 'signs something else than this')
  }
  return found
}

type Credential = NonNullable<Awaited<ReturnType<typeof lockCredential>>>

/** The library checks the whole ceremony once more; it is loaded when the first person signs. */
const requireVerified = async (assertion: Assertion, statement: Statement, credential: Credential, pointer: string) => {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { credential_id: id, authenticator_data, client_data_json, signature } = assertion
  const response = {
    id,
    rawId: id,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: { authenticatorData: authenticator_data, clientDataJSON: client_data_json, signature }
  }
  const { verified } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challengeOf(statement),
    expectedOrigin: statement.origin,
    expectedRPID: statement.rp_id,
    credential: { id, publicKey: new Uint8Array(credential.public_key), counter: credential.counter },
    requireUserVerification: true
  }).catch(() => ({ verified: false }))
  if (!verified) throw refuse(pointer, 'signature', 'is not valid')
}

/**
 * Takes a signature for good: its challenge is used, its counter is kept. In the transaction of what it is for.
 * @throws signature_invalid, with why in `errors`
 */
export const takeSignature = async (trx: Db, principal: Principal, given: PasskeySignature, wanted: Wanted):
Promise<Signed> => {
  const { pointer } = wanted
  const { workspace_id, user_id } = principal
  const { credential_id, authenticator_data, client_data_json, signature } = given
  const assertion: Assertion = { credential_id, authenticator_data, client_data_json, signature }
  const read = readAssertion(assertion)
  if (!read) throw refuse(pointer, 'form', 'is no assertion of a passkey')
  const statement = await takeStatement(trx, principal, read.challenge, wanted)
  const credential = await lockCredential(trx, workspace_id, user_id, credential_id)
  if (!credential) throw refuse(`${pointer}/credential_id`, 'credential', 'is no passkey of yours')
  const mismatch = findMismatch(read, { ...statement, challenge: challengeOf(statement) })
  if (mismatch) throw refuse(pointer, mismatch.code, mismatch.message)
  if ((read.counter > 0 || credential.counter > 0) && read.counter <= credential.counter) {
    throw refuse(pointer, 'counter', 'is older than the last one: the passkey may have been copied')
  }
  const { toSpki } = await import('./public-key.js')
  const { key: public_key, algorithm } = toSpki(credential.public_key)
  if (!isSignedByKey(assertion, public_key, algorithm)) throw refuse(pointer, 'signature', 'is not valid')
  await requireVerified(assertion, statement, credential, pointer)
  await markUsed(trx, workspace_id, credential.id, read.counter)
  return { statement, ...assertion, public_key, algorithm }
}
