import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'

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

export const auditKinds = ['asked', 'decided', 'sent', 'ended', 'direct'] as const

const fields = {
  seq: Type.Integer({ description: 'Its number in the workspace\'s chain, from 1 on without a gap' }),
  id: Id,
  at: Timestamp,
  kind: Words(auditKinds, {
    description: 'asked: a write was proposed, with its plan; decided: a person decided; sent: it was claimed, right ' +
      'before it went out; ended: what came back, or that nobody knows; direct: a request that writes'
  }),
  write_id: Type.String({ format: 'uuid', description: 'The same in all entries of one write' }),
  operation: Type.String({ description: 'The operation or tool' }),
  target: Nullable(Type.String({ description: 'The canonical id of what it acts on' })),
  outcome: Type.String({
    description: 'pending; approved or rejected; sent; succeeded, failed, unknown and other ends of a call; of a ' +
      'direct one succeeded, or the code of the error'
  }),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer' })),
  user_id: Nullable(Id),
  via: Words(['browser', 'token', 'assistant', 'system']),
  via_id: Nullable(Type.String({ description: 'The browser session, the API token or the run' })),
  remote_address: Nullable(Type.String()),
  request_id: Type.String({ description: 'The request, or the run' }),
  body: Nullable(Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the kind says: plan, requirement, decision, arguments, calls to providers with their request ' +
      'ids. Secrets are redacted, and what is cut says so. Texts in it come from outside'
  })),
  previous: Type.String({ description: 'The hash of the entry before' }),
  hash: Type.String({ description: 'SHA-256 of the entry without it, as canonical JSON' })
}

export const AuditEntry = Type.Object(fields, { $id: 'AuditEntry' })
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = page(AuditEntry, 'AuditPage')

const filters = {
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Who asked or decided' })),
  target: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Names or ids of what was acted on: all of their words, such as `web prod`, or the whole id'
  })),
  operation: Type.Optional(Type.String({ maxLength: 100, description: 'The operation or tool, such as scaleService' })),
  outcome: Type.Optional(Type.String({
    maxLength: 100, description: 'Such as approved, rejected, succeeded, failed, unknown, or the code of an error'
  })),
  kind: Type.Optional(Words(auditKinds, { description: 'What the entry is of a write' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'From this time on' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time' })),
  q: Type.Optional(Type.String({
    minLength: 1, maxLength: 500, description: 'All of these words, or their beginnings, anywhere in the entry'
  }))
}

export const ListAudit = Type.Object({ ...filters, ...PageQuery }, { additionalProperties: false })
export type ListAudit = Static<typeof ListAudit>

export const ExportAudit = Type.Object({
  ...filters,
  format: Words(['ndjson', 'csv'], {
    default: 'ndjson', description: 'ndjson can be verified, when it is exported without filters; csv is for tables'
  })
}, { additionalProperties: false })
export type ExportAudit = Static<typeof ExportAudit>

export const AuditLines = Type.Unsafe<NodeJS.ReadableStream>({
  $id: 'AuditLines', type: 'string', description: 'Lines of JSON, or a table'
})

const AuditStep = Type.Object({
  seq: fields.seq,
  at: Timestamp,
  kind: fields.kind,
  outcome: fields.outcome,
  status: fields.status,
  user_id: fields.user_id,
  via: fields.via,
  reason: Nullable(Type.String({ description: 'Of a decision: why, or the changes that were requested' }))
}, { $id: 'AuditStep' })

export const AuditWrite = Type.Object({
  write_id: fields.write_id,
  operation: fields.operation,
  target: fields.target,
  summary: Nullable(Type.String({ description: 'Of a write that was asked for: what it changes, in one sentence' })),
  user_id: Nullable(Type.Unsafe<string>({ ...Id, description: 'Who asked for it, or sent it' })),
  via: fields.via,
  outcome: Type.String({
    description: 'Where it stands: pending, approved, rejected, sent, or how it ended; of a refused request the code ' +
      'of the error'
  }),
  decided_by: Nullable(Type.String({
    description: 'What let it run unasked: policy:v3:staging or grant:<id>; null where people decided, or nobody yet'
  })),
  began_at: Timestamp,
  at: Timestamp,
  steps: Type.Array(AuditStep, { description: 'Its entries in their order, without what they contain' })
}, { $id: 'AuditWrite', description: 'One write, with all that is recorded of it in short' })
export type AuditWrite = Static<typeof AuditWrite>

export const AuditWritePage = page(AuditWrite, 'AuditWritePage')

const { kind: _, ...ofWrites } = filters

export const ListAuditWrites = Type.Object({ ...ofWrites, ...PageQuery }, { additionalProperties: false })
export type ListAuditWrites = Static<typeof ListAuditWrites>

export const WriteParams = Type.Object({
  write_id: Type.String({ format: 'uuid', description: 'As an entry names it; of a call of a tool, its tool_call_id' })
})

export const WriteAccount = Type.Object({
  write_id: Id,
  entries: Type.Array(AuditEntry),
  began_by: Nullable(AuditEntry)
}, {
  $id: 'WriteAccount',
  description: 'All that is recorded of one write, in the order in which it happened. began_by: the request or the ' +
    'trigger that began the run which asked'
})
export type WriteAccount = Static<typeof WriteAccount>
