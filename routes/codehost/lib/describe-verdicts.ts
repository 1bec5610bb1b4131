import { toWebLink } from '../../../lib/http/web-link.js'
import type { PullCheck, PullReview } from '../../../schemas/codehost/pulls.js'
import type { HostPull, HostReviews } from '../../../schemas/codehost/upstream.js'
import { decisive, passed, reviewerOf, wordOf } from './judge-pull.js'
import { toTime } from './read-host.js'
import type { HostChecks } from './read-verdicts.js'

const maxName = 200

const nameOf = (text: string | null | undefined): string => (text ?? '').slice(0, maxName).toWellFormed()

const runState = ({ status, conclusion }: HostChecks['runs'][number]): PullCheck['state'] => {
  if (status !== 'completed') return 'pending'
  if (!passed.has(conclusion ?? '')) return 'failure'
  return conclusion === 'success' ? 'success' : 'skipped'
}

/** Forgejo and Gitea name the state of one status `status`, and have warnings, which stop nothing. */
const statusState = (word: string | null | undefined): PullCheck['state'] => {
  if (word === 'success' || word === 'pending') return word
  return word === 'warning' ? 'skipped' : 'failure'
}

/** @returns each check run and each commit status by its name, those that fail first */
export const describeChecks = ({ runs, status: { statuses } }: HostChecks): PullCheck[] => {
  const checks: PullCheck[] = [
    ...runs.map((run) => ({
      name: nameOf(run.name), state: runState(run), html_url: toWebLink(run.html_url) ?? toWebLink(run.details_url)
    })),
    ...(statuses ?? []).map(({ context, state, status, target_url }) => ({
      name: nameOf(context), state: statusState(state ?? status), html_url: toWebLink(target_url)
    }))
  ]
  const order = ['failure', 'pending', 'success', 'skipped']
  return checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

const verdicts: Record<string, PullReview['verdict']> = {
  APPROVED: 'approved', CHANGES_REQUESTED: 'changes_requested', DISMISSED: 'dismissed'
}

/** A review that its author has not sent yet is nobody else's business. */
const isSent = (review: HostReviews[number]) => wordOf(review) !== 'PENDING'

const latest = (reviews: HostReviews): PullReview[] => {
  const found = new Map<string, HostReviews[number]>()
  for (const [i, review] of reviews.entries()) {
    const key = reviewerOf(review, i)
    const before = found.get(key)
    const counts = decisive.has(wordOf(review)) || !before || !decisive.has(wordOf(before))
    if (isSent(review) && counts) found.set(key, review)
  }
  return [...found.values()].map((review) => ({
    reviewer: review.user?.login || null,
    verdict: verdicts[wordOf(review)] ?? 'commented',
    submitted_at: toTime(review.submitted_at),
    html_url: toWebLink(review.html_url)
  }))
}

/** @returns the verdict of each reviewer, then of whom it waits for */
export const describeReviews = (reviews: HostReviews, { requested_reviewers: asked }: HostPull): PullReview[] => {
  const given = latest(reviews)
  const names = new Set(given.map(({ reviewer }) => reviewer))
  const waiting = (asked ?? []).flatMap(({ login }) => login && !names.has(login) ? [login] : [])
  return [...given, ...waiting.map((reviewer) => ({
    reviewer, verdict: 'requested' as const, submitted_at: null, html_url: null
  }))]
}
