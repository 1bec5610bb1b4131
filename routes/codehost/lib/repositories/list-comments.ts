import type { CursorKey } from '../../../../plugins/cursors.js'
import { toWebLink } from '../../../../lib/http/web-link.js'
import type { IssueComment } from '../../../../schemas/codehost/issues.js'
import { HostComments } from '../../../../schemas/codehost/upstream.js'
import type { Static } from '@sinclair/typebox'
import type { Access } from '../access.js'
import { CodehostNotFound } from '../errors.js'
import { inRepository } from './find-repository.js'
import { cutText, isCode, parseTime, stalenessOf, type Staleness } from '../read-host.js'
import { scanPages } from './scan-pages.js'

type HostComment = Static<typeof HostComments>[number]
interface CommentList extends Staleness { items: IssueComment[], next: CursorKey | null }

const maxBodyBytes = 65_536

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
