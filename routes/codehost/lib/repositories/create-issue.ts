import type { CreatedIssue, CreateIssue } from '../../../../schemas/codehost/issues.js'
import { HostIssue, HostIssues } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { CodehostConflict } from '../errors.js'
import { findRepository, repositoryNameOf, type RepositoryName } from './find-repository.js'
import { isCode } from '../read-host.js'
import { describeIssue } from './read-issue.js'

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
