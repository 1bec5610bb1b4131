import type { StepContext } from './build-state.js'
import { type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import { callArea, type Deps } from '../call-route.js'
import { fieldsOf } from '../../../../schemas/unknown.js'

/** The commit; or why it is unknown, and whether the build must fail without it. */
export type FoundCommit = { sha: string, headline: string | null } |
  { why: string, fatal: 'always' | 'where needed' | 'never' }

const commitsRoute = '/codehost/repos/:repo_id/commits'
const maxHeadline = 500

type Get = (url: string) => Promise<RouteAnswer>

/** @returns the items of a list of the API; none for any other body */
const itemsOf = ({ body }: RouteAnswer) => (Array.isArray(body.items) ? body.items : []).map(fieldsOf)

/** A temporary answer: an error of the code host, its rate limit, or stale data. */
const isTransient = ({ status, body }: RouteAnswer): boolean => status >= 500 || status === 429 || body.stale === true

const reasonOf = ({ body }: RouteAnswer): string =>
  String(body.code ?? (body.stale ? 'codehost_rate_limited' : 'there is none, or you may not see it'))

/** Codes of an actor without access to a code host, who builds by refs. */
const noAccessCodes = ['codehost_not_configured', 'codehost_not_connected', 'insufficient_scope', 'insufficient_role']

const unresolved = (what: string, answer: RouteAnswer): FoundCommit => ({
  why: `The code host has no answer for ${what}: ${reasonOf(answer)}`,
  fatal: noAccessCodes.includes(String(answer.body.code)) ? 'never' : 'where needed'
})

/** @returns the numeric id of a repository that is named by its id or its name */
const findId = async (get: Get, repo: string): Promise<string | RouteAnswer> => {
  if (/^[1-9]\d{0,18}$/.test(repo)) return repo
  const answer = await get(`/codehost/repos?full_name=${encodeURIComponent(repo)}`)
  const [found] = itemsOf(answer)
  return typeof found?.id === 'string' && !isTransient(answer) ? found.id : answer
}

const headlineOf = ({ headline }: Record<string, unknown>): string | null =>
  typeof headline === 'string' ? headline.slice(0, maxHeadline).toWellFormed().replaceAll('\0', '') : null

const readCommit = async (get: Get, repo: string, ref: string): Promise<FoundCommit> => {
  const id = await findId(get, repo)
  if (typeof id !== 'string') return unresolved(`the repository ${repo}`, id)
  const answer = await get(`/codehost/repos/${id}/commits?ref=${encodeURIComponent(ref)}&limit=1`)
  const [commit] = itemsOf(answer)
  if (typeof commit?.sha === 'string' && !isTransient(answer)) return { sha: commit.sha, headline: headlineOf(commit) }
  if (answer.body.code === 'codehost_not_found') {
    return { why: `${repo} has no branch, tag or commit ${ref}`, fatal: 'always' }
  }
  return unresolved(`the commit of ${ref}`, answer)
}

const isThere = ({ hasRoute }: Pick<Deps, 'hasRoute'>) => hasRoute({ method: 'GET', url: commitsRoute })

/** @returns the commit of a branch, a tag or a short hash, as the actor of the build sees it */
export const findCommit = async ({ deps, state: { row } }: StepContext, ref: string): Promise<FoundCommit> => {
  if (!isThere(deps)) return { why: 'No code host is connected', fatal: 'never' }
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  return readCommit((url) => callArea(deps, principal, { url }), row.repo, ref)
}
