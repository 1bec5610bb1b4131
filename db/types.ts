import type { ColumnType, Generated, Kysely } from 'kysely'
import type { OwnSettings } from '../schemas/account/workspace-settings.js'

/** A database time: read as Date, written as Date, text or left to its default. */
export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A json column: the driver parses it on the way out; on the way in it is JSON text. */
export type Json<T> = ColumnType<T, string, string>
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export type { Role } from '../schemas/account/users.js'

export interface WorkspaceTable {
  id: string
  name: string
  /** As requests name them: lower case, ASCII, without port and final dot. */
  hosts: Generated<string[]>
  settings: ColumnType<OwnSettings, string | undefined, string>
  /** Encrypted. */
  model_api_key: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  /** How the workspace's model is asked, with its key. */
  model_connection: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  /** Its admins are the installation's. */
  is_first: Generated<boolean>
  /** Since when it is being deleted: nothing finds it any more. */
  deleted_at: NullableTime
  created_at: Time
  updated_at: Time
  revision: Generated<number>
}

/** What was recorded and is not numbered yet; see db/record. */
export interface AuditTable {
  workspace_id: string
  id: string
  at: Time
  user_id: string | null
  via: 'browser' | 'token' | 'assistant' | 'system'
  via_id: string | null
  operation: string
  target: string | null
  outcome: string
  /** Of the answer; null = the entry is of no answer. */
  status: number | null
  remote_address: string | null
  request_id: string
  kind: Generated<AuditKind>
  /** The same for all entries of one write; null = it has this one. */
  write_id: ColumnType<string | null, string | null | undefined, never>
  body: NullableJson<Record<string, unknown>>
}

/** `direct`: a request of a person, a token or a run; the others are what became of a write that asks first. */
export type AuditKind = 'asked' | 'decided' | 'sent' | 'ended' | 'direct'

export interface IdempotencyKeyTable {
  workspace_id: string
  principal: string
  operation: string
  key: string
  body_hash: Buffer
  status: number | null
  headers: NullableJson<Record<string, string>>
  body: string | null
  /** When the request passed its point of no return; null = nothing was sent or committed. */
  sent_at: NullableTime
  /** Which request holds the key. */
  claim: string | null
  created_at: Time
  finished_at: NullableTime
}

export interface RateWindowTable {
  workspace_id: string
  principal: string
  window_start: Time
  count: number
}

export interface TargetClaimTable {
  workspace_id: string
  target: string
  /** Whose it is; another each time. */
  claim: string
  claimed_at: Time
  expires_at: Time
}

/** What a call under way may cost at most. */
export interface ModelReservationTable {
  workspace_id: string
  user_id: string
  id: string
  micros: number
  expires_at: Time
}

export interface StreamEventTable {
  workspace_id: string
  stream_id: string
  /** Position of the event's last unit; a content event is as long as its text, any other is 1 long. */
  position: number
  event: string
  data: Json<Record<string, unknown>>
  created_at: Time
}

/** One row type per table: those of no area here, each other one beside its queries, where `tables.ts` adds it. */
export interface Database {
  workspace: WorkspaceTable
  audit: AuditTable
  idempotency_key: IdempotencyKeyTable
  rate_window: RateWindowTable
  target_claim: TargetClaimTable
  model_reservation: ModelReservationTable
  stream_event: StreamEventTable
}

/** The database, or a transaction of it. */
export type Db = Kysely<Database>
