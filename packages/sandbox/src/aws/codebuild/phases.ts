import type { BuildPhaseType } from '@aws-sdk/client-codebuild'
import type { LogLine } from '../logs/state.js'
import type { BuildState, ProjectState } from './state.js'

export interface PlannedPhase {
  type: BuildPhaseType
  from: number
  to: number
  status: 'SUCCEEDED' | 'FAILED'
  message: string | undefined
}

const timeline: [type: BuildPhaseType, ms: number][] = [
  ['SUBMITTED', 100], ['QUEUED', 200], ['PROVISIONING', 1_500], ['DOWNLOAD_SOURCE', 700], ['INSTALL', 200],
  ['PRE_BUILD', 600], ['BUILD', 3_000], ['POST_BUILD', 1_200], ['UPLOAD_ARTIFACTS', 200], ['FINALIZING', 300]
]

const failure = 'Error while executing command: docker build -t $IMAGE .. Reason: exit status 1'

/** @returns when each phase begins and ends; what fails in BUILD is finalized all the same */
export function phasesOf ({ at, outcome }: Pick<BuildState, 'at' | 'outcome'>): PlannedPhase[] {
  let from = at
  return timeline.filter(([type]) => outcome !== 'fails' || type !== 'UPLOAD_ARTIFACTS').map(([type, ms]) => {
    const fails = outcome === 'fails' && type === 'BUILD'
    const to = outcome === 'endless' && type === 'BUILD' ? Infinity : from + ms
    const phase = { type, from, to, status: fails ? 'FAILED' as const : 'SUCCEEDED' as const, message: fails ? failure : undefined }
    from = to
    return phase
  })
}

/** What CodeBuild's agent and the commands write into the log group. */
export function logOf ({ repository, name }: ProjectState, build: BuildState): LogLine[] {
  const image = build.variables.find((one) => one.name === 'IMAGE')?.value ?? `${name}:latest`
  const lines: Partial<Record<BuildPhaseType, string[]>> = {
    DOWNLOAD_SOURCE: ['Waiting for agent ping', 'Waiting for DOWNLOAD_SOURCE',
      `Cloning https://github.com/${repository}.git at ${build.sourceVersion}`, 'Phase is DOWNLOAD_SOURCE',
      'YAML location is /codebuild/output/src/github.com/buildspec.yml'],
    PRE_BUILD: ['Entering phase PRE_BUILD', 'Running command aws ecr get-login-password | docker login --username AWS --password-stdin',
      'Login Succeeded', 'Phase complete: PRE_BUILD State: SUCCEEDED'],
    BUILD: ['Entering phase BUILD', 'Running command docker build -t $IMAGE .', '#1 [internal] load build definition from Dockerfile',
      '#2 [internal] load metadata for docker.io/library/node:22-slim', '#3 [1/2] FROM docker.io/library/node:22-slim',
      ...(build.outcome === 'fails'
        ? ['#4 [2/2] COPY . /app', 'ERROR: failed to solve: "/app/dist": not found', `Command did not exit successfully: ${failure}`,
            'Phase complete: BUILD State: FAILED']
        : ['#4 [2/2] COPY . /app', '#4 DONE 0.3s', `#5 naming to ${image} done`, 'Phase complete: BUILD State: SUCCEEDED'])],
    POST_BUILD: ['Entering phase POST_BUILD',
      ...(build.outcome === 'fails' ? [] : ['Running command docker push $IMAGE', `The push refers to repository [${image.replace(/:[^:/]*$/, '')}]`]),
      'Phase complete: POST_BUILD State: SUCCEEDED']
  }
  return phasesOf(build).flatMap(({ type, from, to }) => {
    const texts = lines[type] ?? []
    const step = Number.isFinite(to) ? (to - from) / (texts.length + 1) : 100
    return Number.isFinite(from)
      ? texts.map((text, index) => {
        const at = Math.round(from + step * index)
        return { at, message: `[Container] ${new Date(at).toISOString()} ${text}\n` }
      })
      : []
  })
}
