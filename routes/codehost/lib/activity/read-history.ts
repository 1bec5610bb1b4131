import type { Static, TArray, TSchema } from '@sinclair/typebox'
import type { NewActivity } from '../../../../db/codehost/activity.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import type { Next } from '../../../../lib/codehost/links.js'
import { HostRefChanges, HostReleases } from '../../../../schemas/codehost/events.js'
import { HostPulls } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import type { RepositoryName } from '../repositories/find-repository.js'
import { isCode, toTime } from '../read-host.js'
import { toListedPullActivity } from './to-pull-activity.js'
import { toRefActivity } from './to-push-activity.js'
import { toListedReleaseActivity } from './to-repository-activity.js'

export interface History {
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
export const readHistory = async (access: Access, name: RepositoryName, repoId: string, pages: number):
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
