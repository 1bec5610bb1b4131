import type { Static } from '@sinclair/typebox'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { IssueComment, Issue, CreatedIssue, CreateIssue } from '../../../../schemas/codehost/issues.js'
import { HostComments, HostIssue, HostIssues } from '../../../../schemas/codehost/upstream.js'
import { type Access, CodehostNotFound, CodehostConflict } from '../access.js'
import { cutText, isCode, parseTime, stalenessOf, type Staleness, toTime } from '../read-host.js'
import { inRepository, findRepository, repositoryNameOf, type RepositoryName } from './find-repository.js'
import { scanPages } from './list-repositories.js'

const maxBodyBytes = 65_536

const labelsOf = ({ labels }: HostIssue): string[] => (labels ?? []).flatMap((label) => {
  const name = typeof label === 'string' ? label : label.name
  return name ? [name] : []
})

/** @returns the issue without how old the answer is */
const describeIssue = (host: HostIssue, repoId: string) => {
  const body = cutText(host.body ?? '', maxBodyBytes)
  return {
    repo_id: repoId,
    number: host.number,
    title: host.title,
    body: host.body === null || host.body === undefined ? null : body.text,
    body_truncated: body.cut,
    state: host.state === 'open' ? 'open' as const : 'closed' as const,
    is_pull: Boolean(host.pull_request),
    author: host.user?.login || null,
    labels: labelsOf(host),
    comments: host.comments ?? null,
    created_at: parseTime(host.created_at),
    updated_at: parseTime(host.updated_at),
    closed_at: toTime(host.closed_at),
    html_url: toWebLink(host.html_url)
  }
}

/** @returns one issue, or the discussion of a pull request. @throws repo_not_found, codehost_not_found */
export const readIssue = async (access: Access, id: string, number: number): Promise<Issue> => {
  const { found, result } = await inRepository(access, id, (name) =>
    access.client.read('GET /repos/{owner}/{repo}/issues/{number}', { ...name, number }, HostIssue)
      .catch((error: unknown): never => {
        throw isCode(error, 'codehost_not_found') ? CodehostNotFound('There is no such issue') : error
      }))
  return { ...describeIssue(result.data, id), ...stalenessOf(found, result) }
}

/** Pages of 100 issues in which a key is looked for. */
const maxPages = 3

/** Markdown shows no comment. */
const markOf = (key: string): string => `<!-- steward ${key} -->`

/** @returns the issue whose text ends with the key: what stands elsewhere in a text is not ours */
const findMarked = async ({ client }: Access, name: RepositoryName, key: string): Promise<HostIssue | undefined> => {
  for (let page = 1; page <= maxPages; page++) {
    const { data, next } = await client.read('GET /repos/{owner}/{repo}/issues',
      { ...name, state: 'all', sort: 'created', direction: 'desc', per_page: 100, page }, HostIssues)
    const found = data.find(({ body, pull_request: pull }) => !pull && body?.trimEnd().endsWith(markOf(key)))
    if (found || !next) return found
  }
  return undefined
}

/** A write whose answer was lost may have been done. */
const unclear = ['codehost_timeout', 'codehost_error', 'codehost_bad_response']

const create = async (access: Access, name: RepositoryName, { title, body, key }: CreateIssue): Promise<HostIssue> => {
  try {
    return await access.client.write('POST /repos/{owner}/{repo}/issues',
      { ...name, title, body: `${body}${body && '\n\n'}${markOf(key)}` }, HostIssue)
  } catch (error) {
    const done = unclear.some((code) => isCode(error, code)) ? await findMarked(access, name, key) : undefined
    if (!done) throw error
    return done
  }
}

/**
 * Creates an issue, or finds the one that was created with the same key.
 * @throws repo_not_found, codehost_conflict, codehost_forbidden, codehost_not_found where the repository has no issues
 */
export const createIssue = async (access: Access, repoId: string, input: CreateIssue): Promise<CreatedIssue> => {
  const { host } = await findRepository(access, repoId)
  const name = repositoryNameOf(host.full_name)
  const before = await findMarked(access, name, input.key)
  if (!before && host.archived) throw CodehostConflict(`${host.full_name} is archived`)
  const issue = describeIssue(before ?? await create(access, name, input), repoId)
  return { outcome: before ? 'unchanged' : 'created', issue: { ...issue, stale: false, as_of: null } }
}

type HostComment = Static<typeof HostComments>[number]
interface CommentList extends Staleness { items: IssueComment[], next: CursorKey | null }

const describeComment = ({ id, body: whole, user, created_at: at, html_url: url }: HostComment): IssueComment => {
  const { text, cut } = cutText(whole ?? '', maxBodyBytes)
  return {
    id: String(id),
    author: user?.login || null,
    body: text,
    body_truncated: cut,
    created_at: parseTime(at),
    html_url: toWebLink(url)
  }
}

/** @returns one page of an issue's comments, oldest first. @throws repo_not_found, codehost_not_found */
export const listComments = async (access: Access, id: string, number: number, limit: number,
  from: CursorKey | undefined): Promise<CommentList> => {
  const { found, result } = await inRepository(access, id, (name) => scanPages<HostComment>({
    limit,
    from,
    fetch: (page, per_page) => access.client.read('GET /repos/{owner}/{repo}/issues/{number}/comments',
      { ...name, number, per_page, page }, HostComments)
  }, false).catch((error: unknown): never => {
    throw isCode(error, 'codehost_not_found') ? CodehostNotFound('There is no such issue') : error
  }))
  return { items: result.items.map(describeComment), next: result.next, ...stalenessOf(found, result) }
}
