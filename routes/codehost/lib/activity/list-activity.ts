import type { FastifyInstance } from 'fastify'
import { listActivity as listStored, type ActivityFilter, type ActivityRow } from '../../../../db/codehost/activity.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { ListActivity, ActivityItem, ActivityType } from '../../../../schemas/codehost/activity.js'
import { ApiError } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/unknown.js'
import type { Access } from '../access.js'
import { stalenessOf, toUtc, type Staleness } from '../read-host.js'
import { findRepository, type Found } from '../repositories/find-repository.js'
import { isLive, syncActivity, type Synced } from './sync-activity.js'

const nameOf = ({ ref }: ActivityRow): string => (ref ?? '').replace(/^refs\/(heads|tags)\//, '')

const numberOf = ({ pull_number: number }: ActivityRow): string => `pull request #${number}`

const words = ({ subject }: ActivityRow): string => (subject ?? '').replaceAll('_', ' ')

const pushed = (row: ActivityRow): string => {
  if (row.commit_count === null) return `pushed to ${nameOf(row)}`
  return `pushed ${row.commit_count} ${row.commit_count === 1 ? 'commit' : 'commits'} to ${nameOf(row)}`
}

const renamed = ({ subject }: ActivityRow): string => {
  const [from, to] = (subject ?? '').split(' ')
  return to === undefined ? `renamed the repository to ${from}` : `renamed the repository from ${from} to ${to}`
}

const other = (row: ActivityRow): string =>
  row.ref === null ? `changed the repository (${words(row)})` : `changed ${nameOf(row)}`

const sentences: Record<ActivityType, (row: ActivityRow) => string> = {
  push: pushed,
  force_push: (row) => `force-pushed to ${nameOf(row)}`,
  branch_created: (row) => `created the branch ${nameOf(row)}`,
  branch_deleted: (row) => `deleted the branch ${nameOf(row)}`,
  tag_created: (row) => `created the tag ${nameOf(row)}`,
  pr_opened: (row) => `opened ${numberOf(row)}`,
  pr_closed: (row) => `closed ${numberOf(row)}`,
  pr_merged: (row) => `merged ${numberOf(row)}`,
  pr_reopened: (row) => `opened ${numberOf(row)} again`,
  pr_updated: (row) => `changed ${numberOf(row)} (${words(row)})`,
  review_submitted: (row) => `reviewed ${numberOf(row)} (${words(row)})`,
  release_published: (row) => `published the release ${row.subject}`,
  repo_renamed: renamed,
  other
}

export const describeActivity = ({ subject, ...row }: ActivityRow): ActivityItem =>
  ({ ...row, summary: `${row.actor ?? 'Somebody'} ${sentences[row.type]({ subject, ...row })}` })

/** The job's name. Its data is the repository, and the person to read it as. */
export const backfillJob = 'codehost.backfill'

type Deps = Pick<FastifyInstance, 'db' | 'jobs' | 'log'>

export interface ActivityList extends Staleness {
  items: ActivityRow[]
  next: CursorKey | null
  complete_from: Date | null
}

const stored = ({ known }: Found): Synced =>
  ({ completeFrom: known?.activity_complete_from ?? null, more: false, staleSince: null })

/** Falls back to the stored activity, marked as stale, where the code host fails. */
const bringUpToDate = async (access: Access, found: Found): Promise<Synced> => {
  if (isLive(found.known)) return stored(found)
  try {
    return await syncActivity(access, found)
  } catch (error) {
    const at = found.known?.last_synced_at
    if (!at || !(error instanceof ApiError) || error.statusCode < 500) throw error
    return { ...stored(found), staleSince: at }
  }
}

const startBackfill = ({ jobs, db, log }: Deps, { principal }: Access, repoId: string): void => {
  const { workspace_id, user_id } = principal
  jobs.enqueue(db, backfillJob, { workspace_id, user_id, repo_id: repoId })
    .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'job of a backfill not enqueued'))
}

const timeOf = (name: string, text: string | undefined) => {
  const utc = toUtc(name, text)
  return utc === undefined ? {} : { [name]: new Date(utc) }
}

const filterOf = ({ type, actor, since, until }: ListActivity): ActivityFilter =>
  ({ ...(type && { type }), ...(actor && { actor }), ...timeOf('since', since), ...timeOf('until', until) })

/**
 * One page of the activity of a repository, the latest first. The first page also reads from the code host what no
 * webhook has reported.
 * @throws repo_not_found
 */
export const listActivity = async (deps: Deps, access: Access, repoId: string, query: ListActivity,
  from: CursorKey | undefined): Promise<ActivityList> => {
  const found = await findRepository(access, repoId)
  const synced = from ? stored(found) : await bringUpToDate(access, found)
  if (synced.more) startBackfill(deps, access, repoId)
  const { limit } = query
  const after = from && { occurred_at: new Date(Number(from[0])), id: String(from[1]) }
  const rows = await listStored(deps.db, access.principal.workspace_id, repoId, filterOf(query), after, limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > limit && last ? [last.occurred_at.getTime(), last.id] : null,
    complete_from: synced.completeFrom,
    ...stalenessOf(found, synced)
  }
}
