import type { Commit } from '../../../../schemas/codehost/commits.js'
import type { PullRequest } from '../../../../schemas/codehost/pulls.js'

const revertedCommits = /\bthis reverts commit ([0-9a-f]{7,40})\b/gi
const revertedPull = /\breverts (?:[\w.-]+\/[\w.-]+)?#(\d{1,10})(?!\d)/i
const isRevert = (headline: string): boolean => /^(?:revert(?:s|ed)?:? |revert\()/i.test(headline)

/** The pull request that a commit came by: "Open doors (#11)" when it was squashed, else the commit that merged it. */
const cameBy = (headline: string): string | undefined =>
  /\(#(\d{1,10})\)$/.exec(headline)?.[1] ?? /^Merge pull request #(\d{1,10}) /.exec(headline)?.[1]

/** @returns the commits that stand: neither reverted nor a revert; the newest come first, and may revert a revert */
export const withoutReverted = (commits: readonly Commit[]): Commit[] => {
  const gone: string[] = []
  const pulls = new Set<string>()
  const isGone = (sha: string): boolean => gone.some((start) => sha.startsWith(start))
  return commits.filter(({ sha, message, headline }) => {
    if (isGone(sha) || pulls.has(cameBy(headline) ?? '')) return false
    // A squashed revert names the pull request, not the commit.
    const pull = isRevert(headline) ? revertedPull.exec(message)?.[1] : undefined
    if (pull !== undefined) pulls.add(pull)
    const reverted = [...message.matchAll(revertedCommits)].map(([, start = '']) => start.toLowerCase())
    gone.push(...reverted)
    return reverted.length === 0 && !isRevert(headline)
  })
}

/** @returns the pull requests that stand: one that a merged pull request reverts does not */
export const withoutRevertedPulls = (pulls: readonly PullRequest[]): PullRequest[] => {
  const gone = new Set<number>()
  const byNewest = [...pulls].sort((one, other) => other.number - one.number)
  const standing = byNewest.filter(({ number, title, state, body_excerpt: body }) => {
    if (gone.has(number)) return false
    const reverted = isRevert(title) ? revertedPull.exec(body ?? '')?.[1] : undefined
    if (reverted !== undefined && state === 'merged') gone.add(Number(reverted))
    return !isRevert(title)
  })
  return pulls.filter((pull) => standing.includes(pull))
}
