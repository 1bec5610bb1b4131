import type { OpenedPull, OpenPull } from '../../../../schemas/codehost/pulls.js'
import { HostPull, HostPulls } from '../../../../schemas/codehost/upstream.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { Access } from '../access.js'
import { writeBranch, type Target, type Written } from './branch.js'
import { describePull } from './describe-pull.js'
import { seenOf } from '../repositories/describe-repository.js'
import { CodehostConflict, CodehostForbidden } from '../errors.js'
import { findRepository, repositoryNameOf, type Found } from '../repositories/find-repository.js'
import { isCode } from '../read-host.js'

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
