import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp } from '../common.js'

export const AuditKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
  kid: Type.String({ description: 'As key_id of a checkpoint names it' }),
  x: Type.String({ description: 'The public key, in base64url' }),
  created_at: Timestamp,
  retired_at: Nullable(Timestamp)
}, { $id: 'AuditKey', description: 'A public key, as RFC 8037 writes it' })

export const AuditKeys = Type.Object({ keys: Type.Array(AuditKey) }, {
  $id: 'AuditKeys', description: 'Keys with which checkpoints of the record are and were signed'
})
export type AuditKeys = Static<typeof AuditKeys>
