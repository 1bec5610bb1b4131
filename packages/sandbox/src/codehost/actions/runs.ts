import type { Account, Repository, World } from '../core/world.js'

/** A workflow of a repository. The sandbox keeps it beside the files: it is no part of a commit here. */
export interface Workflow {
  id: number
  name: string
  path: string
  state: 'active' | 'disabled_manually'
  /** Inputs that it declares for workflow_dispatch; null = it has no such trigger. */
  inputs: string[] | null
  /** The inputs that its `run-name` shows. */
  runName: string[]
  /** How its next runs end, and at which step of the job. */
  outcome: 'success' | 'failure' | 'endless'
}

export interface WorkflowRun {
  id: number
  number: number
  workflow_id: number
  title: string
  branch: string
  sha: string
  actor_id: number
  inputs: Record<string, string>
  outcome: Workflow['outcome']
  job_id: number
  /** In milliseconds. */
  at: number
  cancelledAt: number | null
}

type Conclusion = 'success' | 'failure' | 'cancelled' | null

export interface StepNow { name: string, number: number, status: string, conclusion: Conclusion, from: number | null, to: number | null }

const queuedMs = 1_000
/** The steps of the job, and how long each takes. */
const timeline: [name: string, ms: number][] = [
  ['Set up job', 1_000], ['Check out the commit', 1_000], ['Log in to the registry', 500],
  ['Build and push', 4_000], ['Complete job', 500]
]
const failing = 'Build and push'

/** @returns when each step begins and ends, up to the one that fails */
function planned ({ at, outcome }: WorkflowRun): { name: string, from: number, to: number, fails: boolean }[] {
  let from = at + queuedMs
  const steps = timeline.map(([name, ms]) => {
    const isLast = name === failing && outcome === 'endless'
    const step = { name, from, to: isLast ? Infinity : from + ms, fails: name === failing && outcome === 'failure' }
    from = step.to
    return step
  })
  const failed = steps.findIndex(({ fails }) => fails)
  return failed < 0 ? steps : steps.slice(0, failed + 1)
}

/** What the clock has made of a run. */
export function runNow (run: WorkflowRun, now: number) {
  const until = Math.min(now, run.cancelledAt ?? Infinity)
  const all = planned(run)
  const end = Math.min(all.at(-1)?.to ?? 0, run.cancelledAt ?? Infinity)
  const isOver = now >= end
  const steps: StepNow[] = all.filter(({ from }) => from <= until).map(({ name, from, to, fails }, index) => {
    const ended = to <= until
    const conclusion: Conclusion = ended ? fails ? 'failure' : 'success' : isOver ? 'cancelled' : null
    return {
      name,
      number: index + 1,
      status: conclusion === null ? 'in_progress' : 'completed',
      conclusion,
      from,
      to: conclusion === null ? null : Math.min(to, end)
    }
  })
  const conclusion: Conclusion = !isOver ? null : run.cancelledAt === end ? 'cancelled' : run.outcome === 'failure' ? 'failure' : 'success'
  const status = isOver ? 'completed' : steps.length === 0 ? 'queued' : 'in_progress'
  return { status, conclusion, steps, end: isOver ? end : null }
}

const stamp = (ms: number): string => new Date(ms).toISOString().replace(/Z$/, '0000Z')

/** The log of the job as the code host keeps it: each line with its time, groups folded. */
export function logOf (run: WorkflowRun, repository: string, now: number): string {
  const { steps } = runNow(run, now)
  const sha = run.inputs.commit ?? run.sha
  const lines: Record<string, string[]> = {
    'Set up job': ['Current runner version: \'2.331.0\'', '##[group]Runner Image Provisioner', 'Hosted Compute Agent', '##[endgroup]',
      'Prepare workflow directory', 'Complete job name: image'],
    'Check out the commit': ['##[group]Run actions/checkout@v5', 'with:', `  ref: ${sha}`, '##[endgroup]',
      `Syncing repository: ${repository}`, `HEAD is now at ${sha.slice(0, 7)}`],
    'Log in to the registry': ['##[group]Run aws-actions/amazon-ecr-login@v2', '##[endgroup]',
      'Logging into registry 123456789012.dkr.ecr.eu-west-1.amazonaws.com'],
    'Build and push': ['##[group]Run docker/build-push-action@v6', '##[endgroup]',
      '#1 [internal] load build definition from Dockerfile', '#1 transferring dockerfile: 96B done',
      '#2 [internal] load metadata for docker.io/library/node:22-slim', '#3 [1/2] FROM docker.io/library/node:22-slim',
      '#4 [2/2] COPY . /app',
      ...(run.outcome === 'failure'
        ? ['#4 ERROR: failed to compute cache key: "/app/dist": not found',
            '##[error]buildx failed with: ERROR: failed to build: failed to solve: "/app/dist": not found']
        : ['#4 DONE 0.4s', '#5 exporting to image', `#5 pushing manifest for web:${sha} done`, '#5 DONE 2.1s'])],
    'Complete job': ['Cleaning up orphan processes']
  }
  const texts = steps.flatMap(({ name, from, to, conclusion }) => [
    ...(lines[name] ?? []).map((text) => `${stamp(from ?? 0)} ${text}`),
    ...(conclusion === 'cancelled' ? [`${stamp(to ?? 0)} ##[error]The operation was canceled.`] : [])
  ])
  return `${texts.join('\n')}\n`
}

export const findWorkflow = ({ workflows }: Repository, name: string): Workflow | undefined =>
  workflows.find(({ id, path }) => String(id) === name || path.split('/').at(-1) === name)

interface Dispatch { workflow: Workflow, branch: string, sha: string, inputs: Record<string, string>, actor: Account }

export function beginRun (world: World, repository: Repository, { workflow, branch, sha, inputs, actor }: Dispatch): WorkflowRun {
  const title = [workflow.name, ...workflow.runName.map((name) => inputs[name] ?? '')].join(' ').trim()
  const run: WorkflowRun = {
    id: world.nextId() + 19_000_000_000,
    number: repository.runs.length + 1,
    workflow_id: workflow.id,
    title,
    branch,
    sha,
    actor_id: actor.id,
    inputs,
    outcome: workflow.outcome,
    job_id: world.nextId() + 55_000_000_000,
    at: world.clock.now(),
    cancelledAt: null
  }
  repository.runs.push(run)
  return run
}
