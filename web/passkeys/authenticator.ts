import type { Schemas } from '../api/client'
import { Problem } from '../api/problem'
import { say } from '../texts/say'

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

type Listed = Schemas['SignatureOptions']['allowCredentials'][number]

const toDescriptor = ({ id, type, transports }: Listed): PublicKeyCredentialDescriptor => ({
  // The server lists what this browser named when the passkey was made.
  id: toBytes(id), type, transports: transports as AuthenticatorTransport[]
})

/** What the browser says when a person cancels, has no such passkey, or lets the time pass: it does not say which. */
const explain = (error: unknown, what: string): Problem => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return new Problem('passkey_known', 0, say('passkey.known'))
  if (name === 'SecurityError') return new Problem('passkeys_unavailable', 0, say('passkey.unavailable'))
  return new Problem('not_signed', 0, what)
}

const get = async <C>(credential: Promise<Credential | null>, what: string): Promise<C> => {
  const found = await credential.catch((error: unknown) => { throw explain(error, what) })
  if (!found) throw new Problem('not_signed', 0, what)
  // Asked for a public key, the browser gives one of this kind.
  return found as C
}

/** Has a new passkey made. @throws Problem when nothing was made */
export const createPasskey = async (options: Schemas['PasskeyOptions'], name: string):
Promise<Schemas['CreatePasskey']> => {
  const { challenge, user, excludeCredentials, expires_at: _, ...rest } = options
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...rest,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(toDescriptor)
  }
  const { response } = await get<PublicKeyCredential & { response: AuthenticatorAttestationResponse }>(
    navigator.credentials.create({ publicKey }), say('passkey.notMade'))
  return {
    name,
    client_data_json: toText(response.clientDataJSON),
    attestation_object: toText(response.attestationObject),
    transports: response.getTransports()
  }
}

/** Has one of the person's passkeys sign. @throws Problem when nothing was signed */
export const signWith = async (options: Schemas['SignatureOptions']): Promise<Schemas['PasskeySignature']> => {
  const { challenge, rpId, allowCredentials, userVerification, timeout } = options
  if (allowCredentials.length === 0) {
    throw new Problem('no_passkey', 0, say('passkey.none'))
  }
  const publicKey: PublicKeyCredentialRequestOptions = {
    rpId, userVerification, timeout, challenge: toBytes(challenge), allowCredentials: allowCredentials.map(toDescriptor)
  }
  const { id, response } = await get<PublicKeyCredential & { response: AuthenticatorAssertionResponse }>(
    navigator.credentials.get({ publicKey }), say('passkey.notSigned'))
  return {
    credential_id: id,
    authenticator_data: toText(response.authenticatorData),
    client_data_json: toText(response.clientDataJSON),
    signature: toText(response.signature)
  }
}
