import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Issue } from '../../../../schemas/codehost/issues.js'
import { HostIssue } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { CodehostNotFound } from '../errors.js'
import { inRepository } from './find-repository.js'
import { cutText, isCode, parseTime, stalenessOf, toTime } from '../read-host.js'

const maxBodyBytes = 65_536

const labelsOf = ({ labels }: HostIssue): string[] => (labels ?? []).flatMap((label) => {
  const name = typeof label === 'string' ? label : label.name
  return name ? [name] : []
})

/** @returns the issue without how old the answer is */
export const describeIssue = (host: HostIssue, repoId: string) => {
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
