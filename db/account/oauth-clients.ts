import { sql } from 'kysely'
import { ago, now } from '../clock.js'
import type { Db } from '../index.js'
import { lockText } from '../locks.js'

/** `address` is a network. */
interface NewClient { id: string, metadata: Buffer, address: string }

export interface RegistrationLimits {
  all: number
  /** Of one network. */
  hourly: number
  /** Of networks that begin alike. */
  site?: { prefix: string, hourly: number } | undefined
}

/** Who registered and was let in by nobody in a day is forgotten; who was let in, when nobody used it for so long. */
const deleteUnused = (db: Db, home: string) => db.deleteFrom('account_oauth_client').where('workspace_id', '=', home)
  .where(sql<boolean>`(used_at < ${ago('100 days')} or (used_at is null and created_at < ${ago('1 day')}))`).execute()

const countIn = async (trx: Db, home: string, address: string, prefix: string) => trx.selectFrom('account_oauth_client')
  .select(sql<number>`count(*)`.as('all'))
  .select(sql<number>`count(*) filter (where address = ${address} and created_at > ${ago('1 hour')})`.as('hourly'))
  .select(sql<number>`count(*) filter (where starts_with(address, ${prefix}) and created_at > ${ago('1 hour')})`
    .as('site'))
  .where('workspace_id', '=', home).executeTakeFirstOrThrow()

/** Whoever was let in by nobody yet gives way. @returns whether there was one */
const deleteOldestUnused = async (trx: Db, home: string): Promise<boolean> => {
  const oldest = await trx.selectFrom('account_oauth_client').select('id').where('workspace_id', '=', home)
    .where('used_at', 'is', null).orderBy('created_at').limit(1).executeTakeFirst()
  if (oldest) await deleteClient(trx, home, oldest.id)
  return oldest !== undefined
}

/** Registrations are rows of the installation's first workspace. @returns whether the limits left room for it */
export const insertClient = (db: Db, home: string, client: NewClient, limits: RegistrationLimits): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockText(trx, 'account_oauth_client')
    await deleteUnused(trx, home)
    const { site } = limits
    const found = await countIn(trx, home, client.address, site?.prefix ?? client.address)
    if (found.hourly >= limits.hourly || (site && found.site >= site.hourly)) return false
    if (found.all >= limits.all && !await deleteOldestUnused(trx, home)) return false
    await trx.insertInto('account_oauth_client').values({ workspace_id: home, ...client }).execute()
    return true
  })

export const findClient = (db: Db, home: string, id: string) =>
  db.selectFrom('account_oauth_client').select('metadata')
    .where('workspace_id', '=', home).where('id', '=', id).executeTakeFirst()

/** Counts as used once a day. */
export const touchClient = async (db: Db, home: string, id: string): Promise<void> => {
  await db.updateTable('account_oauth_client').set({ used_at: now }).where('workspace_id', '=', home)
    .where('id', '=', id).where(sql<boolean>`(used_at is null or used_at < ${ago('1 day')})`).execute()
}

/** Nothing can read its metadata any more: it registers again. */
export const deleteClient = async (db: Db, home: string, id: string): Promise<void> => {
  await db.deleteFrom('account_oauth_client').where('workspace_id', '=', home).where('id', '=', id).execute()
}

export const deleteUnusedClients = async (db: Db, home: string): Promise<void> => { await deleteUnused(db, home) }
