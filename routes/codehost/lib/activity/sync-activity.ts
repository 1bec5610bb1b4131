import type { Static, TArray, TSchema } from '@sinclair/typebox'
import { saveActivity, type NewActivity } from '../../../../db/codehost/activity.js'
import { markSynced, type KnownRepository } from '../../../../db/codehost/repositories.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import type { Next } from '../../../../lib/codehost/cache.js'
import { HostRefChanges, HostReleases } from '../../../../schemas/codehost/events.js'
import { type HostRepository, HostPulls } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { toTime, isCode } from '../read-host.js'
import { findRepository, repositoryNameOf, type Found, type RepositoryName } from '../repositories/find-repository.js'
import { toListedPullActivity, toRefActivity, toListedReleaseActivity } from './to-activity.js'

interface History {
  activity: NewActivity[]
  /** Everything since then was read; null = the whole history. */
  from: Date | null
  staleSince: Date | null
}

interface Source<S extends TSchema> {
  route: string
  query: Record<string, string>
  shape: TArray<S>
  toActivity: (repoId: string, item: Static<S>) => NewActivity[]
  /** The time that the list is ordered by. */
  timeOf: (item: Static<S>) => string | null | undefined
}

const source = <S extends TSchema>(one: Source<S>) => one

const pushes = source({
  route: 'GET /repos/{owner}/{repo}/activity',
  query: {},
  shape: HostRefChanges,
  toActivity: (repoId, change) => [toRefActivity(repoId, change)],
  timeOf: ({ timestamp }) => timestamp
})

const pulls = source({
  route: 'GET /repos/{owner}/{repo}/pulls',
  query: { state: 'all', sort: 'updated', direction: 'desc' },
  shape: HostPulls,
  toActivity: toListedPullActivity,
  timeOf: ({ updated_at: at }) => at
})

const releases = source({
  route: 'GET /repos/{owner}/{repo}/releases',
  query: {},
  shape: HostReleases,
  toActivity: toListedReleaseActivity,
  timeOf: ({ published_at: at }) => at
})

const pageSize = 100

const readSource = async <S extends TSchema>({ client }: Access, name: RepositoryName, repoId: string,
  { route, query, shape, toActivity, timeOf }: Source<S>, pages: number): Promise<History> => {
  const activity: NewActivity[] = []
  let from: Date | null = null
  let staleSince: Date | null = null
  let next: Next | null = {}
  for (let i = 0; i < pages && next; i++) {
    const answer: Answer<Static<S>[]> =
      await client.read(route, { ...name, ...query, per_page: pageSize, ...next }, shape)
    activity.push(...answer.data.flatMap((item) => toActivity(repoId, item)))
    staleSince ??= answer.staleSince
    from = answer.data.reduce<Date | null>((oldest, item) => toTime(timeOf(item)) ?? oldest, from)
    next = answer.next
  }
  return { activity, from: next ? from ?? new Date() : null, staleSince }
}

/** A host without such a list gives no history; an empty repository has none. */
const withoutList = (error: unknown): History => {
  if (isCode(error, 'codehost_conflict')) return { activity: [], from: null, staleSince: null }
  if (!isCode(error, 'codehost_not_found')) throw error
  return { activity: [], from: new Date(), staleSince: null }
}

const latest = (times: (Date | null)[]): Date | null =>
  times.reduce((last, time) => time && (!last || time > last) ? time : last, null)

/** @returns the history of a repository at the code host: at most so many pages of each list */
const readHistory = async (access: Access, name: RepositoryName, repoId: string, pages: number):
Promise<History> => {
  const parts = await Promise.all([
    readSource(access, name, repoId, pushes, pages).catch(withoutList),
    readSource(access, name, repoId, pulls, pages).catch(withoutList),
    readSource(access, name, repoId, releases, pages).catch(withoutList)
  ])
  return {
    activity: parts.flatMap(({ activity }) => activity),
    from: latest(parts.map(({ from }) => from)),
    staleSince: parts.find((part) => part.staleSince)?.staleSince ?? null
  }
}

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
