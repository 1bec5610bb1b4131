import type { ActivityRow } from '../../../../db/codehost/activity.js'
import type { ActivityItem, ActivityType } from '../../../../schemas/codehost/activity.js'

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
