import './identity-tables.js'
import type { Insertable } from 'kysely'
import { now, nowPlus } from '../clock.js'
import type { Db } from '../index.js'
import type { AccountIdentityAttemptTable } from './identity-tables.js'

/** How long a person may take on the provider's pages. */
export const attemptSeconds = 600

type NewAttempt = Omit<Insertable<AccountIdentityAttemptTable>, 'expires_at' | 'created_at'>

/** Stores an attempt to sign in, and deletes the expired ones of its workspace. */
export const insertAttempt = async (db: Db, attempt: NewAttempt): Promise<void> => {
  await db.deleteFrom('account_identity_attempt').where('workspace_id', '=', attempt.workspace_id)
    .where('expires_at', '<=', now).execute()
  await db.insertInto('account_identity_attempt').values({ ...attempt, expires_at: nowPlus(attemptSeconds) }).execute()
}

/** Deletes the attempt. @returns it; undefined when it was used, is too old, of another provider or browser */
export const takeAttempt = (db: Db, workspaceId: string, providerId: string, stateHash: Buffer, bindingHash: Buffer) =>
  db.deleteFrom('account_identity_attempt')
    .where('workspace_id', '=', workspaceId).where('state_hash', '=', stateHash)
    .where('provider_id', '=', providerId).where('binding_hash', '=', bindingHash).where('expires_at', '>', now)
    .returning(['user_id', 'session_id', 'kept', 'return_to']).executeTakeFirst()

export type AttemptRow = NonNullable<Awaited<ReturnType<typeof takeAttempt>>>
