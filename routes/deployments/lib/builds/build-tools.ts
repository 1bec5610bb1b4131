import { defineWriteTool, type Arguments, type Change, type Plan, type Read } from '../../../../lib/tools/options.js'
import type { Sent } from '../../../../schemas/common.js'
import { ApiError } from '../../../../schemas/errors.js'
import { CommitPage } from '../../../../schemas/codehost/commits.js'
import { RepositoryPage } from '../../../../schemas/codehost/repositories.js'
import { AppParams, type App } from '../../../../schemas/deployments/apps.js'
import { Build, BuildParams, BuildPreview, DeployApp, RollbackBuild } from '../../../../schemas/deployments/builds.js'
import { etag } from '../../../../schemas/revisions.js'
import { appTarget, appUrl, readApp, runsOn } from '../apps/app-tools.js'
import { AccountReadOnly, BuildNotDeployable, ImageNotFound, TargetNotFound } from '../errors.js'
import { fillTemplate, namesCommit, pinned } from '../apps/resolve-target.js'
import { buildBefore, readRuns, type Runs } from '../apps/read-runs.js'

const readBuild = (appId: string, buildId: string, read: Read) =>
  read(`${appUrl(appId)}/builds/${encodeURIComponent(buildId)}`, Build)

/** @returns the commit of the last build that succeeded, if what it has left is what runs */
const commitNow = async ({ id, live_build: live }: App, runs: Runs, read: Read): Promise<string> => {
  const build = live && await readBuild(id, live.id, read)
  const isLive = build && build.image !== null && build.image === runs.image &&
    (build.image_digest === null || runs.digest === null || build.image_digest === runs.digest)
  return isLive ? build.commit ?? 'not known' : 'not known: no build of this app left what runs'
}

/** Codes of an actor without access to a code host, who builds by refs. */
const noAccessCodes = ['codehost_not_configured', 'codehost_not_connected', 'insufficient_scope',
  'insufficient_role', 'not_found']

const isNumeric = (repo: string) => /^[1-9]\d{0,18}$/.test(repo)

const findId = async (repo: string, read: Read): Promise<string> => {
  if (isNumeric(repo)) return repo
  const { items } = await read(`/codehost/repos?full_name=${encodeURIComponent(repo)}`, RepositoryPage)
  if (!items[0]) throw TargetNotFound(`The code host shows no repository ${repo} to you`)
  return items[0].id
}

/** @returns the commit that a branch, tag or short hash is at now. @throws what the code host's routes answer */
const findHead = async (repo: string, ref: string, read: Read): Promise<string | null> => {
  const query = new URLSearchParams({ ref, limit: '1' })
  const { items } = await read(`/codehost/repos/${await findId(repo, read)}/commits?${query}`, CommitPage)
  return items[0]?.sha ?? null
}

/** The code for a reference that does not exist. */
const missing = 'codehost_not_found'

interface Head { commit: string | null, why?: string }

/** @returns the commit that a branch or tag is at now, or why no code host says it where the image does not need it */
const headOf = async (app: App, ref: string, read: Read): Promise<Head> => {
  try {
    return { commit: await findHead(app.source.repo, ref, read) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === missing) throw error
    if (noAccessCodes.includes(error.code) || !namesCommit(app.image)) return { commit: null, why: error.code }
    throw error
  }
}

const number = ({ latest_build: latest }: App) => (latest?.number ?? 0) + 1

interface Chosen {
  image: string | null
  args: Arguments
  what: string
  facts: Record<string, unknown>
  notes?: string[]
  /** The earlier build that is to run again. */
  rollsBackTo?: Build
  /** What makes the image first; then it need not be there yet. */
  builds?: BuildPreview
}

const earlier = async (app: App, buildId: string, read: Read): Promise<Chosen> => {
  const build = await readBuild(app.id, buildId, read)
  if (build.status !== 'succeeded') throw BuildNotDeployable(`Build ${build.number} ended as ${build.status}`)
  return {
    image: build.image && pinned(build.image, build.image_digest),
    args: {},
    what: `build ${build.number}`,
    facts: { build: build.id, image_digest: build.image_digest },
    rollsBackTo: build
  }
}

const describeUnknown = ({ source }: App, ref: string, why: string | undefined): string[] =>
  why === undefined ? [] : [`Whether ${source.repo} has ${ref} was not checked (${why})`]

/** @returns what would run to make the image; undefined where nothing does */
const readPreview = async ({ id, builder }: App, ref: string, commit: string | null, read: Read) => {
  if (builder === null) return undefined
  const query = new URLSearchParams({ ref, ...(commit !== null && { commit }) })
  return read(`${appUrl(id)}/preview?${query}`, BuildPreview)
}

const fromSource = async (app: App, input: Sent<typeof DeployApp>, read: Read): Promise<Chosen> => {
  const ref = input.ref ?? input.commit ?? app.source.default_branch
  const { commit: head, why } = await headOf(app, input.commit ?? ref, read)
  const commit = head ?? input.commit ?? null
  const builds = await readPreview(app, ref, commit, read)
  const image = app.image && fillTemplate(app.image, { commit, ref, number: number(app) })
  const counts = app.image?.includes('{number}') === true
  return {
    image,
    args: { ref, ...(commit !== null && { commit }) },
    what: input.commit ?? input.ref ?? 'the default branch',
    notes: describeUnknown(app, input.commit ?? ref, why),
    facts: {
      template: app.image,
      ...(counts && { number: number(app) }),
      ...(namesCommit(app.image) && { commit }),
      ...(builds && { builder: builds.runs, image_digest: builds.digest })
    },
    ...(builds && { builds })
  }
}

/** The image as it is named; a commit beside it is one that the code host has, or the card says that nobody knows. */
const named = async (app: App, { commit }: Sent<typeof DeployApp>, image: string, read: Read): Promise<Chosen> => {
  const chosen = { image, args: {}, what: image, facts: {} }
  if (commit === undefined) return chosen
  const { commit: head, why } = await headOf(app, commit, read)
  return { ...chosen, args: { commit: head ?? commit }, what: head ?? commit, notes: describeUnknown(app, commit, why) }
}

const choose = (app: App, input: Sent<typeof DeployApp>, read: Read): Chosen | Promise<Chosen> => {
  if (input.rollback_to !== undefined) return earlier(app, input.rollback_to, read)
  if (input.image !== undefined) return named(app, input, input.image, read)
  return fromSource(app, input, read)
}

/** @returns such as "4f2a… of main" */
const describe = ({ commit, ref }: Arguments, what: string): string => {
  if (typeof commit !== 'string') return what
  return ref === undefined || ref === commit ? commit : `${commit} of ${String(ref)}`
}

/** @returns the app, whose account may be changed. @throws cloud_account_read_only */
const readWritable = async (id: string, read: Read): Promise<App> => {
  const app = await readApp(id, read)
  if (app.read_only) throw AccountReadOnly()
  return app
}

/** What an earlier build has deployed was there. */
const asDeleted = (number: number | undefined) => (error: unknown): never => {
  if (number === undefined || !(error instanceof ApiError) || error.code !== ImageNotFound.code) throw error
  throw ImageNotFound(`Build ${number} cannot run again, its image was deleted: ${error.message}`, error.members)
}

const noBuild = 'No image is built: the image given is deployed'

const buildRows = (builds: BuildPreview | undefined): Change[] => {
  const rows: Change[] = [{ label: 'Build', before: null, after: builds?.runs ?? noBuild, context: true }]
  if (!builds?.cost) return rows
  return [...rows, { label: 'May cost', before: null, after: builds.cost, binding: false, context: true }]
}

/** @returns the image that would be deployed, as far as it is known before it is built: then by its digest */
const knownImage = ({ image, builds }: Chosen): string | null => {
  if (!builds || image === null) return image
  return builds.builder === 'image' && builds.digest !== null ? pinned(image, builds.digest) : null
}

const planBuild = async (app: App, chosen: Chosen, read: Read, summarize: (where: string) => string): Promise<Plan> => {
  const { image, what, facts, args, builds, rollsBackTo } = chosen
  const known = knownImage(chosen)
  const notes = [...chosen.notes ?? [], ...builds?.notes ?? []]
  const runs = await readRuns(app, known, read, rollsBackTo).catch(asDeleted(rollsBackTo?.number))
  const before = buildBefore(app)
  const queue: Change[] = before === null
    ? []
    : [{ label: 'Builds before it', before: null, after: `${app.queue_length + (before.status === 'queued' ? 0 : 1)}`, context: true }]
  const { task_definition, deployment_id, revision_id, alias_revision_id, scaled_to_zero } = runs
  return {
    target: appTarget(app),
    summary: summarize(runs.name),
    changes: [
      { label: 'Image', field: ['image', 'rollback_to'], before: runs.image, after: known ?? image },
      { label: 'Commit', field: ['commit', 'ref'], before: await commitNow(app, runs, read), after: describe(args, what) },
      ...buildRows(builds),
      ...runs.changes,
      ...queue,
      ...notes.map((after): Change => ({ label: 'Note', before: null, after, binding: false, context: true }))
    ],
    args,
    facts: {
      ...facts,
      task_definition,
      deployment_id,
      revision_id,
      ...(alias_revision_id !== undefined && { alias_revision_id }),
      scaled_to_zero,
      live_build: app.live_build?.id ?? null,
      after_build: before?.id ?? null
    },
    ifMatch: etag(app.revision),
    risk: ['replaces_running']
  }
}

export const deployAppTool = defineWriteTool({
  input: { params: AppParams, body: DeployApp },
  reads: ['getApp', ['getService', 'getFunction']],
  basis: 'What the target runs now, as AWS says, the image and the commit that would run, what would build it, and the ' +
    'builds before it; task counts come and go',
  async plan (input, read) {
    const app = await readWritable(input.app_id, read)
    const chosen = await choose(app, input, read)
    const plan = await planBuild(app, chosen, read,
      (where) => `Deploy ${chosen.what} of app ${app.name} to ${where}`)
    return { ...plan, args: { ...input, ...chosen.args } }
  }
})

export const rollbackBuildTool = defineWriteTool({
  input: { params: BuildParams, body: RollbackBuild },
  reads: ['getApp', 'getBuild', ['getService', 'getFunction']],
  basis: 'What the target runs now, as AWS says, and the image of the build that would run again; task counts come and go',
  async plan (input, read) {
    const app = await readWritable(input.app_id, read)
    const chosen = await earlier(app, input.build_id, read)
    const plan = await planBuild(app, chosen, read,
      (where) => `Roll app ${app.name} back to ${chosen.what} on ${where}`)
    return { ...plan, args: { ...input } }
  }
})

const stateOf = ({ status, steps }: Build): string => {
  const step = steps.find((one) => one.status === 'running')
  return step ? `${status}, step ${step.name}` : status
}

const runsNow = ({ name, image }: Runs): Change =>
  ({ label: 'Runs now', before: null, after: `${image ?? 'unknown'} on ${name}`, context: true })

const afterCancel = (deploying: boolean, building: boolean): string => {
  if (deploying) return 'cancelled; the service goes back to what it ran'
  return building ? 'cancelled; what builds the image is stopped' : 'cancelled'
}

export const cancelBuildTool = defineWriteTool({
  input: { params: BuildParams },
  reads: ['getApp', 'getBuild'],
  basis: 'The status of the build and its step: whether anything was sent to the target decides what cancelling does, ' +
    'and then what the target runs',
  async plan (input, read) {
    const [app, build] = [await readApp(input.app_id, read), await readBuild(input.app_id, input.build_id, read)]
    const isRunning = (step: string) => build.steps.some(({ name, status }) => name === step && status === 'running')
    const deploying = isRunning('deploy')
    const building = isRunning('build') && build.run !== null
    const runs = deploying ? await readRuns(app, null, read) : undefined
    return {
      target: { kind: 'build', id: build.id, within: { app: app.id, [app.target.kind]: runsOn(app.target) } },
      summary: `Cancel build ${build.number} of app ${app.name}`,
      changes: [{
        label: `Build ${build.number}`,
        before: stateOf(build),
        after: afterCancel(deploying, building)
      }, ...runs ? [runsNow(runs)] : []],
      facts: runs
        ? {
            task_definition: runs.task_definition,
            deployment_id: runs.deployment_id,
            revision_id: runs.revision_id,
            ...(runs.alias_revision_id !== undefined && { alias_revision_id: runs.alias_revision_id })
          }
        : {},
      risk: [deploying ? 'interrupts_deployment' : 'stops_unfinished']
    }
  },
  async reconcile ({ app_id: app, build_id: build }, read) {
    const { status } = await readBuild(app, build, read)
    return status === 'cancelled' || status === 'cancelling' ? 'done' : 'unclear'
  }
})
