import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Commit } from '../../../../schemas/codehost/commits.js'
import type { HostCommit } from '../../../../schemas/codehost/upstream.js'
import { cutText, toAccountId, toTime } from '../read-host.js'

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
