import type { Commit } from '../core/git.js'
import type { Repository } from '../core/world.js'

const lines = (content: Buffer | undefined): number => content?.toString().split('\n').length ?? 0

/** @returns the files that the commit touched */
export function changesOf ({ git }: Repository, { sha, parents }: Commit) {
  const before = parents[0] === undefined ? new Map<string, { sha: string }>() : git.filesOf(parents[0])
  const after = git.filesOf(sha)
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
    .filter((name) => before.get(name)?.sha !== after.get(name)?.sha)
  const files = names.map((filename) => {
    const old = before.get(filename)
    const now = after.get(filename)
    const status = !old ? 'added' : !now ? 'removed' : 'modified'
    const additions = now ? lines(git.blobs.get(now.sha)) : 0
    const deletions = old ? lines(git.blobs.get(old.sha)) : 0
    return { sha: (now ?? old)?.sha, filename, status, additions, deletions, changes: additions + deletions }
  })
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return { stats: { total: additions + deletions, additions, deletions }, files }
}
