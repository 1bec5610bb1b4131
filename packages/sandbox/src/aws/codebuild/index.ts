import type {
  BatchGetBuildsInput, BatchGetBuildsOutput, BatchGetProjectsInput, BatchGetProjectsOutput, Build, BuildPhase,
  ListBuildsForProjectInput, ListBuildsForProjectOutput, Project, StartBuildInput, StartBuildOutput, StopBuildInput,
  StopBuildOutput
} from '@aws-sdk/client-codebuild'
import { AwsError } from '../core/errors.js'
import { operation, type Call, type Operation } from '../core/operation.js'
import { page } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import { digestOf } from '../ecs/tasks.js'
import { getOrCreateGroup, writeLines } from '../logs/write.js'
import { logOf, phasesOf, type PlannedPhase } from './phases.js'
import type { BuildState, ProjectState } from './state.js'

const invalidInput = (message: string) => new AwsError('InvalidInputException', message)
const missing = (what: string, arn: string) => new AwsError('ResourceNotFoundException', `${what} cannot be found: ${arn}`)

const projectArn = ({ region }: Pick<Call<unknown>, 'region'>, name: string) =>
  `arn:aws:codebuild:${region.name}:${region.accountId}:project/${name}`
const projectOfBuild = (id = '') => id.split('/').at(-1)?.split(':')[0] ?? ''

export const codebuildOperations: Record<string, Operation> = {
  StartBuild: operation('codebuild:StartBuild', startBuild,
    (call: Call<StartBuildInput>) => projectArn(call, call.input.projectName ?? '')),
  StopBuild: operation('codebuild:StopBuild', stopBuild, (call: Call<StopBuildInput>) => projectArn(call, projectOfBuild(call.input.id))),
  BatchGetBuilds: operation('codebuild:BatchGetBuilds', batchGetBuilds,
    (call: Call<BatchGetBuildsInput>) => projectArn(call, projectOfBuild(call.input.ids?.[0]))),
  BatchGetProjects: operation('codebuild:BatchGetProjects', batchGetProjects,
    (call: Call<BatchGetProjectsInput>) => projectArn(call, call.input.names?.[0] ?? '')),
  ListBuildsForProject: operation('codebuild:ListBuildsForProject', listBuilds,
    (call: Call<ListBuildsForProjectInput>) => projectArn(call, call.input.projectName ?? ''))
}

const environmentOf = ({ computeType }: ProjectState) => ({
  type: 'LINUX_CONTAINER' as const,
  image: 'aws/codebuild/amazonlinux-x86_64-standard:5.0',
  computeType,
  privilegedMode: true,
  imagePullCredentialsType: 'CODEBUILD' as const
})

const sourceOf = ({ repository }: ProjectState) =>
  ({ type: 'GITHUB' as const, location: `https://github.com/${repository}.git`, gitCloneDepth: 1, insecureSsl: false })

function viewProject (call: Call<unknown>, project: ProjectState): Wire<Project> {
  return {
    name: project.name,
    arn: projectArn(call, project.name),
    description: `Builds the image of ${project.repository}`,
    source: sourceOf(project),
    artifacts: { type: 'NO_ARTIFACTS' },
    environment: { ...environmentOf(project), environmentVariables: [] },
    serviceRole: `arn:aws:iam::${call.region.accountId}:role/codebuild-${project.name}`,
    timeoutInMinutes: 60,
    queuedTimeoutInMinutes: 480,
    created: seconds(project.createdAt),
    lastModified: seconds(project.createdAt),
    logsConfig: { cloudWatchLogs: { status: 'ENABLED' } },
    concurrentBuildLimit: 5
  }
}

const viewPhase = ({ type, from, to, status, message }: PlannedPhase, until: number): Wire<BuildPhase> => ({
  phaseType: type,
  startTime: seconds(from),
  ...(to <= until && {
    phaseStatus: status,
    endTime: seconds(to),
    durationInSeconds: Math.round((to - from) / 1000),
    ...(message !== undefined && { contexts: [{ statusCode: 'COMMAND_EXECUTION_ERROR', message }] })
  })
})

/** What the clock has made of a build. */
function buildNow (build: BuildState, now: number) {
  const phases = phasesOf(build)
  const end = Math.min(phases.at(-1)?.to ?? 0, build.stoppedAt ?? Infinity)
  const until = Math.min(now, end)
  const begun = phases.filter(({ from }) => from <= until)
  const failed = phases.some(({ status }) => status === 'FAILED')
  const isOver = now >= end
  const ended = build.stoppedAt === end ? 'STOPPED' as const : failed ? 'FAILED' as const : 'SUCCEEDED' as const
  return { begun, until, isOver, end, status: isOver ? ended : 'IN_PROGRESS' as const }
}

function viewBuild (call: Call<unknown>, project: ProjectState, build: BuildState): Wire<Build> {
  const { region, now } = call
  const { begun, until, isOver, end, status } = buildNow(build, now)
  const variable = (name: string) => build.variables.find((one) => one.name === name)?.value
  const image = variable('IMAGE')
  const stream = build.id.split(':')[1] ?? ''
  const group = `/aws/codebuild/${project.name}`
  return {
    id: build.id,
    arn: `arn:aws:codebuild:${region.name}:${region.accountId}:build/${build.id}`,
    buildNumber: build.number,
    startTime: seconds(build.at),
    ...(isOver && { endTime: seconds(end) }),
    currentPhase: isOver ? 'COMPLETED' : begun.at(-1)?.type ?? 'SUBMITTED',
    buildStatus: status,
    sourceVersion: build.sourceVersion,
    ...(begun.some(({ type }) => type === 'DOWNLOAD_SOURCE') && { resolvedSourceVersion: build.sourceVersion }),
    projectName: project.name,
    phases: [...begun.map((phase) => viewPhase(phase, until)),
      ...(isOver ? [{ phaseType: 'COMPLETED' as const, startTime: seconds(end) }] : [])],
    source: sourceOf(project),
    artifacts: { location: '' },
    environment: { ...environmentOf(project), environmentVariables: build.variables },
    serviceRole: `arn:aws:iam::${region.accountId}:role/codebuild-${project.name}`,
    logs: {
      groupName: group,
      streamName: stream,
      deepLink: `https://console.aws.amazon.com/cloudwatch/home?region=${region.name}#logsV2:log-groups/log-group/` +
        `${encodeURIComponent(group)}/log-events/${stream}`,
      cloudWatchLogs: { status: 'ENABLED' }
    },
    timeoutInMinutes: 60,
    queuedTimeoutInMinutes: 480,
    buildComplete: isOver,
    initiator: call.caller.arn.split(':').at(-1) ?? '',
    encryptionKey: `arn:aws:kms:${region.name}:${region.accountId}:alias/aws/s3`,
    ...(status === 'SUCCEEDED' && image !== undefined && {
      exportedEnvironmentVariables: [{ name: 'IMAGE_DIGEST', value: digestOf(image) }]
    })
  }
}

function requireProject ({ region }: Call<unknown>, name: string | undefined): ProjectState {
  if (!name) throw invalidInput('Project name is required')
  const project = region.codebuild.get(name)
  if (!project) throw missing('Project', `arn:aws:codebuild:${region.name}:${region.accountId}:project/${name}`)
  return project
}

function findBuild ({ region }: Call<unknown>, id: string) {
  const project = region.codebuild.get(projectOfBuild(id))
  const build = project?.builds.find((one) => one.id === id || id.endsWith(`build/${one.id}`))
  return project && build ? { project, build } : undefined
}

/** Five minutes long, the same token is the same build. */
const tokenMs = 300_000

function startBuild (call: Call<StartBuildInput>): Wire<StartBuildOutput> {
  const { region, input, now, world } = call
  const project = requireProject(call, input.projectName)
  const asked = JSON.stringify([input.sourceVersion, input.environmentVariablesOverride])
  const known = input.idempotencyToken === undefined
    ? undefined
    : project.builds.find(({ token, at }) => token === input.idempotencyToken && now - at < tokenMs)
  if (known && known.asked !== asked) throw invalidInput('Idempotency token was used with other parameters')
  const build = known ?? {
    id: `${project.name}:${world.ids.uuid()}`,
    number: project.builds.length + 1,
    sourceVersion: input.sourceVersion ?? 'main',
    variables: (input.environmentVariablesOverride ?? []).map(({ name = '', value = '', type = 'PLAINTEXT' }) => ({ name, value, type })),
    token: input.idempotencyToken,
    asked,
    outcome: project.outcome,
    at: now,
    stoppedAt: undefined
  }
  if (!known) {
    project.builds.push(build)
    const group = getOrCreateGroup(region, `/aws/codebuild/${project.name}`, now)
    writeLines(group, build.id.split(':')[1] ?? '', logOf(project, build))
  }
  return { build: viewBuild(call, project, build) }
}

function stopBuild (call: Call<StopBuildInput>): Wire<StopBuildOutput> {
  const { region, input, now } = call
  const found = findBuild(call, input.id ?? '')
  if (!found) throw missing('Build', input.id ?? '')
  const { project, build } = found
  if (!buildNow(build, now).isOver) {
    build.stoppedAt = now
    const stream = region.logGroups.get(`/aws/codebuild/${project.name}`)?.streams.get(build.id.split(':')[1] ?? '')
    if (stream) stream.lines = stream.lines.filter(({ at }) => at <= now)
  }
  return { build: viewBuild(call, project, build) }
}

function batchGetBuilds (call: Call<BatchGetBuildsInput>): Wire<BatchGetBuildsOutput> {
  const { ids = [] } = call.input
  const found = ids.map((id) => ({ id, ...findBuild(call, id) }))
  return {
    builds: found.flatMap(({ project, build }) => project && build ? [viewBuild(call, project, build)] : []),
    buildsNotFound: found.flatMap(({ id, build }) => build ? [] : [id])
  }
}

function batchGetProjects (call: Call<BatchGetProjectsInput>): Wire<BatchGetProjectsOutput> {
  const { names = [] } = call.input
  return {
    projects: names.flatMap((name) => {
      const project = call.region.codebuild.get(name)
      return project ? [viewProject(call, project)] : []
    }),
    projectsNotFound: names.filter((name) => !call.region.codebuild.has(name))
  }
}

function listBuilds (call: Call<ListBuildsForProjectInput>): Wire<ListBuildsForProjectOutput> {
  const project = requireProject(call, call.input.projectName)
  const ids = project.builds.map(({ id }) => id)
  const sorted = call.input.sortOrder === 'ASCENDING' ? ids : ids.toReversed()
  const { items, nextToken } = page(sorted, `builds/${project.name}`, { token: call.input.nextToken },
    { fallback: 100, max: 100, error: invalidInput })
  return { ids: items, ...(nextToken !== undefined && { nextToken }) }
}
