import type { TracedCommit, TracedPull } from './history.js'
import { ancestorsOf } from './ancestors.js'

const revertedCommits = /\bthis reverts commit ([0-9a-f]{7,40})\b/gi
const revertedPull = /\breverts (?:[\w.-]+\/[\w.-]+)?#(\d{1,10})(?!\d)/i
const isRevert = (headline: string): boolean => /^(?:revert(?:s|ed)?:? |revert\()/i.test(headline)

/** The pull request that a commit came by: "Open doors (#11)" when it was squashed, else the commit that merged it. */
const cameBy = (headline: string): string | undefined =>
  /\(#(\d{1,10})\)$/.exec(headline)?.[1] ?? /^Merge pull request #(\d{1,10}) /.exec(headline)?.[1]

/** "reversing changes made to 1a2b3c": the side of a merge that stays. */
const keptSide = /\breversing\s+changes\s+made\s+to\s+([0-9a-f]{7,40})\b/i

/** @returns the commits that a merge brought in: those of the other side which the side that stays lacks */
const mergedBy = (merge: TracedCommit, kept: string | undefined, known: ReadonlyMap<string, TracedCommit>): string[] => {
  if (merge.parents.length < 2) return []
  const named = kept?.toLowerCase()
  const stays = merge.parents.find((sha) => named !== undefined && sha.startsWith(named)) ?? merge.parents[0]
  const before = ancestorsOf(stays ?? merge.sha, known)
  return merge.parents.filter((sha) => sha !== stays).flatMap((sha) => [...ancestorsOf(sha, known)])
    .filter((sha) => !before.has(sha))
}

/** Follows the commits from the newest, so that what reverts a revert is seen before it. */
class Reverts {
  readonly #starts: string[] = []
  readonly #shas = new Set<string>()
  readonly #pulls = new Set<string>()
  readonly #known: ReadonlyMap<string, TracedCommit>

  constructor (private readonly commits: readonly TracedCommit[]) {
    this.#known = new Map(commits.map((commit) => [commit.sha, commit]))
  }

  isGone ({ sha, headline }: TracedCommit): boolean {
    return this.#shas.has(sha) || this.#starts.some((start) => sha.startsWith(start)) ||
      this.#pulls.has(cameBy(headline) ?? '')
  }

  /** @returns whether the commit reverts others */
  read ({ message, headline }: TracedCommit): boolean {
    // A squashed revert names the pull request, not the commit.
    const pull = isRevert(headline) ? revertedPull.exec(message)?.[1] : undefined
    if (pull !== undefined) this.#take(this.commits.filter((one) => cameBy(one.headline) === pull), undefined)
    if (pull !== undefined) this.#pulls.add(pull)
    const reverted = [...message.matchAll(revertedCommits)].map(([, start = '']) => start.toLowerCase())
    this.#starts.push(...reverted)
    const kept = keptSide.exec(message)?.[1]
    this.#take(this.commits.filter(({ sha }) => reverted.some((start) => sha.startsWith(start))), kept)
    return reverted.length > 0 || isRevert(headline)
  }

  /** What a reverted merge brought in is reverted with it. */
  #take (merges: readonly TracedCommit[], kept: string | undefined): void {
    for (const merge of merges) for (const sha of mergedBy(merge, kept, this.#known)) this.#shas.add(sha)
  }
}

/**
 * @returns the commits that stand: neither reverted nor a revert; the newest come first, and may revert a revert; and
 * the numbers of the pull requests whose commit was reverted
 */
export const withoutReverted = <T extends TracedCommit>(commits: readonly T[]): { standing: T[], pulls: Set<number> } => {
  const reverts = new Reverts(commits)
  const pulls = new Set<number>()
  const standing = commits.filter((commit) => {
    const isGone = reverts.isGone(commit)
    const pull = isGone ? cameBy(commit.headline) : undefined
    if (pull !== undefined) pulls.add(Number(pull))
    return !isGone && !reverts.read(commit)
  })
  return { standing, pulls }
}

/** @returns the pull requests that stand: one that a merged pull request reverts does not */
export const withoutRevertedPulls = <T extends TracedPull>(pulls: readonly T[]): T[] => {
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
