import type { Static, TSchema } from '@sinclair/typebox'
import type { Answer } from '../../../../lib/codehost/client.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { PullCheck } from '../../../../schemas/codehost/pulls.js'
import { HostCheckRuns, HostReviews, HostStatus } from '../../../../schemas/codehost/upstream.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { Access } from '../access.js'
import type { RepositoryName } from '../repositories/find-repository.js'
import { isCode } from '../read-host.js'
import { nameOf, runState, sortChecks, statusState, type Review, type Reviews } from './verdicts.js'

type Aged = Pick<Answer<unknown>, 'staleSince'>
export interface Verdict<T> extends Aged { value: T }

const maxPages = 5

export const oldest = (...answers: Aged[]): Date | null =>
  answers.flatMap(({ staleSince }) => staleSince ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null

/** @returns all pages of a list; null when there are more than we read */
const readAll = async <T extends TSchema> ({ client }: Access, route: string, parameters: object, shape: T):
Promise<Answer<Static<T>>[] | null> => {
  const pages: Answer<Static<T>>[] = []
  for (let page = 1; page <= maxPages; page++) {
    const answer = await client.read(route, { ...parameters, per_page: 100, page }, shape)
    pages.push(answer)
    if (!answer.next) return pages
  }
  return null
}

type HostReview = HostReviews[number]

/** Forgejo and Gitea say REQUEST_CHANGES. A review that its author has not sent yet is nobody else's business. */
const verdictOf = ({ state, dismissed }: HostReview): Review['verdict'] | undefined => {
  if (state === 'PENDING') return undefined
  if (dismissed || state === 'DISMISSED') return 'dismissed'
  if (state === 'APPROVED') return 'approved'
  return state === 'CHANGES_REQUESTED' || state === 'REQUEST_CHANGES' ? 'changes_requested' : 'commented'
}

/** A member may only read: REST names the tie to the repository, not the right. */
const mayWrite = ({ official, author_association: association }: HostReview): boolean | null => {
  if (typeof official === 'boolean') return official
  if (association === 'OWNER') return true
  return !association || ['MEMBER', 'COLLABORATOR'].includes(association) ? null : false
}

// Deleted accounts are not one and the same reviewer.
const reviewerOf = ({ user }: HostReview, index: number): string =>
  user?.id && user.id > 0 ? String(user.id) : user?.login || `gone ${index}`

/** @returns the latest review of each person: one that decides, else a comment */
const latestOf = (reviews: HostReviews): Review[] => {
  const found = new Map<string, Review>()
  for (const [i, review] of reviews.entries()) {
    const verdict = verdictOf(review)
    const key = reviewerOf(review, i)
    if (!verdict || (verdict === 'commented' && (found.get(key)?.verdict ?? 'commented') !== 'commented')) continue
    found.set(key, {
      reviewer: review.user?.login || null,
      verdict,
      commit: review.commit_id || null,
      may_write: mayWrite(review),
      submitted_at: review.submitted_at ?? null,
      url: review.html_url ?? null
    })
  }
  return [...found.values()]
}

/** @returns the latest review of each reviewer; null when there are more reviews than we read */
export const readReviews = async (access: Access, name: RepositoryName, number: number):
Promise<Verdict<Reviews | null>> => {
  const pages = await readAll(access, 'GET /repos/{owner}/{repo}/pulls/{number}/reviews',
    { ...name, number }, HostReviews)
  return pages
    ? { value: { given: latestOf(pages.flatMap(({ data }) => data)), decision: null }, staleSince: oldest(...pages) }
    : { value: null, staleSince: null }
}

/** Forgejo and Gitea have no check runs, only statuses. */
const readRuns = (access: Access, name: RepositoryName, sha: string) =>
  readAll(access, 'GET /repos/{owner}/{repo}/commits/{sha}/check-runs', { ...name, sha }, HostCheckRuns)
    .catch((error: unknown) => {
      if (isCode(error, 'codehost_not_found')) return []
      throw error
    })

/** @returns each check run and each commit status; null when there are more than we read */
export const readChecks = async (access: Access, name: RepositoryName, sha: string):
Promise<Verdict<PullCheck[] | null>> => {
  const [pages, summaries] = await Promise.all([
    readRuns(access, name, sha),
    readAll(access, 'GET /repos/{owner}/{repo}/commits/{sha}/status', { ...name, sha }, HostStatus)
  ])
  const statuses = summaries?.flatMap(({ data }) => data.statuses ?? []) ?? []
  // A host may summarize more statuses than it lists.
  if (!pages || !summaries || (summaries[0]?.data.total_count ?? 0) > statuses.length) {
    return { value: null, staleSince: null }
  }
  const runs = pages.flatMap(({ data }) => data.check_runs).map((run): PullCheck => ({
    name: nameOf(run.name),
    state: runState(run.status ?? '', run.conclusion ?? ''),
    required: null,
    html_url: toWebLink(run.html_url) ?? toWebLink(run.details_url)
  }))
  const others = statuses.map(({ context, state, status, target_url }): PullCheck => ({
    name: nameOf(context), state: statusState(state ?? status ?? ''), required: null, html_url: toWebLink(target_url)
  }))
  return { value: sortChecks([...runs, ...others]), staleSince: oldest(...pages, ...summaries) }
}

/** Reads that stop for all pull requests of a page once the code host fails. */
export class Readings {
  #broken = false

  /** A person who may read pull requests may lack the right to read checks: an unknown value is null. */
  async read <T>(reading: () => Promise<Verdict<T>>): Promise<Verdict<T | null>> {
    const nothing = { value: null, staleSince: null }
    if (this.#broken) return nothing
    try {
      return await reading()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#broken ||= error.statusCode >= 500
      return nothing
    }
  }
}
