import { defineWriteTool, type Input, type Plan, type Read } from '../../../../lib/tools/options.js'
import {
  branchChange, branchTarget, describeFiles, describeRepository, fileChanges, findBranchHead, findOpenPull, hasFiles,
  readRepository, textChange
} from '../../../../lib/tools/pull-request.js'
import type { OpenPull, PullRequest } from '../../../../schemas/codehost/pulls.js'
import type { Repository } from '../../../../schemas/codehost/repositories.js'
import { OpenSpecPull, openSpecPullDefaults } from '../../../../schemas/pse/pull.js'
import { SpecSessionParams } from '../../../../schemas/pse/sessions.js'
import { ExportedFiles, SpecVersion } from '../../../../schemas/pse/versions.js'
import { NoVersion } from '../errors.js'
import { readSession, sessionUrl } from '../sessions/session-tools.js'
import { describeSpecPull, findFeature } from './open-pull.js'

const schemas = { params: SpecSessionParams, body: OpenSpecPull }
type Given = Input<typeof schemas>
/** The input with the current version and the default branch filled in. */
type Exact = Given & Required<Pick<Given, 'version' | 'base' | 'layout' | 'draft'>>

interface Prepared { input: Exact, repository: Repository, pull: OpenPull, open: PullRequest | undefined }

const versionOf = async (input: Given, read: Read): Promise<number> => {
  const version = input.version ?? (await readSession(input.session_id, read)).current_version
  if (version === null) throw NoVersion()
  return version
}

const prepare = async (given: Given, read: Read): Promise<Prepared> => {
  const repository = await readRepository(given.repo_id, read)
  const base = given.base ?? repository.default_branch
  const version = await versionOf(given, read)
  const url = sessionUrl(given.session_id)
  const made = await read(`${url}/versions/${version}`, SpecVersion)
  const known = { ...openSpecPullDefaults, ...given, base, version }
  const feature = await findFeature(made.document.title, known, read)
  const input = { ...known, ...(feature !== undefined && { feature_number: feature }) }
  const { layout, from } = input
  const query = new URLSearchParams({
    layout,
    version: String(version),
    for_pull: 'true',
    ...(from !== undefined && { from: String(from) }),
    ...(feature !== undefined && { feature_number: String(feature) })
  })
  const { files } = await read(`${url}/files?${query}`, ExportedFiles)
  const pull = describeSpecPull(made, files, input)
  const open = await findOpenPull(input.repo_id, { head: pull.head, base }, read)
  return { input, repository, pull, open }
}

const summaryOf = ({ input, repository, pull: { title, files }, open }: Prepared) => {
  const what = `version ${input.version} of the spec “${title.replace(/^Spec: /, '')}” (${describeFiles(files)})`
  return open
    ? `Update pull request ${open.number} of ${repository.full_name} to ${what}`
    : `Open a pull request in ${repository.full_name} with ${what}, into ${input.base}`
}

const plan = async (given: Given, read: Read): Promise<Plan> => {
  const prepared = await prepare(given, read)
  const { input, repository, pull: { head, title, body, files }, open } = prepared
  const { repo_id: id, base, version } = input
  const at = await findBranchHead(id, head, read)
  return {
    target: branchTarget(repository, head, { spec_session: input.session_id }),
    summary: summaryOf(prepared),
    changes: [
      { label: 'Repository', field: 'repo_id', before: null, after: describeRepository(repository), context: true },
      { label: 'Version', field: 'version', before: null, after: version, context: true },
      branchChange({ head, base }, at),
      { label: 'Title', before: open?.title, after: title },
      await textChange(id, open, body, read),
      ...await fileChanges(id, files, open ? head : base, read)
    ],
    covered: ['layout', 'from', 'path_prefix', 'feature_number'],
    args: { ...input, head, expected_head: at },
    facts: { pull: open?.number ?? null, private: repository.private },
    risk: [repository.private ? 'readers_see' : 'anyone_sees']
  }
}

export const openSpecPullTool = defineWriteTool({
  input: schemas,
  credential: 'requester',
  reads: ['getRepository', 'listPulls', 'listCommits'],
  basis: 'The pull request, where its branch stands, and the files as they are; a version itself never changes',
  editable: ['version', 'layout', 'from', 'path_prefix', 'draft'],
  plan,
  /** After a crash during the call: done if the pull request has the requested files, otherwise unclear. */
  async reconcile (given, read) {
    const { input, pull: { title, files, head }, open } = await prepare(given, read)
    return open?.title === title && await hasFiles(input.repo_id, files, head, read) ? 'done' : 'unclear'
  }
})
