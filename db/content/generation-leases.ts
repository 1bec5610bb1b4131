import { sql } from 'kysely'
import { activeStatuses } from '../../schemas/content/generation-words.js'
import type { Db } from '../index.js'
import { generationColumns, type GenerationRow } from './generations.js'

const leaseUntil = (leaseMs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`

/** Nobody holds it: it waits, was handed over, or its worker stopped renewing. */
const isFree = sql<boolean>`status in (${sql.join([...activeStatuses])})
  and (lease_owner is null or lease_until < clock_timestamp())`

/** Takes a generation that nobody holds; the epoch fences whoever held it before. */
export const claimGeneration = (db: Db, workspaceId: string, id: string, owner: string, leaseMs: number):
Promise<GenerationRow | undefined> =>
  db.updateTable('content_generation').set({
    lease_owner: owner,
    lease_epoch: sql`lease_epoch + 1`,
    lease_until: leaseUntil(leaseMs),
    attempts: sql`attempts + 1`
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).where(isFree)
    .returning(generationColumns).executeTakeFirst()

/** @returns generations that nobody works on */
export const listClaimable = (db: Db, limit: number) =>
  db.selectFrom('content_generation').select(['workspace_id', 'id']).where(isFree).orderBy('created_at').limit(limit)
    .execute()

/** @returns the generations that this process holds, as their rows are now */
export const listHeld = (db: Db, owner: string) =>
  db.selectFrom('content_generation').select(['id', 'lease_epoch', 'cancel_requested_at'])
    .where('lease_owner', '=', owner).where('status', 'in', activeStatuses).execute()

/** Keeps the leases of the generations that this process works on. */
export const renewLeases = async (db: Db, owner: string, ids: string[], leaseMs: number): Promise<void> => {
  await db.updateTable('content_generation').set({ lease_until: leaseUntil(leaseMs) })
    .where('lease_owner', '=', owner).where('id', 'in', ids).where('status', 'in', activeStatuses).execute()
}

/** Gives a generation back at shutdown: whoever claims it goes on after the last step that is done. */
export const handOver = async (db: Db, held: Pick<GenerationRow, 'workspace_id' | 'id' | 'lease_epoch'>):
Promise<void> => {
  await db.updateTable('content_generation')
    .set({ lease_owner: null, lease_until: null, lease_epoch: sql`lease_epoch + 1` })
    .where('workspace_id', '=', held.workspace_id).where('id', '=', held.id)
    .where('lease_epoch', '=', held.lease_epoch).where('status', 'in', activeStatuses).execute()
}
