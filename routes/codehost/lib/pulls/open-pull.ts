import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { OpenedPull, OpenPull } from '../../../../schemas/codehost/pulls.js'
import {
  HostPull, HostPulls, HostComparison, HostGitCommit, HostRef, HostTree, HostTreeEntries
} from '../../../../schemas/codehost/upstream.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { type Access, CodehostConflict, CodehostForbidden, BranchTaken, CodehostNotFound } from '../access.js'
import { isCode } from '../read-host.js'
import {
  seenOf, findRepository, repositoryNameOf, type Found, type RepositoryName, encodePath
} from '../repositories/find-repository.js'
import { describePull } from './read-pull-state.js'

/** A branch that files are written to. Every step can be repeated: it finds what an earlier attempt has done. */
interface Target {
  client: CodehostClient
  name: RepositoryName
  base: string
  input: OpenPull
}

interface Written { commit: string, changed: boolean }

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
const writeBranch = async (target: Target, isOpen: boolean): Promise<Written> => {
  const head = await findBranch(target, target.input.head)
  requireHead(target, head)
  if (head === undefined) return makeBranch(target)
  if (isOpen) return extendBranch(target, head)
  if (await isLeftover(target, head)) return { commit: head, changed: true }
  throw BranchTaken(`The branch ${target.input.head} exists and has no open pull request into ${target.base}; ` +
    'choose another name')
}

const invalid = (pointer: string, code: string, message: string) =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

const requireUniquePaths = ({ files }: OpenPull): void => {
  const seen = new Set<string>()
  for (const [i, { path }] of files.entries()) {
    if (seen.has(path)) throw invalid(`/files/${i}/path`, 'duplicate', 'is named twice')
    seen.add(path)
  }
}

const requireWritable = ({ host }: Found, base: string, { head }: OpenPull): void => {
  const { default_branch: main, permission } = seenOf(host)
  if (head === base || head === main) throw invalid('/head', 'exclusive', 'must not be the base or the default branch')
  // Not every host reports the person's permission; then the write itself is refused.
  if (permission === 'read' && host.permissions) {
    throw CodehostForbidden(`You may read ${host.full_name}, but not write to it`)
  }
  if (host.archived) throw CodehostConflict(`${host.full_name} is archived`)
}

const findOpen = async ({ client, name, base, input }: Target): Promise<HostPull | undefined> => {
  const { data } = await client.read('GET /repos/{owner}/{repo}/pulls',
    { ...name, state: 'open', head: `${name.owner}:${input.head}`, base, per_page: 10 }, HostPulls)
  return data.find((pull) => pull.head.ref === input.head && pull.base.ref === base)
}

const create = async (target: Target): Promise<HostPull> => {
  const { client, name, base, input: { title, body, head, draft } } = target
  try {
    return await client.write('POST /repos/{owner}/{repo}/pulls',
      { ...name, title, body, head, base, draft }, HostPull)
  } catch (error) {
    // Another call was quicker, and its pull request serves as well; or there is nothing to merge.
    const other = isCode(error, 'codehost_validation') ? await findOpen(target) : undefined
    if (!other) throw error
    return other
  }
}

interface Step { pull: HostPull, commit: string }

const update = async (target: Target, pull: HostPull, { commit }: Written): Promise<Step> => {
  const { client, name, input: { title, body } } = target
  if (pull.title === title && (pull.body ?? '') === body) return { pull, commit }
  const after = await client.write('PATCH /repos/{owner}/{repo}/pulls/{number}',
    { ...name, number: pull.number, title, body }, HostPull)
  return { pull: after, commit }
}

/** The pull request before anything was written; undefined = not read yet, null = there was none. */
interface Before { pull?: HostPull | null }

/** Reads the state at the code host and does what is missing, so a second run changes nothing. */
const converge = async (target: Target, before: Before): Promise<Step> => {
  const open = await findOpen(target)
  if (before.pull === undefined) before.pull = open ?? null
  const written = await writeBranch(target, open !== undefined)
  if (open) return update(target, open, written)
  return { pull: await create(target), commit: written.commit }
}

/** Compares with the state at first: a write of this call whose answer was lost counts as done by this call. */
const outcomeOf = ({ pull: before }: Before, { pull, commit }: Step): OpenedPull['outcome'] => {
  if (!before) return 'opened'
  const same = before.head.sha === commit && before.title === pull.title && (before.body ?? '') === (pull.body ?? '')
  return same ? 'unchanged' : 'updated'
}

/** Validation errors are among them: another call may have created the branch a moment ago. */
const unclear = ['codehost_timeout', 'codehost_error', 'codehost_bad_response', 'codehost_validation']

/** A write whose answer was lost may have been done: a second run finds it, and does the rest. */
const convergeTwice = (target: Target, before: Before): Promise<Step> =>
  converge(target, before).catch((error: unknown) => {
    if (!unclear.some((code) => isCode(error, code))) throw error
    // The first run may have moved the branch itself.
    const { expected_head: _, ...input } = target.input
    return converge({ ...target, input }, before)
  })

/**
 * Makes one branch, one commit with the files, and one pull request. The same call again finds them; with other files
 * or texts it updates the same pull request.
 * @throws repo_not_found, codehost_forbidden, branch_taken, codehost_conflict, codehost_not_found
 */
export const openPull = async (access: Access, repoId: string, input: OpenPull): Promise<OpenedPull> => {
  requireUniquePaths(input)
  const found = await findRepository(access, repoId)
  const base = input.base ?? seenOf(found.host).default_branch
  requireWritable(found, base, input)
  const { client } = access
  const before: Before = {}
  const step = await convergeTwice({ client, name: repositoryNameOf(found.host.full_name), base, input }, before)
  const { commit, pull } = step
  // The host's answer to a write may have the head of before.
  const current = { ...pull, head: { ...pull.head, sha: commit } }
  const outcome = outcomeOf(before, step)
  return { outcome, commit, pull: describePull(current, repoId, { reviews: null, checks: null }) }
}
