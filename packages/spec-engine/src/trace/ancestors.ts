import type { TracedCommit } from './history.js'

/** @returns the commit and all that it contains, as far as the list goes */
export const ancestorsOf = (head: string, commits: ReadonlyMap<string, TracedCommit>): Set<string> => {
  const found = new Set<string>()
  const open = [head]
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (found.has(sha)) continue
    found.add(sha)
    open.push(...commits.get(sha)?.parents ?? [])
  }
  return found
}
