import { sql, type Updateable } from 'kysely'
import type { ChannelEvent, Digest, Quiet } from '../../schemas/channels/channels.js'
import { clock, clockPlus, now, setOnce } from '../clock.js'
import { count, next } from '../columns.js'
import type { WorkKey } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { ChannelTable } from './tables.js'

/** @returns the key of the installation, which is in its first workspace */
export const findPushKey = (db: Db, home: string) => db.selectFrom('channel_push_key')
  .select(['id', 'public_key', 'secret']).where('workspace_id', '=', home).where('retired_at', 'is', null)
  .executeTakeFirst()

/** Stores a key, unless another process has stored one. */
export const insertPushKey = async (db: Db, home: string, key: { id: string, public_key: string, secret: Buffer }):
Promise<void> => {
  await db.insertInto('channel_push_key').values({ workspace_id: home, ...key })
    .onConflict((conflict) => conflict.column('workspace_id').where('retired_at', 'is', null).doNothing()).execute()
}

/** Browsers that subscribed with it are not reached any more: their people add them again. */
export const retirePushKey = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('channel_push_key').set({ retired_at: now, secret: null }).where('workspace_id', '=', home)
    .where('id', '=', id).execute()
}

const columns = ['workspace_id', 'id', 'user_id', 'kind', 'name', 'address', 'secret', 'events', 'quiet', 'digest',
  'confirmed_at', 'enabled', 'off_reason', 'attempts', 'failing_since', 'paused_until', 'last_error', 'last_sent_at',
  'revision', 'created_at', 'updated_at'] as const

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('channel').select(columns).where('workspace_id', '=', workspaceId)

export const listChannels = (db: Db, workspaceId: string, userId: string) =>
  select(db, workspaceId).where('user_id', '=', userId).orderBy('id').execute()

export type ChannelRow = Awaited<ReturnType<typeof listChannels>>[number]

/** @returns channels to which something may be sent */
export const listOpenChannels = (db: Db, workspaceId: string): Promise<ChannelRow[]> =>
  select(db, workspaceId).where('enabled', '=', true).where('confirmed_at', 'is not', null).orderBy('id').execute()

export const findChannel = (db: Db, workspaceId: string, id: string): Promise<ChannelRow | undefined> =>
  select(db, workspaceId).where('id', '=', id).executeTakeFirst()

export const countChannels = async (db: Db, workspaceId: string, userId: string): Promise<number> =>
  (await db.selectFrom('channel').select(count.as('count')).where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId).executeTakeFirstOrThrow()).count

type Settings = { events?: ChannelEvent[], quiet?: Quiet | null, digest?: Digest | null, next_digest_at?: Date | null }

const toColumns = ({ events, quiet, digest, next_digest_at: at }: Settings) => ({
  ...(events !== undefined && { events: JSON.stringify(events) }),
  ...(quiet !== undefined && { quiet: quiet && JSON.stringify(quiet) }),
  ...(digest !== undefined && { digest: digest && JSON.stringify(digest) }),
  ...(at !== undefined && { next_digest_at: at })
})

export type NewChannel = Pick<ChannelTable, 'id' | 'user_id' | 'kind' | 'name' | 'address' | 'secret'> &
  Settings & { events: ChannelEvent[], code_hash: Buffer | null }

const codeSeconds = 600

/** In a transaction: from then on events of the workspace are looked for. */
export const insertChannel = async (trx: Db, workspaceId: string, made: NewChannel): Promise<void> => {
  const { events, quiet, digest, next_digest_at: at, ...row } = made
  await trx.insertInto('channel').values({
    ...row,
    events: JSON.stringify(events),
    ...toColumns({ quiet: quiet ?? null, digest: digest ?? null, next_digest_at: at ?? null }),
    workspace_id: workspaceId,
    ...(row.code_hash === null ? { confirmed_at: now } : { code_until: clockPlus(codeSeconds) })
  }).execute()
  await trx.insertInto('channel_look').values({ workspace_id: workspaceId })
    .onConflict((conflict) => conflict.doNothing()).execute()
}

type Change = Pick<Updateable<ChannelTable>, 'name' | 'enabled' | 'off_reason'> & Settings

/** What is changed may be what kept it from sending: it is tried at once. @returns whether it is there */
export const updateChannel = async (db: Db, workspaceId: string, id: string, change: Change): Promise<boolean> => {
  const { events, quiet, digest, next_digest_at: at, ...plain } = change
  const settings = toColumns({
    ...(events !== undefined && { events }),
    ...(quiet !== undefined && { quiet }),
    ...(digest !== undefined && { digest }),
    ...(at !== undefined && { next_digest_at: at })
  })
  const { numUpdatedRows } = await db.updateTable('channel')
    .set({ ...plain, ...settings, attempts: 0, paused_until: null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteChannel = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('channel').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

const mostTries = 5

/** A code is tried a few times at most. @returns whether it was the code */
export const confirmByCode = async (db: Db, workspaceId: string, id: string, hash: Buffer): Promise<boolean> => {
  const tried = await db.updateTable('channel').set({ code_tries: next('code_tries') })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('code_tries', '<', mostTries)
    .returning('id').executeTakeFirst()
  if (!tried) return false
  const { numUpdatedRows } = await db.updateTable('channel')
    .set({ confirmed_at: now, code_hash: null, code_until: null, updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('code_hash', '=', hash).where('code_until', '>', clock).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Links the account that has sent the code, which cannot be guessed. @returns the channel and its person */
export const linkByCode = async (db: Db, hash: Buffer, address: string):
Promise<(WorkKey & { user_id: string }) | undefined> => {
  const [found] = await sweep(db, (reach) => db.selectFrom('channel').select(['workspace_id', 'id'])
    .where(reach(sql`code_hash = ${hash} and kind = 'slack' and code_until > statement_timestamp()`)).execute())
  if (!found) return undefined
  return db.updateTable('channel')
    .set({ address, confirmed_at: now, code_hash: null, code_until: null, updated_at: now })
    .where('workspace_id', '=', found.workspace_id).where('id', '=', found.id).where('code_hash', '=', hash)
    .returning(['workspace_id', 'id', 'user_id']).executeTakeFirst()
}

/** @returns who has linked the address: whoever did so last */
export const findLinked = (db: Db, workspaceId: string, address: string): Promise<ChannelRow | undefined> =>
  select(db, workspaceId).where('kind', '=', 'slack').where('address', '=', address)
    .where('confirmed_at', 'is not', null).orderBy('id', 'desc').limit(1).executeTakeFirst()

export const markWorking = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('channel')
    .set({ attempts: 0, failing_since: null, paused_until: null, last_error: null, last_sent_at: clock })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Until then nothing else is tried there, so that what is down takes no time from others. */
export const markFailing = async (db: Db, workspaceId: string, id: string, error: string, seconds: number):
Promise<void> => {
  await db.updateTable('channel').set({
    attempts: next('attempts'),
    failing_since: setOnce('failing_since', clock),
    paused_until: clockPlus(seconds),
    last_error: error
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Nothing can be sent there any more; what waits is held. */
export const turnOff = async (db: Db, workspaceId: string, id: string, reason: string): Promise<void> => {
  await db.updateTable('channel').set({ enabled: false, off_reason: reason })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** What was signed by a lost secret is not sent without. */
export const forgetChannelSecret = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('channel').set({ secret: null, enabled: false, off_reason: 'secret_lost' })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns channels whose digest is due */
export const listDueDigests = (db: Db): Promise<ChannelRow[]> => sweep(db, (reach) =>
  db.selectFrom('channel').select(columns)
    .where(reach(sql`enabled and next_digest_at <= statement_timestamp()`)).limit(200).execute())

/** @returns whether this process is the one that sends it */
export const moveDigest = async (db: Db, { workspace_id, id }: WorkKey, at: Date | null): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('channel').set({ next_digest_at: at })
    .where('workspace_id', '=', workspace_id).where('id', '=', id).where('next_digest_at', '<=', clock)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
