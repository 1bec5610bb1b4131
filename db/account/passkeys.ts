import type { Generated } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Statement } from '../../schemas/account/passkeys.js'
import { clock, clockPlus, now } from '../clock.js'
import { duplicateOf } from '../connection-errors.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'
import type { Json, NullableTime } from '../types.js'

/** A key with which a person signs; its private half never leaves their device. */
export interface AccountPasskeyTable {
  workspace_id: string
  id: string
  user_id: string
  name: string
  /** base64url, as the authenticator names it. */
  credential_id: string
  /** COSE. */
  public_key: Buffer
  /** COSE's number. */
  algorithm: number
  counter: number
  transports: Json<string[]>
  /** The host name for which it was made; browsers offer it nowhere else. */
  rp_id: string
  backed_up: boolean
  created_at: Generated<Date>
  last_used_at: NullableTime
}

/** What a person was asked to sign; a row is taken by the signature. */
export interface AccountChallengeTable {
  workspace_id: string
  challenge: string
  user_id: string
  statement: Json<Statement>
  expires_at: Date
}

declare module '../types.js' {
  interface Database { account_passkey: AccountPasskeyTable, account_challenge: AccountChallengeTable }
}

const shown = ['id', 'user_id', 'name', 'rp_id', 'backed_up', 'created_at', 'last_used_at'] as const

export type NewPasskey = Omit<AccountPasskeyTable, 'workspace_id' | 'id' | 'created_at' | 'last_used_at' |
  'transports'> & { transports: string[] }

export const insertPasskey = (db: Db, workspaceId: string, { transports, ...passkey }: NewPasskey) =>
  db.insertInto('account_passkey')
    .values({ ...passkey, workspace_id: workspaceId, id: uuid(), transports: JSON.stringify(transports) })
    .returning(shown).executeTakeFirstOrThrow()

export type PasskeyRow = Awaited<ReturnType<typeof insertPasskey>>

export const isKnownPasskey = duplicateOf('account_passkey_workspace_id_credential_id_key')

export const listPasskeys = (db: Db, workspaceId: string, userId: string, { before, limit }: Slice):
Promise<PasskeyRow[]> =>
  db.selectFrom('account_passkey').select(shown).where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns what browsers need to find the person's keys; at most as many as a person may have */
export const listCredentials = (db: Db, workspaceId: string, userId: string) =>
  db.selectFrom('account_passkey').select(['credential_id', 'transports', 'rp_id'])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).orderBy('id').execute()

export const hasPasskeys = async (db: Db, workspaceId: string, userId: string): Promise<boolean> =>
  await db.selectFrom('account_passkey').select('id').where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).limit(1).executeTakeFirst() !== undefined

/** Locked until the end of the transaction: of two signatures of one key, the counter of each is compared. */
export const lockCredential = (trx: Db, workspaceId: string, userId: string, credentialId: string) =>
  trx.selectFrom('account_passkey').select(['id', 'credential_id', 'public_key', 'algorithm', 'counter', 'rp_id'])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
    .where('credential_id', '=', credentialId).forUpdate().executeTakeFirst()

export const markUsed = async (trx: Db, workspaceId: string, id: string, counter: number): Promise<void> => {
  await trx.updateTable('account_passkey').set({ counter, last_used_at: clock })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @param userId whose it must be; null = anybody's */
export const findPasskey = (db: Db, workspaceId: string, userId: string | null, id: string) =>
  db.selectFrom('account_passkey').select([...shown, 'credential_id']).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).$if(userId !== null, (query) => query.where('user_id', '=', String(userId)))
    .executeTakeFirst()

/** @returns undefined when the person has none with this id */
export const renamePasskey = (db: Db, workspaceId: string, userId: string, id: string, name: string) =>
  db.updateTable('account_passkey').set({ name }).where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).where('id', '=', id).returning(shown).executeTakeFirst()

export const deletePasskey = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('account_passkey').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns the credentials that are gone */
export const deletePasskeysOf = async (db: Db, workspaceId: string, userId: string): Promise<string[]> =>
  (await db.deleteFrom('account_passkey').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
    .returning('credential_id').execute()).map(({ credential_id: id }) => id)

/** Keeps what a person is asked to sign; what was never signed goes. */
export const insertChallenge = async (db: Db, statement: Statement, challenge: string, seconds: number):
Promise<Date> => {
  const { workspace_id, user_id } = statement
  await db.deleteFrom('account_challenge').where('workspace_id', '=', workspace_id)
    .where('expires_at', '<=', now).execute()
  const row = { workspace_id, user_id, challenge, statement: JSON.stringify(statement) }
  const made = await db.insertInto('account_challenge').values({ ...row, expires_at: clockPlus(seconds) })
    .returning('expires_at').executeTakeFirstOrThrow()
  return made.expires_at
}

/** Takes a challenge for good. @returns what it is for; undefined when it is over, was used, or is another person's */
export const takeChallenge = async (db: Db, workspaceId: string, userId: string, challenge: string):
Promise<Statement | undefined> =>
  (await db.deleteFrom('account_challenge').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
    .where('challenge', '=', challenge).where('expires_at', '>', clock)
    .returning('statement').executeTakeFirst())?.statement
