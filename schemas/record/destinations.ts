import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'

const kinds = ['webhook', 'syslog', 'otlp'] as const
const sends = ['all', 'checkpoints'] as const

const name = Type.String({ minLength: 1, maxLength: 100 })
const url = Type.String({
  minLength: 8,
  maxLength: 2_000,
  description: 'webhook and otlp: an http(s) address, of otlp with /v1/logs; syslog: `syslog+tls://host:6514` or ' +
    '`syslog+tcp://host:601`. A private one must be in OUTBOUND_ALLOW'
})
const secret = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'webhook: `whsec_` and base64 of 24 to 64 bytes, by default a new one; otlp: the value of the header ' +
    'Authorization. It is never shown again'
})
const ca = Nullable(Type.String({
  maxLength: 50_000, description: 'Of syslog over TLS: certificates in PEM by which the server is checked'
}))

export const AuditDestination = Type.Object({
  id: Id,
  name,
  kind: Words(kinds),
  url,
  ca,
  sends: Words(sends),
  has_secret: Type.Boolean(),
  enabled: Type.Boolean(),
  off_reason: Nullable(Type.String({ description: 'Why it was turned off: imported, secret_lost' })),
  position: Type.Integer({ description: 'The last entry that was delivered or set aside' }),
  checkpoint_position: Type.Integer({ description: 'The same of checkpoints' }),
  attempts: Type.Integer({ description: 'Attempts that failed one after the other' }),
  failing_since: Nullable(Timestamp),
  last_error: Nullable(Type.String()),
  last_sent_at: Nullable(Timestamp),
  next_attempt_at: Nullable(Timestamp),
  dead_letters: Type.Integer({ description: 'Deliveries that the receiver refused, and that were set aside' }),
  revision: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'AuditDestination', description: 'Where the record is forwarded to as it happens' })
export type AuditDestination = Static<typeof AuditDestination>

export const AuditDestinations = Type.Object({ items: Type.Array(AuditDestination) }, { $id: 'AuditDestinations' })

export const AddAuditDestination = Type.Object({
  name,
  kind: Words(kinds),
  url,
  ca: Type.Optional(ca),
  secret: Type.Optional(secret),
  sends: Words(sends, { default: 'all', description: 'all: entries and checkpoints' }),
  from: Words(['now', 'start'], { default: 'now', description: 'start: what is in the record already, too' })
}, { $id: 'AddAuditDestination', additionalProperties: false })
export type AddAuditDestination = Static<typeof AddAuditDestination>

export const UpdateAuditDestination = Type.Partial(Type.Object({
  name, url, ca, secret, sends: Words(sends), enabled: Type.Boolean()
}), { $id: 'UpdateAuditDestination', additionalProperties: false, minProperties: 1 })
export type UpdateAuditDestination = Static<typeof UpdateAuditDestination>

export const AddedAuditDestination = Type.Object({
  destination: AuditDestination,
  secret: Nullable(Type.String({ description: 'Of a webhook whose secret was made here: shown this once' }))
}, { $id: 'AddedAuditDestination' })

export const DestinationParams = Type.Object({ destination_id: Id })

export const AuditDeadLetter = Type.Object({
  id: Id,
  destination_id: Id,
  what: Words(['entries', 'checkpoints']),
  from_seq: Type.Integer(),
  to_seq: Type.Integer(),
  error: Type.String(),
  created_at: Timestamp
}, { $id: 'AuditDeadLetter', description: 'What a receiver did not take: it is still in the record' })

export const AuditDeadLetters = page(AuditDeadLetter, 'AuditDeadLetters')
export const ListDeadLetters = Type.Object(PageQuery, { additionalProperties: false })
export const DeadLetterParams = Type.Object({ destination_id: Id, letter_id: Id })

export const ForwardingTest = Type.Object({
  delivered: Type.Boolean(),
  error: Nullable(Type.String())
}, { $id: 'ForwardingTest', description: 'What became of a message that says that it is a test' })
