import type { CodehostClient } from '../../../lib/codehost/client.js'
import type { OpenPull } from '../../../schemas/codehost/pulls.js'
import { HostComparison, HostContents, HostGitCommit, HostRef, HostTree } from '../../../schemas/codehost/upstream.js'
import { BranchTaken, CodehostConflict, CodehostNotFound } from './errors.js'
import type { RepositoryName } from './find-repository.js'
import { encodePath } from './read-contents.js'
import { isCode } from './read-host.js'

/** A branch that files are written to. Every step can be repeated: it finds what an earlier attempt has done. */
export interface Target {
  client: CodehostClient
  name: RepositoryName
  base: string
  input: OpenPull
}

export interface Written { commit: string, changed: boolean }

const messageOf = ({ input }: Target): string => input.commit_message ?? input.title

/** @returns the commit of the branch; undefined when there is no such branch */
const findBranch = async ({ client, name }: Target, branch: string): Promise<string | undefined> => {
  try {
    const { data } = await client.read('GET /repos/{owner}/{repo}/git/ref/heads/{+branch}',
      { ...name, branch: encodePath(branch) }, HostRef)
    return data.object.sha
  } catch (error) {
    if (isCode(error, 'codehost_not_found')) return undefined
    throw error
  }
}

const readCommit = async ({ client, name }: Target, sha: string) =>
  (await client.read('GET /repos/{owner}/{repo}/git/commits/{sha}', { ...name, sha }, HostGitCommit)).data

const isThere = async ({ client, name }: Target, path: string, ref: string): Promise<boolean> => {
  try {
    await client.read('GET /repos/{owner}/{repo}/contents/{+path}', { ...name, path: encodePath(path), ref },
      HostContents)
    return true
  } catch (error) {
    if (isCode(error, 'codehost_not_found')) return false
    throw error
  }
}

/** The code host refuses to remove what is not there, as it is when an earlier attempt has removed it. */
const changesOn = async (target: Target, commit: string) => {
  const changes = []
  for (const { path, content } of target.input.files) {
    const entry = { path, mode: '100644', type: 'blob' }
    if (content !== null) changes.push({ ...entry, content })
    else if (await isThere(target, path, commit)) changes.push({ ...entry, sha: null })
  }
  return changes
}

/** @returns a new tree: the files on top of the tree of a commit; no commit refers to it yet */
const writeTree = async (target: Target, commit: string, over: string): Promise<string> => {
  const { client, name } = target
  const tree = await changesOn(target, commit)
  if (tree.length === 0) return over
  const { sha } = await client.write('POST /repos/{owner}/{repo}/git/trees',
    { ...name, base_tree: over, tree }, HostTree)
  return sha
}

const addCommit = async (target: Target, tree: string, parent: string): Promise<string> => {
  const { client, name } = target
  const { sha } = await client.write('POST /repos/{owner}/{repo}/git/commits',
    { ...name, message: messageOf(target), tree, parents: [parent] }, HostGitCommit)
  return sha
}

const makeBranch = async (target: Target): Promise<Written> => {
  const { client, name, input, base } = target
  const head = await findBranch(target, base)
  if (head === undefined) throw CodehostNotFound(`The repository has no branch ${base}`)
  const { tree: before } = await readCommit(target, head)
  const commit = await addCommit(target, await writeTree(target, head, before.sha), head)
  await client.write('POST /repos/{owner}/{repo}/git/refs', { ...name, ref: `refs/heads/${input.head}`, sha: commit },
    HostRef)
  return { commit, changed: true }
}

/** @returns whether an earlier attempt left the branch: one commit of just these files, on the base */
const isLeftover = async (target: Target, head: string): Promise<boolean> => {
  const { message, tree, parents: [parent, ...others] } = await readCommit(target, head)
  if (!parent || others.length > 0 || message.trimEnd() !== messageOf(target).trimEnd()) return false
  const before = await readCommit(target, parent.sha)
  if (await writeTree(target, parent.sha, before.tree.sha) !== tree.sha) return false
  const { client, name, base } = target
  const basehead = `${encodePath(base)}...${head}`
  const { data } = await client.read('GET /repos/{owner}/{repo}/compare/{+basehead}', { ...name, basehead },
    HostComparison)
  return data.ahead_by === 1
}

const extendBranch = async (target: Target, head: string): Promise<Written> => {
  const { client, name, input } = target
  const { tree: before } = await readCommit(target, head)
  const tree = await writeTree(target, head, before.sha)
  if (tree === before.sha) return { commit: head, changed: false }
  const commit = await addCommit(target, tree, head)
  // Never forced: commits of other people stay.
  await client.write('PATCH /repos/{owner}/{repo}/git/refs/heads/{+branch}',
    { ...name, branch: encodePath(input.head), sha: commit, force: false }, HostRef)
  return { commit, changed: true }
}

/** @throws codehost_conflict when the branch is not where the caller last saw it */
const requireHead = ({ input: { head, expected_head: expected } }: Target, now: string | undefined): void => {
  if (expected === undefined || expected === (now ?? null)) return
  throw CodehostConflict(`The branch ${head} ${now ? `is at ${now}` : 'is not there'}; it was expected ` +
    `${expected ? `at ${expected}` : 'to be new'}`, { head: now ?? null })
}

/**
 * Writes the files to the head branch with one commit. A branch with an open pull request gets it on top; a branch
 * without one is used only if an earlier attempt of the same call left it.
 * @throws branch_taken, codehost_not_found when there is no base
 */
export const writeBranch = async (target: Target, isOpen: boolean): Promise<Written> => {
  const head = await findBranch(target, target.input.head)
  requireHead(target, head)
  if (head === undefined) return makeBranch(target)
  if (isOpen) return extendBranch(target, head)
  if (await isLeftover(target, head)) return { commit: head, changed: true }
  throw BranchTaken(`The branch ${target.input.head} exists and has no open pull request into ${target.base}; ` +
    'choose another name')
}
