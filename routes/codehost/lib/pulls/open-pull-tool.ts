import { defineWriteTool, type Input, type Plan, type Read } from '../../../../lib/tools/options.js'
import {
  branchChange, branchTarget, describeFiles, describeRepository, fileChanges, findBranchHead, findOpenPull, hasFiles,
  readRepository, textChange
} from '../../../../lib/tools/pull-request.js'
import { OpenPull, type PullRequest } from '../../../../schemas/codehost/pulls.js'
import { RepoParams, type Repository } from '../../../../schemas/codehost/repositories.js'

const schemas = { params: RepoParams, body: OpenPull }
type Given = Input<typeof schemas>

const summaryOf = ({ head, files }: Given, { full_name: name }: Repository, base: string,
  pull: PullRequest | undefined) => pull
  ? `Update pull request ${pull.number} of ${name}: put ${describeFiles(files)} on branch ${head}`
  : `Open a pull request in ${name}: branch ${head} with ${describeFiles(files)}, into ${base}`

const plan = async (input: Given, read: Read): Promise<Plan> => {
  const { repo_id: id, head, files, title, body } = input
  const repository = await readRepository(id, read)
  const base = input.base ?? repository.default_branch
  const pull = await findOpenPull(id, { head, base }, read)
  const at = await findBranchHead(id, head, read)
  return {
    target: branchTarget(repository, head),
    summary: summaryOf(input, repository, base, pull),
    changes: [
      { label: 'Repository', before: null, after: describeRepository(repository), context: true },
      branchChange({ head, base }, at),
      { label: 'Title', field: 'title', before: pull?.title, after: title },
      await textChange(id, pull, body || undefined, read),
      { label: 'Commit message', field: 'commit_message', before: null, after: input.commit_message ?? title, context: true },
      ...await fileChanges(id, files, pull ? head : base, read)
    ],
    covered: ['files'],
    args: { ...input, base, expected_head: at },
    facts: { pull: pull?.number ?? null, private: repository.private },
    risk: [repository.private ? 'readers_see' : 'anyone_sees']
  }
}

export const openPullTool = defineWriteTool({
  input: schemas,
  credential: 'requester',
  reads: ['getRepository', 'listPulls', 'listCommits'],
  basis: 'The pull request, where its branch stands, and the files as they are; other files of the base may change',
  editable: ['title', 'body', 'files', 'commit_message', 'draft'],
  plan,
  /** After a crash during the call: done when the pull request has the requested files, else unclear. */
  async reconcile ({ repo_id: id, head, base = '', title, files }, read) {
    const pull = await findOpenPull(id, { head, base }, read)
    return pull?.title === title && await hasFiles(id, files, head, read) ? 'done' : 'unclear'
  }
})
