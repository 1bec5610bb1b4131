import { sql } from 'kysely'
import { forgetProviderSecret } from './account/identities.js'
import { forgetSessionTokens } from './account/identity-sessions.js'
import { deleteClient } from './account/oauth-clients.js'
import { forgetChannelSecret, retirePushKey } from './channels/channels.js'
import { forgetTokens } from './codehost/grants.js'
import type { Db } from './index.js'
import { forgetDestinationSecret } from './record/destinations.js'
import { retireKey } from './record/checkpoints.js'
import { forgetHeaders } from './toolservers/servers.js'

/**
 * Every column in which something lies encrypted for as long as its row. `as`: the column's name when it was encrypted.
 * Answers kept under an Idempotency-Key and verifiers of a sign-in are not among them: they live a day at most.
 */
export const encryptedColumns = [
  { table: 'account_identity_provider', column: 'secret', as: 'secret' },
  { table: 'account_identity_session', column: 'tokens', as: 'tokens' },
  { table: 'codehost_identity', column: 'access_token', as: 'access_token' },
  { table: 'codehost_identity', column: 'refresh_token', as: 'refresh_token' },
  { table: 'cloud_account', column: 'secret', as: 'secret' },
  { table: 'content_target', column: 'secret', as: 'secret' },
  { table: 'content_target', column: 'previous_secret', as: 'secret' },
  { table: 'agent_trigger', column: 'secret', as: 'secret' },
  { table: 'workspace', column: 'model_api_key', as: 'model_api_key' },
  { table: 'workspace', column: 'model_connection', as: 'model_connection' },
  { table: 'tool_server', column: 'headers', as: 'headers' },
  { table: 'audit_destination', column: 'secret', as: 'secret' },
  { table: 'audit_key', column: 'secret', as: 'secret' },
  { table: 'channel', column: 'secret', as: 'secret' },
  { table: 'channel_push_key', column: 'secret', as: 'secret' },
  { table: 'account_oauth_client', column: 'metadata', as: 'metadata' }
] as const

export type EncryptedTable = typeof encryptedColumns[number]['table']

/** The column that names the workspace. */
const ownerOf = (table: EncryptedTable): string => table === 'workspace' ? 'id' : 'workspace_id'

export interface EncryptedCell {
  workspace_id: string
  id: string
  table: EncryptedTable
  column: typeof encryptedColumns[number]['column']
  /** What it is encrypted for. */
  context: string
  encrypted: Buffer
}

/** @returns all encrypted values of the database: for a new key, and to see whether an old one is missing */
export const listEncryptedCells = async (db: Db): Promise<EncryptedCell[]> => {
  const found = await Promise.all(encryptedColumns.map(async ({ table, column, as }) => {
    const { rows } = await sql<{ workspace_id: string, id: string, encrypted: Buffer }>`
      select ${sql.ref(ownerOf(table))} as workspace_id, id, ${sql.ref(column)} as encrypted from ${sql.table(table)}
      where ${sql.ref(column)} is not null
    `.execute(db)
    return rows.map((row) => ({ ...row, table, column, context: `${table}|${row.id}|${as}` }))
  }))
  return found.flat()
}

/** Writes the same secret again, encrypted again; not over another one that came meanwhile. */
export const replaceEncrypted = async (db: Db, { workspace_id, id, table, column, encrypted }: EncryptedCell,
  anew: Buffer): Promise<void> => {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
    where ${sql.ref(ownerOf(table))} = ${workspace_id} and id = ${id} and ${sql.ref(column)} = ${encrypted}`.execute(db)
}

/** A target must never send unsigned: without its secret it takes nothing until it has one again. */
const forgetSecret = async (db: Db, { workspace_id, id, column }: EncryptedCell): Promise<void> => {
  await db.updateTable('content_target')
    .set({ previous_secret: null, ...(column === 'secret' && { secret: null, disabled_reason: 'secret_lost' }) })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}

const forgetKeys = async (db: Db, { workspace_id, id }: EncryptedCell): Promise<void> => {
  await db.updateTable('cloud_account').set({ secret: null, status: 'unverified' })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}

/** A trigger without its secret would believe anybody: it is off until it has one again. */
const forgetTriggerSecret = async (db: Db, { workspace_id, id }: EncryptedCell): Promise<void> => {
  await db.updateTable('agent_trigger').set({ secret: null, enabled: false, off_reason: 'secret_lost' })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}

/** The model is asked as the installation does again. */
const forgetModelKey = async (db: Db, { id, column }: EncryptedCell): Promise<void> => {
  const nothing = column === 'model_connection' ? { model_connection: null } : { model_api_key: null }
  await db.updateTable('workspace').set(nothing).where('id', '=', id).execute()
}

const forget: Record<EncryptedTable, (db: Db, cell: EncryptedCell) => Promise<void>> = {
  account_identity_provider: (db, { workspace_id, id }) => forgetProviderSecret(db, workspace_id, id),
  account_identity_session: (db, { workspace_id, id }) => forgetSessionTokens(db, workspace_id, id),
  codehost_identity: (db, { workspace_id, id }) => forgetTokens(db, workspace_id, id),
  cloud_account: forgetKeys,
  content_target: forgetSecret,
  agent_trigger: forgetTriggerSecret,
  workspace: forgetModelKey,
  tool_server: (db, { workspace_id, id }) => forgetHeaders(db, workspace_id, id),
  audit_destination: (db, { workspace_id, id }) => forgetDestinationSecret(db, workspace_id, id),
  // The next checkpoint is signed with a new one.
  audit_key: (db, { workspace_id, id }) => retireKey(db, workspace_id, id),
  channel: (db, { workspace_id, id }) => forgetChannelSecret(db, workspace_id, id),
  channel_push_key: (db, { workspace_id, id }) => retirePushKey(db, workspace_id, id),
  account_oauth_client: (db, { workspace_id, id }) => deleteClient(db, workspace_id, id)
}

/** Gives up what nothing can open any more: its owner enters it again. */
export const forgetEncrypted = (db: Db, cell: EncryptedCell): Promise<void> => forget[cell.table](db, cell)
