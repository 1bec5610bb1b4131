import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { OpenPull } from '../../../../schemas/codehost/pulls.js'
import {
  HostComparison, HostGitCommit, HostRef, HostTree, HostTreeEntries
} from '../../../../schemas/codehost/upstream.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { BranchTaken, CodehostConflict, CodehostNotFound } from '../errors.js'
import type { RepositoryName } from '../repositories/find-repository.js'
import { encodePath } from '../repositories/read-contents.js'
import { isCode } from '../read-host.js'

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

const modes = { file: '100644', executable: '100755', symlink: '120000', submodule: '160000', folder: '040000' }
type TreeEntry = HostTreeEntries['tree'][number]

const isFolder = ({ mode }: TreeEntry): boolean => mode.padStart(6, '0') === modes.folder

const readFolder = async ({ client, name }: Target, sha: string): Promise<TreeEntry[]> => {
  const { data } = await client.read('GET /repos/{owner}/{repo}/git/trees/{sha}', { ...name, sha }, HostTreeEntries)
  // What is missing would be written as a new file.
  if (data.truncated) throw CodehostConflict('The code host does not list a folder of these files whole')
  return data.tree
}

const notWritable = (index: number, message: string) =>
  InvalidRequest(`/files/${index}/path ${message}`,
    { errors: [{ pointer: `/files/${index}/path`, code: 'not_a_file', message }] })

/** @returns the entry of a path below a tree. @throws invalid_request for a path below what is no folder */
const findEntry = async (target: Target, tree: string, index: number): Promise<TreeEntry | undefined> => {
  const parts = target.input.files[index]?.path.split('/') ?? []
  let folder = tree
  for (const [depth, part] of parts.entries()) {
    const entry = (await readFolder(target, folder)).find(({ path }) => path === part)
    if (entry === undefined || depth === parts.length - 1) return entry
    if (!isFolder(entry)) {
      throw notWritable(index, `is below ${parts.slice(0, depth + 1).join('/')}, which is no folder`)
    }
    folder = entry.sha ?? ''
  }
  return undefined
}

/** Text over a link or a submodule would turn it into a file, unseen. */
const requireFile = ({ mode }: TreeEntry, index: number): void => {
  if (mode === modes.symlink) throw notWritable(index, 'is a symbolic link: name the file that it leads to')
  if (mode === modes.submodule) throw notWritable(index, 'is a submodule')
}

/**
 * What exists keeps its mode. The code host refuses to remove what is not there, as it is when an earlier attempt has
 * removed it.
 */
const changesOn = async (target: Target, tree: string) => {
  const changes = []
  for (const [index, { path, content }] of target.input.files.entries()) {
    const entry = await findEntry(target, tree, index)
    if (entry && isFolder(entry)) throw notWritable(index, 'is a folder')
    if (content !== null && entry) requireFile(entry, index)
    const mode = entry?.mode ?? modes.file
    if (content !== null) changes.push({ path, mode, type: 'blob', content })
    else if (entry) changes.push({ path, mode, type: mode === modes.submodule ? 'commit' : 'blob', sha: null })
  }
  return changes
}

/** @returns a new tree: the files on top of this one; no commit refers to it yet */
const writeTree = async (target: Target, over: string): Promise<string> => {
  const { client, name } = target
  const tree = await changesOn(target, over)
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
  const commit = await addCommit(target, await writeTree(target, before.sha), head)
  await client.write('POST /repos/{owner}/{repo}/git/refs', { ...name, ref: `refs/heads/${input.head}`, sha: commit },
    HostRef)
  return { commit, changed: true }
}

/** @returns whether an earlier attempt left the branch: one commit of just these files, on the base */
const isLeftover = async (target: Target, head: string): Promise<boolean> => {
  const { message, tree, parents: [parent, ...others] } = await readCommit(target, head)
  if (!parent || others.length > 0 || message.trimEnd() !== messageOf(target).trimEnd()) return false
  const before = await readCommit(target, parent.sha)
  if (await writeTree(target, before.tree.sha) !== tree.sha) return false
  const { client, name, base } = target
  const basehead = `${encodePath(base)}...${head}`
  const { data } = await client.read('GET /repos/{owner}/{repo}/compare/{+basehead}', { ...name, basehead },
    HostComparison)
  return data.ahead_by === 1
}

const extendBranch = async (target: Target, head: string): Promise<Written> => {
  const { client, name, input } = target
  const { tree: before } = await readCommit(target, head)
  const tree = await writeTree(target, before.sha)
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
