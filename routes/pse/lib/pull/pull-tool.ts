import type { Arguments, PreviewRow, Read } from '../../../../plugins/tool-options.js'
import type { Contents } from '../../../../schemas/codehost/contents.js'
import type { OpenPull, PullRequest } from '../../../../schemas/codehost/pulls.js'
import type { Repository } from '../../../../schemas/codehost/repositories.js'
import { ApiError, InvalidRequest, type FieldError } from '../../../../schemas/errors.js'
import { openSpecPullDefaults, type OpenSpecPull } from '../../../../schemas/pse/pull.js'
import { renderVersion } from '../export-version.js'
import type { SpecVersion } from '../../../../schemas/pse/versions.js'
import { readSession, sessionUrl, show, type WriteTool } from '../session-tools.js'
import { describeSpecPull } from './describe-pull.js'

interface Plan { repository: Repository, base: string, version: number, pull: OpenPull, open: PullRequest | undefined }

type Exact = OpenSpecPull & { version: number, base: string }

const isExact = (wish: OpenSpecPull): wish is Exact => wish.version !== undefined && wish.base !== undefined

const needed = (field: string, now: string): FieldError =>
  ({ pointer: `/${field}`, code: 'required', message: `is needed to ask for an approval; ${now}` })

/** What is approved is what is sent: "the current one" and "the default branch" could be others by then. */
const demandExact = async (wish: OpenSpecPull, { default_branch: branch }: Repository, args: Arguments, read: Read):
Promise<Exact> => {
  if (isExact(wish)) return wish
  const { current_version: current } = await readSession(args, read)
  const errors = [
    ...(wish.version === undefined ? [needed('version', `${current ?? 'none'} is current`)] : []),
    ...(wish.base === undefined ? [needed('base', `${branch} is the default branch`)] : [])
  ]
  throw InvalidRequest(errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; '), { errors })
}

// The route has checked the arguments against its schemas before this runs; the answers are what their schemas say.
const planOf = async (args: Arguments, read: Read): Promise<Plan> => {
  const url = repositoryUrl(args)
  const repository = await read(url) as unknown as Repository
  const asked = { ...openSpecPullDefaults, ...args } as unknown as OpenSpecPull
  const wish = await demandExact(asked, repository, args, read)
  const { version, base } = wish
  const readOne = async (at: number) => await read(`${sessionUrl(args)}/versions/${at}`) as unknown as SpecVersion
  const made = await readOne(version)
  const pull = describeSpecPull(made, await renderVersion(made, wish, readOne, true), wish)
  const query = new URLSearchParams({ state: 'open', head: pull.head, base, limit: '1' })
  const { items } = await read(`${url}/pulls?${query}`) as unknown as { items: PullRequest[] }
  return { repository, base, version, pull, open: items[0] }
}

const repositoryUrl = ({ repo_id: id }: Arguments) => `/codehost/repos/${encodeURIComponent(String(id))}`

const readText = async (args: Arguments, read: Read, path: string, ref: string): Promise<string | null> => {
  try {
    const query = new URLSearchParams({ path, ref })
    // The answer of getContents.
    return (await read(`${repositoryUrl(args)}/contents?${query}`) as unknown as Contents).text
  } catch (error) {
    if (error instanceof ApiError && error.code === 'codehost_not_found') return null
    throw error
  }
}

const preview = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const { repository, base, version, pull, open } = await planOf(args, read)
  const visibility = repository.private ? 'private' : 'public: anybody can read it'
  const rows: PreviewRow[] = [
    { label: 'Repository', before: null, after: `${repository.full_name} (${visibility})` },
    { label: 'Version', before: null, after: String(version) },
    { label: 'Branch', before: open ? pull.head : null, after: `${pull.head}, to be merged into ${base}` }
  ]
  for (const { path, content } of pull.files) {
    rows.push({
      label: path, before: show(await readText(args, read, path, open ? pull.head : base)), after: show(content)
    })
  }
  return rows
}

const count = ({ files }: OpenPull) => files.length === 1 ? 'one file' : `${files.length} files`

export const openSpecPullTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  preview,
  async summary (args, read) {
    const { repository, base, version, pull, open } = await planOf(args, read)
    const what = `version ${version} of the spec “${pull.title.replace(/^Spec: /, '')}” (${count(pull)})`
    return open
      ? `Update pull request ${open.number} of ${repository.full_name} to ${what}`
      : `Open a pull request in ${repository.full_name} with ${what}, into ${base}`
  },
  /** After a crash in mid-call: the pull request is there with the files as they were wanted, or nobody can tell. */
  async reconcile (args, read) {
    const { pull, open } = await planOf(args, read)
    if (open?.title !== pull.title) return 'unclear'
    for (const { path, content } of pull.files) {
      if (await readText(args, read, path, pull.head) !== content) return 'unclear'
    }
    return 'done'
  }
}
