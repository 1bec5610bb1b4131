import type { Arguments, PreviewRow, Read, ToolOptions } from '../../../plugins/tool-options.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Contents } from '../../../schemas/codehost/contents.js'
import type { OpenPull, PullRequest } from '../../../schemas/codehost/pulls.js'
import type { Repository } from '../../../schemas/codehost/repositories.js'

type WriteTool = Exclude<ToolOptions, 'read'>

/** The route has checked the arguments against its schemas before these run. */
const wishOf = (args: Arguments) => args as unknown as OpenPull & { repo_id: string }

const urlOf = (args: Arguments) => `/codehost/repos/${encodeURIComponent(wishOf(args).repo_id)}`

// The answers' schemas are Repository, PullPage and Contents.
const readRepository = async (args: Arguments, read: Read) => await read(urlOf(args)) as unknown as Repository

const findPull = async (args: Arguments, read: Read, base: string): Promise<PullRequest | undefined> => {
  const query = new URLSearchParams({ state: 'open', head: wishOf(args).head, base, limit: '1' })
  const { items } = await read(`${urlOf(args)}/pulls?${query}`) as unknown as { items: PullRequest[] }
  return items[0]
}

const readText = async (args: Arguments, read: Read, path: string, ref: string): Promise<string | null> => {
  try {
    const query = new URLSearchParams({ path, ref })
    return (await read(`${urlOf(args)}/contents?${query}`) as unknown as Contents).text
  } catch (error) {
    if (error instanceof ApiError && error.code === 'codehost_not_found') return null
    throw error
  }
}

/** All files of one question together stay well below what a stream's event may hold. */
const maxShown = 20_000

const cut = (text: string | null, length: number): string | null =>
  text !== null && text.length > length
    ? `${text.slice(0, length).toWellFormed()}… (${text.length - length} more characters)`
    : text

const place = async (args: Arguments, read: Read) => {
  const repository = await readRepository(args, read)
  const base = wishOf(args).base ?? repository.default_branch
  return { repository, base, pull: await findPull(args, read, base) }
}

const visibilityOf = (repository: Repository) => repository.private ? 'private' : 'public: anybody can read it'

const preview = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const { repository, base, pull } = await place(args, read)
  const { title, body, head, files } = wishOf(args)
  const length = Math.floor(maxShown / files.length / 2)
  const rows: PreviewRow[] = [
    { label: 'Repository', before: null, after: `${repository.full_name} (${visibilityOf(repository)})` },
    { label: 'Branch', before: pull ? head : null, after: `${head}, to be merged into ${base}` },
    { label: 'Title', before: pull?.title ?? null, after: title },
    ...(body ? [{ label: 'Text', before: null, after: cut(body, 2_000) }] : [])
  ]
  for (const { path, content } of files) {
    const before = await readText(args, read, path, pull ? head : base)
    rows.push({ label: path, before: cut(before, length), after: cut(content, length) })
  }
  return rows
}

const count = (files: OpenPull['files']) => files.length === 1 ? 'one file' : `${files.length} files`

export const openPullTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  preview,
  summary: async (args, read) => {
    const { repository, base, pull } = await place(args, read)
    const { head, files } = wishOf(args)
    return pull
      ? `Update pull request ${pull.number} of ${repository.full_name}: put ${count(files)} on branch ${head}`
      : `Open a pull request in ${repository.full_name}: branch ${head} with ${count(files)}, into ${base}`
  },
  /** After a crash in mid-call: the pull request is there with the files as they were wanted, or nobody can tell. */
  reconcile: async (args, read) => {
    const { pull } = await place(args, read)
    const { files, head, title } = wishOf(args)
    if (pull?.title !== title) return 'unclear'
    for (const { path, content } of files) {
      if (await readText(args, read, path, head) !== content) return 'unclear'
    }
    return 'done'
  }
}
