import type { Principal } from '../../../../lib/security/principal.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import { Issue, IssueCommentPage, type IssueComment } from '../../../../schemas/codehost/issues.js'
import { maxExtracted } from '../../../../schemas/pse/inputs.js'
import type { Deps } from '../deps.js'
import { InputsTooLong } from '../errors.js'

/** A thread with more pages of 100 comments is refused: the newest decision stands at its end. */
const maxPages = 20

const readComments = async (deps: Deps, principal: Principal, issue: string): Promise<IssueComment[]> => {
  const found: IssueComment[] = []
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor !== null; page++) {
    if (page === maxPages) throw InputsTooLong(`The issue has more than ${maxPages * 100} comments`)
    const query: URLSearchParams = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    const next = await readRoute(deps, principal, { url: `${issue}/comments?${query}` }, IssueCommentPage)
    found.push(...next.items)
    cursor = next.next_cursor
  }
  return found
}

/** A text must not make a comment of its own: a heading of ours inside a comment is escaped. */
const quiet = (text: string): string => text.replace(/^(#+ Comment by )/gm, '\\$1')

/** The document reader knows this heading. */
const commentText = ({ author, created_at: at, body }: IssueComment): string =>
  `# Comment by ${author ?? 'unknown'}, ${new Date(at).toISOString()}\n\n${quiet(body)}`

/** @returns the issue and its thread as one text: the title, the text, then each comment with its author and time */
export const readIssueThread = async (deps: Deps, principal: Principal, issue: string) => {
  const found = await readRoute(deps, principal, { url: issue }, Issue)
  const comments = await readComments(deps, principal, issue)
  const text = [`# ${found.title}`, quiet(found.body ?? ''), ...comments.map(commentText)].join('\n\n')
  if (text.length > maxExtracted) throw InputsTooLong(`The issue holds ${text.length} characters of ${maxExtracted}`)
  const { updated_at, html_url } = found
  return { text, source: { updated_at, html_url, comments: comments.length } }
}
