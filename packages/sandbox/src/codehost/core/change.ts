import type { Files, Person } from './git.js'
import type { Repository, World } from './world.js'

/** Texts by path, with a mode where it is not that of a plain file; null deletes the file. */
export type FileChanges = Record<string, string | null | { text: string, mode: string }>

export const personOf = (world: World, userId: number, date: string): Person => {
  const account = world.accounts.get(userId)
  return { name: account?.name ?? 'Ghost', email: account?.email ?? 'ghost@larkspur.example', date }
}

/** @returns the files with the changes made, their content stored */
export function applyChanges ({ git }: Repository, files: Files, changes: FileChanges): Files {
  const after = new Map(files)
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) {
      after.delete(path)
      continue
    }
    const { text, mode } = typeof content === 'string' ? { text: content, mode: '100644' } : content
    after.set(path, { sha: git.writeBlob(Buffer.from(text)), mode })
  }
  return after
}

export interface CommitInput {
  branch: string
  user_id: number
  message: string
  files: FileChanges
  /** The base of a new branch: a branch or a commit. */
  from?: string | undefined
  /** RFC 3339, whole seconds. */
  at: string
  verified?: boolean
}

/** Adds a commit to a branch, which is created if missing. Delivers no webhooks. @returns its hash */
export function commitTo (world: World, repository: Repository, input: CommitInput): string {
  const { branch, user_id, message, files, from, at, verified = false } = input
  const { git, branches } = repository
  const parent = branches.get(branch) ?? branches.get(from ?? repository.default_branch) ?? from
  const tree = git.writeTree(applyChanges(repository, parent === undefined ? new Map() : git.filesOf(parent), files))
  const person = personOf(world, user_id, at)
  const parents = parent === undefined ? [] : [parent]
  const { sha } = git.writeCommit({ tree, parents, author: person, committer: person, message, verified })
  branches.set(branch, sha)
  repository.pushed_at = at
  return sha
}
