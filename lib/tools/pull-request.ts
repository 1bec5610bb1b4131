import { CommitPage, Contents } from '../../schemas/codehost/commits.js'
import { Issue } from '../../schemas/codehost/issues.js'
import { PullPage, type OpenPull, type PullRequest } from '../../schemas/codehost/pulls.js'
import { Repository } from '../../schemas/codehost/repositories.js'
import { ApiError, InvalidRequest } from '../../schemas/errors.js'
import type { Change, Read, Target } from './options.js'

/** What the plans of tools that open a pull request with files have in common. */
type Files = OpenPull['files']

const urlOf = (repoId: string) => `/codehost/repos/${encodeURIComponent(repoId)}`

const unlessMissing = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code === 'codehost_not_found') return null
    throw error
  }
}

export const readRepository = (repoId: string, read: Read) => read(urlOf(repoId), Repository)

export const findOpenPull = async (repoId: string, { head, base }: { head: string, base: string }, read: Read):
Promise<PullRequest | undefined> => {
  const query = new URLSearchParams({ state: 'open', head, base, limit: '1' })
  return (await read(`${urlOf(repoId)}/pulls?${query}`, PullPage)).items[0]
}

/** Characters of a pull request's text that lists show. */
const excerpt = 500

/** @returns a row of the whole text of a pull request, of which a list shows the beginning */
export const textChange = async (repoId: string, pull: PullRequest | undefined, after: string | undefined, read: Read):
Promise<Change> => {
  const row = { label: 'Text', field: 'body', before: pull?.body_excerpt, after }
  if (!pull || (pull.body_excerpt?.length ?? 0) < excerpt) return row
  try {
    return { ...row, before: (await read(`${urlOf(repoId)}/issues/${pull.number}`, Issue)).body }
  } catch (error) {
    // Whoever may not read the discussion is shown what the list has.
    if (error instanceof ApiError && error.statusCode < 500) return row
    throw error
  }
}

/** @returns the commit at which the branch is; null when there is no such branch */
export const findBranchHead = async (repoId: string, branch: string, read: Read): Promise<string | null> => {
  const query = new URLSearchParams({ ref: branch, limit: '1' })
  const page = await unlessMissing(read(`${urlOf(repoId)}/commits?${query}`, CommitPage))
  return page?.items[0]?.sha ?? null
}

/** @returns the file as it is; one that is no text is named by its hash. null: there is none */
const readFile = async (repoId: string, path: string, ref: string, read: Read): Promise<string | null> => {
  const query = new URLSearchParams({ path, ref })
  const file = await unlessMissing(read(`${urlOf(repoId)}/contents?${query}`, Contents))
  return file && (file.text ?? `(${file.type} of ${file.size ?? 'unknown'} bytes, ${file.sha ?? 'without a hash'})`)
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** The code host reads a link as the file that it leads to: only its folder says that it is one. */
const requireFiles = async (repoId: string, files: Files, ref: string, read: Read): Promise<void> => {
  const kinds = new Map<string, string>()
  for (const path of new Set(files.map(({ path }) => folderOf(path)))) {
    const folder = await unlessMissing(read(`${urlOf(repoId)}/contents?${new URLSearchParams({ path, ref })}`, Contents))
    for (const entry of folder?.entries ?? []) kinds.set(entry.path, entry.type)
  }
  for (const [index, { path, content }] of files.entries()) {
    const kind = kinds.get(path) ?? 'file'
    if (kind === 'file' || (content === null && kind === 'symlink')) continue
    const message = `is a ${kind}, not a file`
    throw InvalidRequest(`/files/${index}/path ${message}`,
      { errors: [{ pointer: `/files/${index}/path`, code: 'not_a_file', message }] })
  }
}

/** @returns a row for each file, with what it holds at the reference now. @throws invalid_request for what is none */
export const fileChanges = async (repoId: string, files: Files, ref: string, read: Read): Promise<Change[]> => {
  await requireFiles(repoId, files, ref, read)
  return Promise.all(files.map(async ({ path, content }) =>
    ({ label: `File ${path}`, before: await readFile(repoId, path, ref, read), after: content })))
}

/** @returns whether the branch has all of the files, as they are given */
export const hasFiles = async (repoId: string, files: Files, branch: string, read: Read): Promise<boolean> => {
  for (const { path, content } of files) {
    if (await readFile(repoId, path, branch, read) !== content) return false
  }
  return true
}

/** @returns such as "acme/web (private)" */
export const describeRepository = ({ full_name: name, private: isPrivate }: Repository) =>
  `${name} (${isPrivate ? 'private' : 'public: anybody can read it'})`

export const describeFiles = (files: Files) => files.length === 1 ? 'one file' : `${files.length} files`

/** The branch of a pull request is what a call changes. */
export const branchTarget = (repository: Repository, head: string, within: Record<string, string> = {}): Target => ({
  kind: 'branch',
  id: `${repository.id}~${head}`,
  within: { repository: repository.id, ...within },
  names: [repository.full_name, head]
})

/** @param at the commit at which the branch is now; null: it will be made */
export const branchChange = ({ head, base }: { head: string, base: string }, at: string | null): Change => ({
  label: 'Branch',
  field: ['head', 'base', 'expected_head'],
  before: at && `${head} at ${at}`,
  after: `${head}, to be merged into ${base}`,
  context: true
})
