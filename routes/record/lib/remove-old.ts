import type { FastifyInstance } from 'fastify'
import { lockChain } from '../../../db/record/chain.js'
import { cutChain, findCut } from '../../../db/record/checkpoints.js'
import { removeEntries } from '../../../db/record/entries.js'
import type { Db } from '../../../db/index.js'
import { sweepWorkspaces } from '../../../lib/durable/sweep-workspaces.js'

/** For how long the record is kept where the workspace says nothing. */
export const usualDays = 400

const atOnce = 2_000

/**
 * Removes entries that are older than the workspace keeps them: whole stretches up to a checkpoint, which stays and
 * proves what follows. @returns how many
 */
export const removeOldOf = (db: Db, workspaceId: string, days: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const chain = await lockChain(trx, workspaceId)
    const cut = await findCut(trx, workspaceId, days)
    if (!chain || cut === undefined) return 0
    // First: whoever reads meanwhile begins behind what is about to go.
    if (cut > chain.cut_seq) await cutChain(trx, workspaceId, cut)
    return removeEntries(trx, workspaceId, cut, atOnce)
  })

/** @throws the first error, after all workspaces were asked */
export const removeOld = (app: Pick<FastifyInstance, 'db' | 'workspaces'>): Promise<void> =>
  sweepWorkspaces(app, 'audit_days', (id, days) => removeOldOf(app.db, id, days), usualDays)
