import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { now, nowPlus } from '../clock.js'
import type { Db } from '../index.js'

export type LinkPurpose = 'bootstrap' | 'invitation'

interface NewLink {
  workspace_id: string
  user_id: string
  purpose: LinkPurpose
  hash: Buffer
  issued_by: string | null
}

/** @returns when the link expires, by the database's clock */
export const insertLink = async (db: Db, link: NewLink, seconds: number): Promise<Date> => {
  const made = await db.insertInto('account_link')
    .values({ ...link, id: uuid(), expires_at: nowPlus(seconds) })
    .returning('expires_at').executeTakeFirstOrThrow()
  return made.expires_at
}

export const findLink = (db: Db, workspaceId: string, hash: Buffer) =>
  db.selectFrom('account_link').select(['id', 'user_id', 'purpose', 'issued_by'])
    .select(sql<boolean>`used_at is not null`.as('used'))
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .where('workspace_id', '=', workspaceId).where('hash', '=', hash).executeTakeFirst()

/** @returns whether this call is the one that used the link */
export const claimLink = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  await db.updateTable('account_link').set({ used_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('used_at', 'is', null)
    .returning('id').executeTakeFirst() !== undefined

/** Unused links of the user or purpose count as used from now on. */
export const voidLinks = (db: Db, workspaceId: string, which: { user_id: string } | { purpose: LinkPurpose }) =>
  db.updateTable('account_link').set({ used_at: now })
    .where('workspace_id', '=', workspaceId).where('used_at', 'is', null)
    .where((eb) => 'user_id' in which ? eb('user_id', '=', which.user_id) : eb('purpose', '=', which.purpose))
    .execute()
