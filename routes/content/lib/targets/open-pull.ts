import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { type Deps, byStatus, type Outcome } from './outcome.js'
import { BranchTaken } from '../../../../schemas/codehost/errors.js'
import { OpenedPull, PullPage, type PullRequest } from '../../../../schemas/codehost/pulls.js'
import { bodyOf, callRoute, type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import { ApiError, InsufficientRole } from '../../../../schemas/errors.js'

const pollSeconds = 60
export const defaultPath = 'content/{channel}/{slug}.md'

/** One branch for each record, so a newer version goes into the same pull request; one for each removal. */
const branchOf = ({ slug, id }: Content, { action, id: publication }: PublicationRow): string =>
  action === 'unpublish' ? `content/remove-${slug}-${publication.slice(-8)}` : `content/${slug}-${id.slice(-8)}`

/** Merged or closed pull requests of a record whose branches were kept. */
const maxKeptBranches = 30

/** @returns the names to try: what is merged keeps its branch at many hosts, and the next version needs another */
const branchesOf = (first: string): string[] =>
  Array.from({ length: maxKeptBranches }, (_, at) => at === 0 ? first : `${first}-${at + 1}`)

/** @returns the file of a record in the repository */
export const pathOf = ({ config }: StoredTarget, content: Content): string =>
  (config.path_template ?? defaultPath).replace(/\{(channel|locale|slug|id)\}/g, (_, name: 'slug') => content[name])

const externalOf = ({ number, html_url: url, head: { ref: branch } }: PullRequest) =>
  ({ id: String(number), url, pr_number: number, branch })

/** Calls the code host's routes as the requesting person, with their current rights. */
const callCodehost = async (deps: Deps, row: PublicationRow, url: string, payload?: object):
Promise<RouteAnswer> => {
  try {
    const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
    return await callRoute(deps, { ...principal, background: true },
      { method: payload ? 'POST' : 'GET', url, ...(payload && { payload }) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== InsufficientRole.code) throw error
    return { status: error.statusCode, body: { code: error.code } }
  }
}

const refused = ({ status, body }: RouteAnswer): Outcome => {
  const error = String(body.code ?? `answered_${status}`)
  if (status === 503 || status === 504 || status === 502) {
    return { state: error === 'codehost_timeout' ? 'unknown' : 'retrying', error, http_status: status }
  }
  return { ...byStatus(status), error }
}

/** Puts the file on the first of the branches that is free, or that has an open pull request. */
const putFile = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content,
  file: string | null): Promise<RouteAnswer> => {
  const { repo_id: repo = '', base } = target.config
  const pull = {
    title: `${file === null ? 'Remove' : 'Publish'} "${content.title}"`.slice(0, 250),
    body: `Version ${content.version} of the content record ${content.id}.`,
    ...(base !== undefined && { base }),
    files: [{ path: pathOf(target, content), content: file }]
  }
  let answer: RouteAnswer | undefined
  for (const head of branchesOf(branchOf(content, row))) {
    answer = await callCodehost(deps, row, `/codehost/repos/${repo}/pulls`, { ...pull, head })
    if (answer.body.code !== BranchTaken.code) break
  }
  if (!answer) throw new Error('There is no branch to try')
  return answer
}

const openWith = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content,
  file: string | null): Promise<Outcome> => {
  const answer = await putFile(deps, row, target, content, file)
  if (answer.status >= 300) return refused(answer)
  const external = externalOf(bodyOf(answer, OpenedPull).pull)
  return { state: 'awaiting_merge', error: null, http_status: answer.status, external, wait: pollSeconds }
}

/** Opens the pull request, or updates the open one: a repetition changes nothing. */
export const openPull = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content):
Promise<Outcome> => {
  const { fileOf } = await import('./file-of.js')
  return openWith(deps, row, target, content, fileOf(content))
}

const listPulls = (deps: Deps, row: PublicationRow, { config }: StoredTarget, content: Content):
Promise<RouteAnswer> => {
  const head = row.external?.branch ?? branchOf(content, row)
  const query = new URLSearchParams({ state: 'all', head, limit: '20' })
  return callCodehost(deps, row, `/codehost/repos/${config.repo_id ?? ''}/pulls?${query}`)
}

/** Opens the pull request that removes the file, or finds the one that an earlier attempt opened. */
export const openRemoval = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content):
Promise<Outcome> => {
  const { repo_id: repo = '', base } = target.config
  const made = await listPulls(deps, row, target, content)
  if (made.status >= 300) return refused(made)
  const [open] = bodyOf(made, PullPage).items
  const waits = { state: 'awaiting_merge' as const, error: null, http_status: made.status, wait: pollSeconds }
  if (open) return { ...waits, external: externalOf(open) }
  const query = new URLSearchParams({ path: pathOf(target, content), ...(base !== undefined && { ref: base }) })
  const file = await callCodehost(deps, row, `/codehost/repos/${repo}/contents?${query}`)
  if (file.status === 404) return { state: 'succeeded', error: null, http_status: 404 }
  return file.status >= 300 ? refused(file) : openWith(deps, row, target, content, null)
}

/** Checks whether the pull request was merged: then the content is live, or gone. */
export const watchPull = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content):
Promise<Outcome> => {
  const answer = await listPulls(deps, row, target, content)
  const waits = { state: 'awaiting_merge' as const, error: null, http_status: answer.status, wait: pollSeconds }
  if (answer.status >= 300) return waits
  const pull = bodyOf(answer, PullPage).items.find(({ number }) => number === row.external?.pr_number)
  if (pull?.state === 'merged') return { ...waits, state: 'succeeded', external: externalOf(pull) }
  return pull?.state === 'closed' ? { ...waits, state: 'failed', error: 'closed_without_merge' } : waits
}
