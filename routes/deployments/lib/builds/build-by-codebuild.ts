import type { Build, CodeBuild, Project } from '@aws-sdk/client-codebuild'
import { awsDetailOf } from '../../../../lib/aws/errors.js'
import { allow, projectArn } from '../../../../lib/aws/sessions.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import { findImage } from '../../../../lib/registries/find-image.js'
import type { CodeBuildBuilder } from '../../../../schemas/deployments/builders.js'
import { ApiError } from '../../../../schemas/errors.js'
import { BuilderUnsupported, type Deps } from '../errors.js'
import { StepFailed } from './build-state.js'
import type { Asked, Begun, Builder, Building } from './builder.js'

type Place = Pick<Asked<CodeBuildBuilder>, 'setting' | 'account' | 'region'>

const minutesOf = ({ max_minutes: minutes }: CodeBuildBuilder): number => minutes ?? 60

/** A project may be in another region than what it builds for. */
const locationOf = ({ setting, account, region }: Place) => ({ account, region: setting.region ?? region })

const clientOf = ({ aws }: Pick<Deps, 'aws'>, place: Place): Promise<CodeBuild> => {
  const { account, region } = locationOf(place)
  return aws.client('codebuild', account, region)
}

const toBegun = ({ id = '', logs }: Build): Begun => ({ id, url: toWebLink(logs?.deepLink) })

const readProject = async (deps: Deps, place: Place): Promise<Project> => {
  const client = await clientOf(deps, place)
  const { projects: [project] = [] } = await client.batchGetProjects({ names: [place.setting.project] })
  if (!project) {
    throw BuilderUnsupported(`CodeBuild of account ${place.account.name} has no project ${place.setting.project} in ` +
      locationOf(place).region)
  }
  return project
}

const listBuilds = async (deps: Deps, place: Place): Promise<Build[]> => {
  const client = await clientOf(deps, place)
  const { ids = [] } = await client.listBuildsForProject({ projectName: place.setting.project, sortOrder: 'DESCENDING' })
  if (ids.length === 0) return []
  const { builds = [] } = await client.batchGetBuilds({ ids: ids.slice(0, 20) })
  return builds
}

const minutesTook = ({ startTime: began, endTime: ended }: Build): number[] =>
  began && ended ? [Math.max(1, Math.ceil((ended.getTime() - began.getTime()) / 60_000))] : []

/** AWS bills the minutes; the price of one is that of the region. */
const costOf = ({ environment, timeoutInMinutes: most = 60 }: Project, builds: Build[]): string => {
  const machine = environment?.computeType ?? 'its machine'
  const took = builds.filter(({ buildStatus }) => buildStatus === 'SUCCEEDED').slice(0, 5).flatMap(minutesTook)
  if (took.length === 0) return `Up to ${most} min of ${machine}: no build of the project has succeeded yet`
  return `About ${Math.max(...took)} min of ${machine}: the longest of the last ${took.length} builds that succeeded`
}

/** Without a code host that shows it, a whole hash is taken at its word: CodeBuild cannot check out what is not there. */
const commitOf = ({ state: { row } }: Building<CodeBuildBuilder>): string => row.commit ?? row.ref

/** By these the build says whose it is, and its buildspec how the image is called. */
const marks = { build: 'STEWARD_BUILD', image: 'IMAGE' }
const digestName = 'IMAGE_DIGEST'

const startOne = (building: Building<CodeBuildBuilder>): Promise<Begun> => {
  const { deps, setting, image, state: { row } } = building
  const location = locationOf(building)
  const { user_id, via, via_id, confirmation_id: confirmation = null } = row.principal
  const acting = { user_id, run_id: via === 'assistant' ? via_id : null, confirmation_id: confirmation }
  const allowed = [allow('codebuild:StartBuild', projectArn(location, setting.project))]
  return deps.aws.actingFor(acting).write('codebuild', location, allowed, async (client) => {
    const { build } = await client.startBuild({
      projectName: setting.project,
      sourceVersion: commitOf(building),
      idempotencyToken: row.id,
      environmentVariablesOverride: [
        { name: marks.build, value: row.id, type: 'PLAINTEXT' }, { name: marks.image, value: image, type: 'PLAINTEXT' }
      ]
    })
    if (!build?.id) throw new Error('The answer names no build')
    return toBegun(build)
  })
}

const findOne = async (building: Building<CodeBuildBuilder>): Promise<Begun | undefined> => {
  const builds = await listBuilds(building.deps, building)
  const ours = builds.find(({ environment }) => environment?.environmentVariables?.some(({ name, value }) =>
    name === marks.build && value === building.state.row.id))
  return ours && toBegun(ours)
}

/** The container's agent puts the time before each line. */
const withoutTime = (line: string): string => line.replace(/^\[Container\] \d{4}[-/]\d\d[-/]\d\d[T ][\d:.]+Z? /, '').trimEnd()

const noGroup = (error: unknown) => {
  if (error instanceof ApiError && awsDetailOf(error).code === 'ResourceNotFoundException') return { events: [] }
  throw error
}

/** Passes on the lines that came since: after a time, and how many of that very time were read. */
const passOn = async (building: Building<CodeBuildBuilder>, { logs }: Build): Promise<void> => {
  const { deps, state } = building
  const { row: { run } } = state
  if (!run || !logs?.groupName || !logs.streamName) return
  const { account, region } = locationOf(building)
  const client = await deps.aws.client('logs', account, region)
  let { at = 0, seen = 0 } = run.read
  let token: string | undefined
  const lines: string[] = []
  let skip = Number(seen)
  const since = Number(at)
  do {
    const page: { events?: { timestamp?: number, message?: string }[], nextToken?: string } = await client.filterLogEvents({
      logGroupName: logs.groupName, logStreamNames: [logs.streamName], startTime: since, nextToken: token
    }).catch(noGroup)
    for (const { timestamp = 0, message = '' } of page.events ?? []) {
      if (timestamp === since && skip > 0) {
        skip--
        continue
      }
      seen = timestamp === at ? Number(seen) + 1 : 1
      at = timestamp
      lines.push(...message.split('\n').map(withoutTime).filter((line) => line !== ''))
    }
    token = page.nextToken
  } while (token !== undefined && lines.length < 5_000)
  await state.logAll('build', 'stdout', lines, { run: { ...run, read: { ...run.read, at, seen } } })
}

/** Says each phase that has ended. */
const sayPhases = async ({ state }: Building<CodeBuildBuilder>, { phases = [] }: Build): Promise<void> => {
  const { row: { run } } = state
  if (!run) return
  const ended = phases.filter(({ phaseStatus }) => phaseStatus !== undefined)
  const told = Number(run.read.phases ?? 0)
  const words = ended.slice(told).map(({ phaseType, phaseStatus, durationInSeconds: took = 0 }) =>
    `${phaseType}: ${phaseStatus}, ${took} s`)
  await state.logAll('build', 'system', words, { run: { ...run, read: { ...run.read, phases: ended.length } } })
}

const whereItFailed = ({ phases = [] }: Build): string => {
  const failed = phases.find(({ phaseStatus }) => phaseStatus !== undefined && phaseStatus !== 'SUCCEEDED')
  if (!failed) return ''
  const why = failed.contexts?.flatMap(({ message }) => message ?? []).join('; ')
  return `: phase ${failed.phaseType}${why ? `, ${why}` : ''}`
}

const requireSuccess = (build: Build, isOurs: boolean): void => {
  if (build.buildStatus === 'SUCCEEDED') return
  if (build.buildStatus === 'STOPPED') {
    throw new StepFailed(isOurs ? `Build ${build.id} was stopped` : `Build ${build.id} was stopped at AWS, and not from here`)
  }
  throw new StepFailed(`Build ${build.id} ended as ${build.buildStatus}${whereItFailed(build)}`)
}

const sha256 = /^sha256:[0-9a-f]{64}$/

const digestOf = async ({ deps, account, image }: Building<CodeBuildBuilder>, build: Build): Promise<string | undefined> => {
  const exported = build.exportedEnvironmentVariables?.find(({ name }) => name === digestName)?.value
  if (exported !== undefined && sha256.test(exported)) return exported
  const found = await findImage(deps, account, image)
  if (found.state === 'found') return found.digest
  if (found.state === 'silent') return undefined
  throw new StepFailed(`Build ${build.id} succeeded, and what it has pushed is not known: ${found.why}`)
}

/** A project of CodeBuild in the app's account builds and pushes. */
export const buildByCodeBuild: Builder<CodeBuildBuilder> = {
  minutes: minutesOf,

  async plan (deps, asked) {
    const { setting, commit, image, account } = asked
    const project = await readProject(deps, asked)
    if (commit === null) throw BuilderUnsupported('The commit is not known, so no image of it can be built')
    return {
      runs: `Project ${setting.project} of CodeBuild (${locationOf(asked).region}, account ${account.name}) builds ${commit}. ` +
        `It has to push ${image}`,
      cost: costOf(project, await listBuilds(deps, asked)),
      notes: [],
      digest: null
    }
  },

  async start (building) {
    const { setting, log } = building
    await log(`Starts project ${setting.project} with commit ${commitOf(building)}`)
    return startOne(building)
  },

  find: findOne,

  // CodeBuild keeps the token of a start for five minutes.
  repeatableMs: 240_000,

  async look (building) {
    const { deps, state } = building
    const client = await clientOf(deps, building)
    const { builds: [build] = [] } = await client.batchGetBuilds({ ids: [state.row.run?.id ?? ''] })
    if (!build) throw new StepFailed(`CodeBuild has no build ${state.row.run?.id} any more`)
    await sayPhases(building, build)
    await passOn(building, build)
    if (!build.buildComplete) return undefined
    requireSuccess(build, state.cancelling)
    const digest = await digestOf(building, build)
    return digest === undefined ? undefined : { digest }
  },

  async cancel (building) {
    const { deps, setting, state: { row }, log } = building
    const location = locationOf(building)
    const { user_id, via, via_id, confirmation_id: confirmation = null } = row.cancel_principal ?? row.principal
    const acting = { user_id, run_id: via === 'assistant' ? via_id : null, confirmation_id: confirmation }
    const allowed = [allow('codebuild:StopBuild', projectArn(location, setting.project))]
    await deps.aws.actingFor(acting).write('codebuild', location, allowed, (client) => client.stopBuild({ id: row.run?.id ?? '' }))
      .then(() => log(`Build ${row.run?.id} is asked to stop`), async (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        await log(`Build ${row.run?.id} could not be stopped: ${error.message}`)
      })
  },

  tooLate: ({ setting, state }) =>
    `Build ${state.row.run?.id} did not end within ${minutesOf(setting)} min; it was asked to stop`
}
