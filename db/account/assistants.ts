import { sql } from 'kysely'
import type { ConnectedAssistant, Resource } from '../../schemas/account/assistants.js'
import type { Scope } from '../../schemas/account/scopes.js'
import { ago, now, nowPlus, setOnce } from '../clock.js'
import { anyOf, type Slice } from '../columns.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import { ownedBy } from './tokens.js'

export interface NewAssistant {
  workspace_id: string
  id: string
  user_id: string
  name: string
  client_id: string
  client_host: string | null
  redirect_host: string | null
  /** As the client named it. */
  uri: string
  resource: Resource
  scopes: Scope[]
  /** Of nothing that anybody has: the first token replaces it. */
  hash: Buffer
  prefix: string
}

/** Within so many seconds it fetches its first token. */
const firstSeconds = 900

/** In a transaction. @param seconds after which it has to ask again, whatever it refreshes */
export const insertAssistant = async (trx: Db, assistant: NewAssistant, seconds: number): Promise<void> => {
  const { workspace_id, id, user_id, name, resource, hash, prefix, uri, ...rest } = assistant
  const scopes = JSON.stringify(assistant.scopes)
  const until = nowPlus(firstSeconds)
  await trx.insertInto('account_token').values({
    workspace_id,
    id,
    user_id,
    name,
    resource,
    hash,
    prefix,
    scopes,
    assistant: true,
    access_until: now,
    expires_at: until
  }).execute()
  await trx.insertInto('account_assistant').values({
    workspace_id,
    id,
    client_id: rest.client_id,
    client_host: rest.client_host,
    redirect_host: rest.redirect_host,
    resource: uri,
    scopes,
    until: nowPlus(seconds)
  }).execute()
}

const joined = (db: Db, workspaceId: string) => db.selectFrom('account_assistant as assistant')
  .innerJoin('account_token as token', (join) => join
    .onRef('token.workspace_id', '=', 'assistant.workspace_id').onRef('token.id', '=', 'assistant.id'))
  .where('assistant.workspace_id', '=', workspaceId).where('token.revoked_at', 'is', null)

const selectGrant = (db: Db, workspaceId: string) => joined(db, workspaceId).select(['assistant.id',
  'assistant.client_id', 'assistant.resource as uri', 'assistant.scopes', 'assistant.until', 'token.user_id',
  'token.resource', 'token.scopes as token_scopes', 'token.access_until', 'token.created_at'])

/** @returns what was consented to, unless it has been taken back */
export const findGrant = (db: Db, workspaceId: string, id: string) =>
  selectGrant(db, workspaceId).where('assistant.id', '=', id).executeTakeFirst()

/** @returns what the token with this hash is of */
export const findGrantOfToken = (db: Db, workspaceId: string, hash: Buffer) =>
  selectGrant(db, workspaceId).where('token.hash', '=', hash).where('token.access_until', '>', now).executeTakeFirst()

export interface NewAccess { hash: Buffer, scopes: Scope[], seconds: number }

/** The token before it is refused from now on. @returns false when the connection has ended */
export const replaceAccess = async (db: Db, workspaceId: string, id: string, { hash, scopes, seconds }: NewAccess):
Promise<boolean> => await db.updateTable('account_token')
  .set({
    hash,
    scopes: JSON.stringify(scopes),
    access_until: nowPlus(seconds),
    expires_at: sql<Date>`greatest(expires_at, ${nowPlus(seconds)})`
  })
  .where('workspace_id', '=', workspaceId).where('id', '=', id).where('revoked_at', 'is', null)
  .returning('id').executeTakeFirst() !== undefined

/** It has a new refresh token, which holds so long. */
export const extendAssistant = async (db: Db, workspaceId: string, id: string, seconds: number): Promise<void> => {
  await db.updateTable('account_token').set({ expires_at: nowPlus(seconds) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('revoked_at', 'is', null).execute()
}

/** @param userId null = everybody's. @returns those that are connected */
export const listAssistants = (db: Db, workspaceId: string, userId: string | null, { before, limit }: Slice):
Promise<ConnectedAssistant[]> => joined(db, workspaceId)
  .select(['assistant.id', 'token.user_id', 'token.name', 'assistant.client_id', 'assistant.client_host',
    'assistant.redirect_host', 'assistant.scopes', 'token.created_at', 'token.last_used_at', 'token.expires_at'])
  // The two have the same words; that of the token is never null here.
  .select(sql<Resource>`token.resource`.as('resource'))
  .where('token.expires_at', '>', now).where(ownedBy(userId))
  .$if(before !== undefined, (query) => query.where('assistant.id', '<', String(before)))
  .orderBy('assistant.id', 'desc').limit(limit).execute()

/** @param userId null = anybody's. @returns whether there is such a one; ending it again changes nothing */
export const endAssistant = async (db: Db, workspaceId: string, userId: string | null, id: string): Promise<boolean> =>
  await db.updateTable('account_token').set({ revoked_at: setOnce('revoked_at', now) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('resource', 'is not', null)
    .where(ownedBy(userId)).returning('id').executeTakeFirst() !== undefined

/** Of a workspace that was imported: its programs were let in elsewhere, and here nobody sees or disconnects them. */
export const endAssistantsOf = async (trx: Db, workspaceId: string): Promise<void> => {
  await trx.updateTable('account_token').set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId).where('resource', 'is not', null).where('revoked_at', 'is', null).execute()
}

const deleteEnded = (db: Db, workspaceId: string, ids: string[]) => db.transaction().execute(async (trx) => {
  for (const table of ['account_assistant', 'account_token'] as const) {
    await trx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('id', '=', anyOf(ids)).execute()
  }
})

/** Deletes those that ended long ago: until then the record's entries and runs name them. */
export const deleteOldAssistants = async (db: Db): Promise<void> => {
  await sweep(db, async (reach) => {
    const rows = await db.selectFrom('account_assistant').select(['workspace_id', 'id'])
      .where(reach(sql`until < ${ago('7 days')}`)).execute()
    for (const workspaceId of new Set(rows.map((row) => row.workspace_id))) {
      await deleteEnded(db, workspaceId, rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id))
    }
  })
}

/** @returns whose it is, connected or not */
export const findAssistantOwner = async (db: Db, workspaceId: string, id: string): Promise<string | undefined> =>
  (await db.selectFrom('account_token').select('user_id').where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where('resource', 'is not', null).executeTakeFirst())?.user_id
