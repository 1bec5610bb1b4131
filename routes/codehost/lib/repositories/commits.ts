import type { Answer } from '../../../../lib/codehost/client.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { CursorKey } from '../../../../plugins/cursors.js'
import type { ListCommits, Commit } from '../../../../schemas/codehost/commits.js'
import { HostCommits, type HostCommit } from '../../../../schemas/codehost/upstream.js'
import { type Access, CodehostNotFound } from '../access.js'
import { isCode, stalenessOf, toUtc, type Staleness, cutText, toAccountId, toTime } from '../read-host.js'
import { inRepository, type RepositoryName } from './find-repository.js'
import { scanPages, type Scanned } from './list-repositories.js'

const maxMessageBytes = 65_536
const maxHeadline = 300

type Role = 'author' | 'committer'

const personOf = (host: HostCommit, role: Role, withEmail: boolean): Commit['author'] => {
  const [signature, account] = [host.commit[role], host[role]]
  return {
    name: signature?.name ?? null,
    email: withEmail ? signature?.email ?? null : null,
    login: account?.login || null,
    user_id: toAccountId(account),
    date: toTime(signature?.date)
  }
}

const verifiedOf = ({ commit: { verification } }: HostCommit): Commit['verified'] => {
  if (typeof verification?.verified !== 'boolean') return { state: 'unknown', reason: null }
  return { state: verification.verified ? 'verified' : 'unverified', reason: verification.reason ?? null }
}

/** @param withEmail whether the caller may see the addresses of people */
export const describeCommit = (host: HostCommit, repoId: string, withEmail: boolean): Commit => {
  const { text: message, cut } = cutText(host.commit.message ?? '', maxMessageBytes)
  return {
    sha: host.sha,
    repo_id: repoId,
    message,
    message_truncated: cut,
    headline: (message.split('\n')[0] ?? '').slice(0, maxHeadline).toWellFormed(),
    author: personOf(host, 'author', withEmail),
    committer: personOf(host, 'committer', withEmail),
    parents: (host.parents ?? []).map(({ sha }) => sha),
    verified: verifiedOf(host),
    html_url: toWebLink(host.html_url)
  }
}

export interface CommitList extends Staleness { items: HostCommit[], next: CursorKey | null }

const none: Answer<HostCommit[]> = { data: [], next: null, staleSince: null }

const fetchPage = async ({ client }: Access, name: RepositoryName, query: object): Promise<Answer<HostCommit[]>> => {
  try {
    return await client.read('GET /repos/{owner}/{repo}/commits', { ...name, ...query }, HostCommits)
  } catch (error) {
    // The code host answers 409 for an empty repository.
    if (isCode(error, 'codehost_conflict')) return none
    if (isCode(error, 'codehost_not_found')) throw CodehostNotFound('The repository has no such ref')
    throw error
  }
}

const isFiltered = ({ path, author, since, until }: ListCommits) =>
  [path, author, since, until].some((value) => value !== undefined)

/** @returns the head that the list starts from: with a filter it may not be on the first page */
const findHead = async (access: Access, name: RepositoryName, { ref }: ListCommits): Promise<string | undefined> =>
  (await fetchPage(access, name, { sha: ref, per_page: 1 })).data[0]?.sha

const scan = (access: Access, name: RepositoryName, query: ListCommits, head: string | undefined, from: CursorKey) => {
  const { ref, path, author, limit } = query
  const [since, until] = [toUtc('since', query.since), toUtc('until', query.until)]
  return scanPages<HostCommit>({
    limit,
    from: from.length > 0 ? from : undefined,
    fetch: (page, per_page) =>
      fetchPage(access, name, { sha: head ?? ref, path, author, since, until, per_page, page })
  }, false)
}

const readPage = async (access: Access, name: RepositoryName, query: ListCommits, from: CursorKey | undefined):
Promise<Scanned<HostCommit>> => {
  const [pinned, ...position] = from ?? []
  // We made the cursor: its first value is a hash.
  const known = typeof pinned === 'string'
    ? pinned
    : isFiltered(query) ? await findHead(access, name, query) : undefined
  if (known === undefined && isFiltered(query)) return { items: [], next: null, staleSince: null }
  const scanned = await scan(access, name, query, known, position)
  const head = known ?? scanned.items[0]?.sha
  return { ...scanned, next: scanned.next && head ? [head, ...scanned.next] : null }
}

/**
 * One page of a repository's commits, newest first from the head that the first page saw: a push between two pages
 * neither repeats nor skips a commit.
 * @throws repo_not_found; codehost_not_found when there is no such ref
 */
export const listCommits = async (access: Access, repoId: string, query: ListCommits, from: CursorKey | undefined):
Promise<CommitList> => {
  const { found, result } = await inRepository(access, repoId, (name) => readPage(access, name, query, from))
  return { items: result.items, next: result.next, ...stalenessOf(found, result) }
}
