import { sql } from 'kysely'
import { clock, clockPlus } from './clock.js'
import { excluded } from './columns.js'
import type { Db } from './index.js'

/** What is changed at a provider, named the same by all that change it. */
export interface TargetKey { workspace_id: string, target: string }

export interface HeldTarget extends TargetKey { claim: string }

/** @returns whether the target is claimed now: nobody else held it, or the holder has not renewed in time */
export const claimTarget = async (db: Db, held: HeldTarget, seconds: number): Promise<boolean> => {
  const row = await db.insertInto('target_claim')
    .values({ ...held, claimed_at: clock, expires_at: clockPlus(seconds) })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'target'])
      .doUpdateSet({
        claim: excluded('claim'), claimed_at: excluded('claimed_at'), expires_at: excluded('expires_at')
      })
      // The clock of the row that was to be inserted.
      .where('target_claim.expires_at', '<', excluded<Date>('claimed_at')))
    .returning('claim')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns whether the claim is held still, and for so long from now */
export const renewTarget = async (db: Db, { workspace_id, target, claim }: HeldTarget, seconds: number):
Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('target_claim').set({ expires_at: clockPlus(seconds) })
    .where('workspace_id', '=', workspace_id).where('target', '=', target).where('claim', '=', claim)
    .where(sql<boolean>`expires_at > ${clock}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const releaseTarget = async (db: Db, { workspace_id, target, claim }: HeldTarget): Promise<void> => {
  await db.deleteFrom('target_claim')
    .where('workspace_id', '=', workspace_id).where('target', '=', target).where('claim', '=', claim)
    .execute()
}
