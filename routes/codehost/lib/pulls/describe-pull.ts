import { toWebLink } from '../../../../lib/http/web-link.js'
import { mergeStates, type PullRequest } from '../../../../schemas/codehost/pulls.js'
import type { HostPull } from '../../../../schemas/codehost/upstream.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import { parseTime, toTime } from '../read-host.js'
import { countChecks, countReviews, type Verdicts } from './verdicts.js'

const maxExcerpt = 500

const stateOf = ({ state, merged_at }: HostPull): PullRequest['state'] => {
  if (merged_at) return 'merged'
  return state === 'open' ? 'open' : 'closed'
}

const excerptOf = ({ body }: HostPull): string | null =>
  body ? body.slice(0, maxExcerpt).toWellFormed() : null

const names = (values: (string | null | undefined)[]): string[] => values.flatMap((value) => value ? [value] : [])

const mergeStateOf = (word: string | null | undefined): PullRequest['merge_state'] => {
  const text = word?.toLowerCase()
  return isOneOf(mergeStates, text) ? text : null
}

/** What is known of a pull request beside what lists have of it. */
export interface PullState extends Verdicts { mergeable?: boolean | null, mergeState?: string | null }

export const describePull = (host: HostPull, repoId: string, state: PullState): PullRequest => ({
  id: String(host.id),
  number: host.number,
  repo_id: repoId,
  title: host.title,
  body_excerpt: excerptOf(host),
  state: stateOf(host),
  draft: host.draft ?? false,
  author: host.user?.login || null,
  head: { ref: host.head.ref, sha: host.head.sha, repo_id: host.head.repo ? String(host.head.repo.id) : null },
  base: { ref: host.base.ref, sha: host.base.sha },
  labels: names((host.labels ?? []).map(({ name }) => name)),
  requested_reviewers: names((host.requested_reviewers ?? []).map(({ login }) => login)),
  requested_teams: names((host.requested_teams ?? []).map(({ slug, name }) => slug ?? name)),
  mergeable: host.mergeable ?? state.mergeable ?? null,
  merge_state: mergeStateOf(host.mergeable_state ?? state.mergeState),
  reviews: state.reviews && countReviews(host, state.reviews),
  checks: state.checks && countChecks(state.checks),
  created_at: parseTime(host.created_at),
  updated_at: parseTime(host.updated_at),
  closed_at: toTime(host.closed_at),
  merged_at: toTime(host.merged_at),
  // Before it is merged the host names a trial of the merge, which no branch has.
  merge_commit_sha: host.merged_at ? host.merge_commit_sha ?? null : null,
  html_url: toWebLink(host.html_url)
})
