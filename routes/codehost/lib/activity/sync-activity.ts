import { saveActivity } from '../../../../db/codehost/activity.js'
import { markSynced, type KnownRepository } from '../../../../db/codehost/repositories.js'
import type { HostRepository } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { findRepository, repositoryNameOf, type Found } from '../repositories/find-repository.js'
import { readHistory, type History } from './read-history.js'
import { toTime } from '../read-host.js'

/** How far the stored activity of a repository goes. */
export interface Synced {
  completeFrom: Date | null
  /** Whether older history is still to be read. */
  more: boolean
  staleSince: Date | null
}

/** How long webhooks are trusted to be complete. */
const trustMs = 600_000
/** Clocks differ, and the previous read may lack what happened while it ran. */
const overlapMs = 60_000
const deepPages = 10

/** @returns whether webhooks keep what is stored up to date */
export const isLive = (known: KnownRepository | undefined): boolean =>
  known?.sync_state === 'live' && known.activity_complete_from !== null && known.last_synced_at !== null &&
  Date.now() - known.last_synced_at.getTime() < trustMs

/** @returns the time from which the read history is complete */
const coveredFrom = ({ created_at: created }: HostRepository, { from, activity }: History): Date =>
  from ?? toTime(created) ??
  activity.reduce((oldest, { occurred_at: at }) => at < oldest ? at : oldest, new Date())

/** @returns the time from which the stored activity is complete, if the read history overlaps it */
const earlierFrom = (known: KnownRepository | undefined, covered: Date): Date | null => {
  const { last_synced_at: at = null, activity_complete_from: from = null } = known ?? {}
  return at && from && covered.getTime() <= at.getTime() - overlapMs ? from : null
}

const sync = async (access: Access, { host, known }: Found, pages: number): Promise<Synced> => {
  const { db, principal: { workspace_id: workspaceId } } = access
  const id = String(host.id)
  const history = await readHistory(access, repositoryNameOf(host.full_name), id, pages)
  const before = known?.activity_complete_from ?? null
  if (history.staleSince) return { completeFrom: before, more: false, staleSince: history.staleSince }
  const covered = coveredFrom(host, history)
  const earlier = earlierFrom(known, covered)
  await db.transaction().execute(async (trx) => {
    await saveActivity(trx, workspaceId, history.activity)
    await markSynced(trx, workspaceId, id, covered, before !== null && earlier === null)
  })
  const goesOn = earlier !== null && earlier < covered
  return { completeFrom: goesOn ? earlier : covered, more: history.from !== null && !goesOn, staleSince: null }
}

/** Reads the newest history, so that the list is up to date. */
export const syncActivity = (access: Access, found: Found): Promise<Synced> => sync(access, found, 1)

/** Reads the history, at most a thousand entries of each list. */
export const backfill = async (access: Access, repoId: string): Promise<void> => {
  await sync(access, await findRepository(access, repoId), deepPages)
}
