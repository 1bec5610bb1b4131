import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { defineError } from '../errors.js'

/** A write as it is signed: which call, the digest that an approval binds, and that of the plan as it is recorded. */
export interface SignedPlan { tool_call_id: string, input_digest: string, plan: string }

/** A change of policies or people as it is signed. */
export interface SignedOperation { method: string, path: string, body: string }

/** What a passkey signs the hash of: whose it is, for what, and where. Nothing in it can be left out or exchanged. */
export interface Statement {
  purpose: 'consent' | 'operation' | 'registration'
  workspace_id: string
  user_id: string
  rp_id: string
  origin: string
  /** Random: the same consent is never the same challenge. */
  nonce: string
  /** Of a consent: one, or one for each step in their order. */
  plans?: readonly SignedPlan[]
  operation?: SignedOperation
}

export const SignatureInvalid = defineError('signature_invalid', 'The signature of the passkey cannot be used', 422)
export const OperationSignatureRequired = defineError('operation_signature_required',
  'Changes of policies and people are signed with a passkey', 403)
export const PasskeysUnavailable = defineError('passkeys_unavailable', 'Passkeys do not work at this address', 409)

/** Carries the signature of an operation: its four parts with points between. */
export const signatureHeader = 'x-steward-signature'

const closed = { additionalProperties: false }

const bytes = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', examples: ['AQIDBA'], minLength: 1, maxLength, description })

const credentialId = bytes(1_400, 'The credential\'s id, in base64url')
const clientData = bytes(4_096, 'clientDataJSON, in base64url')

export const PasskeySignature = Type.Object({
  credential_id: credentialId,
  authenticator_data: bytes(4_096, 'authenticatorData, in base64url'),
  client_data_json: clientData,
  signature: bytes(2_048, 'In base64url')
}, { ...closed, $id: 'PasskeySignature', description: 'What navigator.credentials.get() gave for a challenge' })
export type PasskeySignature = Static<typeof PasskeySignature>

export const Passkey = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String(),
  rp_id: Type.String({ description: 'The host name at which it works' }),
  backed_up: Type.Boolean({ description: 'It is kept beyond the device that made it' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp)
}, { $id: 'Passkey' })
export type Passkey = Static<typeof Passkey>

export const PasskeyPage = page(Passkey, 'PasskeyPage')

export const ListPasskeys = Type.Object({
  ...PageQuery,
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Whose; others than my own are for admins' }))
})

export const PasskeyParams = Type.Object({ passkey_id: Id })

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Such as the device' })

const Credential = Type.Object({
  type: Words(['public-key']),
  id: Type.String(),
  transports: Type.Array(Type.String())
})

export const PasskeyOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Words(['public-key']), alg: Type.Integer() })),
  excludeCredentials: Type.Array(Credential),
  authenticatorSelection: Type.Object({ residentKey: Words(['preferred']), userVerification: Words(['required']) }),
  attestation: Words(['none']),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  expires_at: Timestamp
}, { $id: 'PasskeyOptions', description: 'For PublicKeyCredential.parseCreationOptionsFromJSON()' })
export type PasskeyOptions = Static<typeof PasskeyOptions>

export const CreatePasskey = Type.Object({
  name,
  client_data_json: clientData,
  attestation_object: bytes(65_536, 'attestationObject, in base64url'),
  transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 }))
}, { ...closed, $id: 'CreatePasskey', description: 'What navigator.credentials.create() gave' })
export type CreatePasskey = Static<typeof CreatePasskey>

export const UpdatePasskey = Type.Object({ name }, { ...closed, $id: 'UpdatePasskey' })

export const SignatureOptions = Type.Object({
  challenge: Type.String({ description: 'SHA-256 of the statement as canonical JSON (RFC 8785), in base64url' }),
  rpId: Type.String(),
  allowCredentials: Type.Array(Credential),
  userVerification: Words(['required']),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  expires_at: Timestamp,
  statement: Type.Record(Type.String(), Type.Unknown(), { description: 'What is signed' })
}, { $id: 'SignatureOptions', description: 'For PublicKeyCredential.parseRequestOptionsFromJSON()' })
export type SignatureOptions = Static<typeof SignatureOptions>

export const SignOperation = Type.Object({
  method: Words(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: Type.String({
    maxLength: 500,
    pattern: '^/',
    examples: ['/account/tokens'],
    description: 'Without host and query'
  }),
  body_digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: ['0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
    description: 'SHA-256 of the body as canonical JSON (RFC 8785), in hexadecimal; without a body, of null'
  })
}, { ...closed, $id: 'SignOperation', description: 'The request that will be sent' })
export type SignOperation = Static<typeof SignOperation>
