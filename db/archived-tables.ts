import { sql } from 'kysely'
import type { Db } from './index.js'
import type { Database } from './types.js'
import { inOrder, listTables, type Table } from './schema-tables.js'

/** Tables whose rows no archive has, and why. */
export const leftOutTables = {
  account_challenge: 'what people were asked to sign, which lives five minutes and is bound to this address',
  account_assistant: 'programs that were let in here: elsewhere they ask again',
  account_identity_attempt: 'sign-ins under way, which live ten minutes and are bound to a browser at this address',
  account_identity_session: 'tokens of providers, which two installations cannot both renew: people sign in again',
  account_logout_token: 'logout tokens that were taken at this address, which hold for minutes',
  account_oauth_client: 'clients that registered with this installation',
  account_oauth_state: 'consents under way, and refresh tokens, which are taken at this address alone',
  account_passkey: 'they sign at this installation\'s address, and nowhere else',
  audit_key: 'keys of this installation, which sign for all its workspaces; checkpoints have the public halves',
  agent_queued_message: 'messages that wait for a run, which ends at the import',
  content_calendar: 'addresses of calendars at this installation: elsewhere people make others',
  channel_click: 'clicks that are being taken, which lasts for moments',
  channel_push_key: 'keys of this installation: browsers that subscribed elsewhere subscribe here again',
  channel_request: 'signatures of requests to this installation, which hold for minutes',
  codehost_authorization: 'sign-ins under way, which live ten minutes and are bound to a browser at this address',
  idempotency_key: 'answers to requests that this installation may be asked again within a day',
  model_reservation: 'what calls of the model that are under way may still cost',
  rate_window: 'requests of this minute, counted',
  target_claim: 'which change is being sent now, which lasts for seconds'
} as const satisfies { [Table in keyof Database]?: string }

/** Columns that say what a workspace is in this installation. */
const ownColumns: Record<string, readonly string[]> = { workspace: ['is_first', 'deleted_at'] }

export interface ArchivedColumn {
  name: string
  /** As a cast writes it. */
  type: string
  /** Its position in the primary key; null = it is not in it. */
  key: number | null
  isText: boolean
  /** Whether a row must bring it. */
  required: boolean
}

export interface ArchivedTable extends Table {
  by: string
  /** By name, whatever the order in which migrations added them. */
  columns: ArchivedColumn[]
}

const listColumns = async (db: Db): Promise<(ArchivedColumn & { table: string })[]> =>
  (await sql<ArchivedColumn & { table: string }>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      array_position(i.indkey::int2[], a.attnum) as key, a.attcollation <> 0 as "isText",
      a.attnotnull and not a.atthasdef as required
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname, a.attname`.execute(db)).rows

/** @returns every table that is a workspace's, each after those that it refers to: a new one is among them by itself */
export const listArchivedTables = async (db: Db): Promise<ArchivedTable[]> => {
  const columns = await listColumns(db)
  return inOrder(await listTables(db)).flatMap((table) => {
    const { name, by } = table
    if (by === null || name in leftOutTables) return []
    const own = columns.filter((one) => one.table === name && !ownColumns[name]?.includes(one.name))
    return [{ ...table, by, columns: own.map(({ table: _, ...column }) => column) }]
  })
}

/** @returns the migrations that were run here, in the order of their names */
export const listMigrations = async (db: Db): Promise<string[]> =>
  (await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db)).rows
    .map(({ name }) => name)
