import type { Generated } from 'kysely'
import type { AuditKind, AuditTable, NullableJson, NullableTime, Time } from '../types.js'

export interface AuditEntryTable {
  workspace_id: string
  /** From 1 on, without a gap. */
  seq: number
  id: string
  at: Time
  kind: AuditKind
  write_id: string
  operation: string
  target: string | null
  outcome: string
  status: number | null
  user_id: string | null
  via: AuditTable['via']
  via_id: string | null
  remote_address: string | null
  request_id: string
  body: NullableJson<Record<string, unknown>>
  /** The hash of the entry before. */
  previous: string
  hash: string
  words: string
}

export interface AuditChainTable {
  workspace_id: string
  /** The last entry's. */
  seq: Generated<number>
  hash: string
  /** The last entry that retention has removed. */
  cut_seq: Generated<number>
  checkpoint_seq: Generated<number>
  /** The digest of the last checkpoint. */
  checkpoint_hash: string | null
  checkpoint_at: Time
}

export interface AuditCheckpointTable {
  workspace_id: string
  seq: number
  hash: string
  at: Time
  previous: string | null
  key_id: string
  public_key: string
  signature: string
}

export interface AuditKeyTable {
  workspace_id: string
  id: string
  public_key: string
  /** Encrypted; null once it is retired. */
  secret: Buffer | null
  created_at: Time
  retired_at: NullableTime
}

export interface AuditDestinationTable {
  workspace_id: string
  id: string
  name: string
  kind: 'webhook' | 'syslog' | 'otlp'
  url: string
  /** Certificates, in PEM, that a server over TLS is checked by. */
  ca: string | null
  sends: 'all' | 'checkpoints'
  /** Encrypted. */
  secret: Buffer | null
  enabled: Generated<boolean>
  off_reason: string | null
  status: Generated<'active'>
  /** The last entry that was delivered, or set aside. */
  position: Generated<number>
  checkpoint_position: Generated<number>
  attempts: Generated<number>
  failing_since: NullableTime
  last_error: string | null
  last_sent_at: NullableTime
  /** null = everything was sent. */
  next_attempt_at: NullableTime
  lease_epoch: Generated<number>
  lease_until: NullableTime
  revision: Generated<number>
  created_at: Time
  updated_at: Time
}

export interface AuditDeadLetterTable {
  workspace_id: string
  id: string
  destination_id: string
  what: 'entries' | 'checkpoints'
  from_seq: number
  to_seq: number
  error: string
  created_at: Time
}

declare module '../types.js' {
  interface Database {
    audit_entry: AuditEntryTable
    audit_chain: AuditChainTable
    audit_checkpoint: AuditCheckpointTable
    audit_key: AuditKeyTable
    audit_destination: AuditDestinationTable
    audit_dead_letter: AuditDeadLetterTable
  }
}
