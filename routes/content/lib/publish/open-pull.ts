import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { Deps } from './deps.js'
import { byStatus, type Outcome } from './outcome.js'
import { OpenedPull, PullPage, type PullRequest } from '../../../../schemas/codehost/pulls.js'
import { bodyOf, callRoute, type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import { ApiError, InsufficientRole } from '../../../../schemas/errors.js'

const pollSeconds = 60
export const defaultPath = 'content/{channel}/{slug}.md'

/** One branch for each record, so a newer version goes into the same pull request. */
const branchOf = ({ slug, id }: Content): string => `content/${slug}-${id.slice(-8)}`

const pathOf = ({ config }: StoredTarget, content: Content): string =>
  (config.path_template ?? defaultPath).replace(/\{(channel|locale|slug|id)\}/g, (_, name: 'slug') => content[name])

const externalOf = ({ number, html_url: url }: PullRequest) => ({ id: String(number), url, pr_number: number })

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

/** Opens the pull request, or updates the open one: a repetition changes nothing. */
export const openPull = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content):
Promise<Outcome> => {
  const { repo_id: repo = '', base } = target.config
  const { fileOf } = await import('./file-of.js')
  const answer = await callCodehost(deps, row, `/codehost/repos/${repo}/pulls`, {
    title: `Publish "${content.title}"`.slice(0, 250),
    body: `Version ${content.version} of the content record ${content.id}.`,
    head: branchOf(content),
    ...(base !== undefined && { base }),
    files: [{ path: pathOf(target, content), content: fileOf(content) }]
  })
  if (answer.status >= 300) return refused(answer)
  const external = externalOf(bodyOf(answer, OpenedPull).pull)
  return { state: 'awaiting_merge', error: null, http_status: answer.status, external, wait: pollSeconds }
}

/** Checks whether the pull request was merged: then the content is live. */
export const watchPull = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content):
Promise<Outcome> => {
  const query = new URLSearchParams({ state: 'all', head: branchOf(content), limit: '20' })
  const answer = await callCodehost(deps, row, `/codehost/repos/${target.config.repo_id ?? ''}/pulls?${query}`)
  const waits = { state: 'awaiting_merge' as const, error: null, http_status: answer.status, wait: pollSeconds }
  if (answer.status >= 300) return waits
  const pull = bodyOf(answer, PullPage).items.find(({ number }) => number === row.external?.pr_number)
  if (pull?.state === 'merged') return { ...waits, state: 'succeeded', external: externalOf(pull) }
  return pull?.state === 'closed' ? { ...waits, state: 'failed', error: 'closed_without_merge' } : waits
}
