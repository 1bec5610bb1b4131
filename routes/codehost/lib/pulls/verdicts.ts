import { toWebLink } from '../../../../lib/http/addresses.js'
import type { PullCheck, PullChecks, PullReview, PullReviews } from '../../../../schemas/codehost/pulls.js'
import type { HostPull } from '../../../../schemas/codehost/upstream.js'
import { toTime } from '../read-host.js'

/** The latest review of one person, as the code host has it, by whichever of its APIs. */
export interface Review {
  reviewer: string | null
  verdict: Exclude<PullReview['verdict'], 'requested'>
  /** The commit that was reviewed. */
  commit: string | null
  may_write: boolean | null
  submitted_at: string | null
  url: string | null
}

export interface Reviews {
  given: Review[]
  /** What the rules of the base branch say; null: they say nothing, or that is not known. */
  decision: PullReviews['decision']
}

/** What the code host says of one pull request; null is not known. */
export interface Verdicts { reviews: Reviews | null, checks: PullCheck[] | null }

const maxName = 200

export const nameOf = (text: string | null | undefined): string => (text ?? '').slice(0, maxName).toWellFormed()

const passed = new Set(['success', 'neutral', 'skipped'])

/** @returns the state of a check run, whose words REST has in lower and GraphQL in upper case */
export const runState = (status: string, conclusion: string): PullCheck['state'] => {
  if (status.toLowerCase() !== 'completed') return 'pending'
  const word = conclusion.toLowerCase()
  if (!passed.has(word)) return 'failure'
  return word === 'success' ? 'success' : 'skipped'
}

/** Forgejo and Gitea have warnings, which stop nothing; a status that is expected has not come yet. */
export const statusState = (text: string): PullCheck['state'] => {
  const word = text.toLowerCase()
  if (word === 'success') return 'success'
  if (word === 'pending' || word === 'expected') return 'pending'
  return word === 'warning' ? 'skipped' : 'failure'
}

const order = ['failure', 'pending', 'success', 'skipped']

/** @returns those that fail first */
export const sortChecks = (checks: PullCheck[]): PullCheck[] =>
  checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))

/** @returns the state of the checks: what was skipped judges nothing, so all of it skipped is no success */
export const countChecks = (checks: PullCheck[]): PullChecks => {
  const count = (state: PullCheck['state']) => checks.filter((check) => check.state === state).length
  const [failed, pending, skipped] = [count('failure'), count('pending'), count('skipped')]
  const judged = checks.length - skipped === 0 ? 'skipped' : 'success'
  const settled = pending > 0 ? 'pending' : judged
  const state = failed > 0 ? 'failure' : settled
  return { state: checks.length === 0 ? 'none' : state, total: checks.length, failed, pending, skipped }
}

const isAskedAgain = ({ requested_reviewers: asked }: HostPull, { reviewer }: Review): boolean =>
  reviewer !== null && (asked ?? []).some(({ login }) => login?.toLowerCase() === reviewer.toLowerCase())

const isWaiting = ({ requested_reviewers: people, requested_teams: teams }: HostPull): boolean =>
  (people ?? []).length + (teams ?? []).length > 0

/** @returns who is known to have decided: an approval needs evidence that it counts, an objection that it does not */
export const countReviews = (pull: HostPull, { given, decision }: Reviews): PullReviews => {
  const approved = given.filter(({ verdict }) => verdict === 'approved')
  const counted = approved.filter((review) => review.may_write === true && !isAskedAgain(pull, review))
  const refused = given.filter(({ verdict, may_write: mayWrite }) =>
    verdict === 'changes_requested' && mayWrite !== false)
  const waiting = isWaiting(pull) ? 'review_required' : null
  const byApprovals = counted.length > 0 ? 'approved' : waiting
  const byCount = refused.length > 0 ? 'changes_requested' : byApprovals
  return {
    decision: decision ?? byCount,
    decided_by: decision === null ? 'count' : 'code_host',
    approvals: counted.length,
    outdated_approvals: counted.filter(({ commit }) => commit !== null && commit !== pull.head.sha).length,
    other_approvals: approved.length - counted.length,
    changes_requested: refused.length
  }
}

const asked = { commit: null, outdated: null, asked_again: false, may_write: null, submitted_at: null, html_url: null }

/** @returns the verdict of each reviewer, then of whom it waits for */
export const describeReviews = (pull: HostPull, { given }: Reviews): PullReview[] => {
  const names = new Set(given.map(({ reviewer }) => reviewer?.toLowerCase()))
  const people = (pull.requested_reviewers ?? []).flatMap(({ login }) =>
    login && !names.has(login.toLowerCase()) ? [login] : [])
  const teams = (pull.requested_teams ?? []).flatMap(({ slug, name }) => slug ?? name ?? [])
  return [
    ...given.map((review): PullReview => ({
      reviewer: review.reviewer,
      team: null,
      verdict: review.verdict,
      commit: review.commit,
      outdated: review.commit === null ? null : review.commit !== pull.head.sha,
      asked_again: isAskedAgain(pull, review),
      may_write: review.may_write,
      submitted_at: toTime(review.submitted_at),
      html_url: toWebLink(review.url)
    })),
    ...people.map((reviewer): PullReview => ({ reviewer, team: null, verdict: 'requested', ...asked })),
    ...teams.map((team): PullReview => ({ reviewer: null, team, verdict: 'requested', ...asked }))
  ]
}
