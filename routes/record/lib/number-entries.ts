import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/index.js'
import {
  appendEntries, beginChain, listUnnumbered, lockChain, type Chain, type NewEntry
} from '../../../db/record/chain.js'
import { cutChain, findCut } from '../../../db/record/checkpoints.js'
import { removeEntries } from '../../../db/record/entries.js'
import { sweepWorkspaces } from '../../../lib/durable/due-jobs.js'
import { linkEntry, noHash, type Entry, searchWords } from '../../../lib/record/entry.js'
import { forwardSoon } from './forward.js'
import { signIfDue, type Due, type Deps } from './sign-checkpoint.js'

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

const batch = 200

type Unnumbered = Awaited<ReturnType<typeof listUnnumbered>>[number]

const link = (row: Unnumbered, seq: number, previous: string): Entry => linkEntry({
  ...row,
  seq,
  at: row.at.toISOString(),
  write_id: row.write_id ?? row.id,
  previous
})

const linkAll = (rows: readonly Unnumbered[], { seq, hash }: Pick<Chain, 'seq' | 'hash'>): Entry[] => {
  let [last, previous] = [seq, hash]
  return rows.map((row) => {
    const entry = link(row, ++last, previous)
    previous = entry.hash
    return entry
  })
}

const toRow = ({ type: _, ...entry }: Entry): NewEntry =>
  // Its words are those of the columns that it came from.
  ({ ...entry, via: entry.via as NewEntry['via'], words: searchWords(entry) })

interface Numbered { count: number, isSigned: boolean }

const numberSome = async (deps: Deps, trx: Db, workspaceId: string, due: Due): Promise<Numbered> => {
  const chain = await lockChain(trx, workspaceId)
  const rows = await listUnnumbered(trx, workspaceId, batch)
  if (!chain) {
    // Of a workspace that is being deleted, nothing begins again.
    if (rows.length === 0) return { count: 0, isSigned: false }
    await beginChain(trx, workspaceId, noHash)
    return numberSome(deps, trx, workspaceId, due)
  }
  const entries = linkAll(rows, chain)
  await appendEntries(trx, workspaceId, entries.map(toRow))
  const { seq, hash } = entries.at(-1) ?? chain
  const end = { ...chain, seq, hash }
  const isSigned = await signIfDue(deps, trx, workspaceId, end, rows.length < batch ? due : 'enough')
  return { count: rows.length, isSigned }
}

/**
 * Numbers and links what was recorded in a workspace, in the order in which this sees it, signs a checkpoint when one
 * is due, and has what is new forwarded. Several processes that do it at once wait for each other.
 * @param due when a checkpoint is: see `signIfDue`
 */
export const numberEntries = async (deps: Deps, workspaceId: string, due: Due = 'enough'): Promise<void> => {
  let isNew = false
  for (let left = true; left;) {
    const { count, isSigned } = await deps.db.transaction().execute((trx) => numberSome(deps, trx, workspaceId, due))
    isNew ||= count > 0 || isSigned
    left = count === batch
  }
  if (isNew) await forwardSoon(deps, workspaceId)
}
