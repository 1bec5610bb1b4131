import { Type, type Static } from '@sinclair/typebox'
import type { CodehostClient, Parameters } from '../../../../lib/codehost/client.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import { findImage } from '../../../../lib/registries/find-image.js'
import { currentPrincipal, hasScope, type Principal } from '../../../../lib/security/principal.js'
import type { HeldGrant } from '../../../../plugins/codehost-grants.js'
import type { ActionsBuilder } from '../../../../schemas/deployments/builders.js'
import { ApiError, InsufficientScope } from '../../../../schemas/errors.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import { BuilderUnsupported, type Deps } from '../errors.js'
import { StepFailed } from './build-state.js'
import type { Begun, Builder, Building } from './builder.js'

const HostWorkflow = Type.Object({ id: Type.Integer(), name: Type.String(), path: Type.String(), state: Type.String() })
const Text = Type.Union([Type.String(), Type.Null()])
const HostRun = Type.Object({
  id: Type.Integer(),
  status: Text,
  conclusion: Text,
  html_url: Type.String(),
  display_title: Type.Optional(Text),
  run_started_at: Type.Optional(Text),
  updated_at: Type.Optional(Text)
})
const HostRuns = Type.Object({ workflow_runs: Type.Array(HostRun) })
const HostStep = Type.Object({ name: Type.String(), number: Type.Integer(), status: Type.String(), conclusion: Text })
const HostJob = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  status: Type.String(),
  conclusion: Text,
  html_url: Type.Optional(Text),
  steps: Type.Optional(Type.Array(HostStep))
})
type HostJob = Static<typeof HostJob>
const HostJobs = Type.Object({ jobs: Type.Array(HostJob) })
const Named = Type.Object({ default_branch: Type.Optional(Type.String()) })

const minutesOf = ({ max_minutes: minutes }: ActionsBuilder): number => minutes ?? 60
const commitInput = ({ commit_input: name }: ActionsBuilder): string => name ?? 'commit'

/** Repositories are named `owner/name`, or by their number. */
const pathOf = (repo: string): { path: string, parameters: Parameters } => {
  if (/^\d+$/.test(repo)) return { path: '/repositories/{id}', parameters: { id: repo } }
  const [owner = '', name = ''] = repo.split('/')
  return { path: '/repos/{owner}/{repo}', parameters: { owner, repo: name } }
}

interface Host { client: CodehostClient, path: string, parameters: Parameters }

/** @throws insufficient_scope, and what the code host's own routes say of a missing connection */
const hostAs = async (deps: Deps, principal: Principal, repo: string, scope: 'codehost:read' | 'codehost:write'): Promise<Host> => {
  if (!hasScope(principal, scope)) throw InsufficientScope(`A build by a workflow needs the scope ${scope}`, { scope })
  const grant = await deps.codehostGrants.of(principal)
  // The client passes on the grant that it was made with.
  const onRefused = (refused: unknown, again: boolean) => deps.codehostGrants.refused(refused as HeldGrant, again)
  return { client: deps.codehost.as(grant, { onRefused }), ...pathOf(repo) }
}

const hostOf = async ({ deps, state: { row } }: Building<ActionsBuilder>, scope: 'codehost:read' | 'codehost:write' = 'codehost:read') =>
  hostAs(deps, await currentPrincipal(deps, row.workspace_id, row.principal), row.repo, scope)

const readWorkflow = async ({ client, path, parameters }: Host, workflow: string) => {
  const { data } = await client.read(`GET ${path}/actions/workflows/{workflow_id}`,
    { ...parameters, workflow_id: workflow }, HostWorkflow)
  return data
}

const minutesTook = ({ run_started_at: began, updated_at: ended }: Static<typeof HostRun>): number | undefined => {
  const ms = Date.parse(ended ?? '') - Date.parse(began ?? '')
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.max(1, Math.ceil(ms / 60_000))
}

/** @returns what the last runs took: what a minute costs, only the owner's plan at the code host says */
const costOf = async ({ client, path, parameters }: Host, workflow: string): Promise<string> => {
  const { data } = await client.read(`GET ${path}/actions/workflows/{workflow_id}/runs`,
    { ...parameters, workflow_id: workflow, status: 'success', per_page: 5 }, HostRuns)
  const took = data.workflow_runs.flatMap((run) => minutesTook(run) ?? [])
  const rate = 'of GitHub Actions, at the rate of the repository\'s owner'
  if (took.length === 0) return `Minutes ${rate}: no run of it has succeeded yet, so how many is not known`
  return `About ${Math.max(...took)} min ${rate}: the longest of the last ${took.length} runs that succeeded`
}

/** A hash is no ref that a workflow can be started on: the default branch holds the workflow, the input names the commit. */
const refOf = async ({ client, path, parameters }: Host, ref: string, commit: string | null): Promise<string> => {
  if (commit === null || !commit.startsWith(ref)) return ref
  const { data } = await client.read(`GET ${path}`, parameters, Named)
  return data.default_branch ?? 'main'
}

const toBegun = ({ id, html_url: url }: { id: number, html_url: string }): Begun => ({ id: String(id), url: toWebLink(url) })

/** Only a token of ours in the name of a run says that it is ours: never its time. */
const findRun = async (building: Building<ActionsBuilder>): Promise<Begun | undefined> => {
  const { setting, state: { row } } = building
  if (setting.build_input === undefined) return undefined
  const { client, path, parameters } = await hostOf(building)
  const { data } = await client.read(`GET ${path}/actions/workflows/{workflow_id}/runs`,
    { ...parameters, workflow_id: setting.workflow, event: 'workflow_dispatch', per_page: 50 }, HostRuns)
  const found = data.workflow_runs.find(({ display_title: title }) => title?.includes(row.id))
  return found && toBegun(found)
}

/** A refusal: nothing has begun. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.code === 'codehost_validation'

const start = async (building: Building<ActionsBuilder>): Promise<Begun> => {
  const { setting, log, state: { row } } = building
  const host = await hostOf(building, 'codehost:write')
  const { client, path, parameters } = host
  const ref = await refOf(host, row.ref, row.commit)
  const inputs = { [commitInput(setting)]: row.commit, ...(setting.build_input !== undefined && { [setting.build_input]: row.id }) }
  const route = `POST ${path}/actions/workflows/{workflow_id}/dispatches`
  const sent = { ...parameters, workflow_id: setting.workflow, ref, inputs }
  await log(`Starts ${setting.workflow} on ${ref} with ${commitInput(setting)} ${row.commit}`)
  const answer = await client.write(route, { ...sent, return_run_details: true }, Type.Unknown())
    // Older servers do not know the field, and refuse it.
    .catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return client.write(route, sent, Type.Unknown())
    })
    .catch((error: unknown) => {
      if (!isRefused(error)) throw error
      throw new StepFailed(`The code host refuses to start ${setting.workflow} on ${ref}: it has to have the trigger ` +
        `workflow_dispatch there, with the inputs ${Object.keys(inputs).join(' and ')}`)
    })
  const { workflow_run_id: id, html_url: url } = fieldsOf(answer)
  if (typeof id === 'number') return toBegun({ id, html_url: String(url) })
  if (setting.build_input === undefined) {
    throw new StepFailed(`The code host has started ${setting.workflow} and does not say which run it is. Name an input in ` +
      '`build_input` that the run\'s name shows')
  }
  // Not an error of the host: the run is looked for by its name.
  throw new Error('The answer names no run')
}

const partOf = (job: HostJob, { number, name, status, conclusion }: Static<typeof HostStep>) =>
  ({ key: `${job.id}.${number}`, words: `${job.name} / ${name}: ${conclusion ?? status}`, over: conclusion !== null })

/** GitHub puts the time before each line. */
const withoutTime = (line: string): string => line.replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /, '')

const linesOf = (text: string): string[] => text.split('\n').map((line) => withoutTime(line.replace(/\r$/, ''))).filter((line) => line !== '')

/** Passes on which steps have ended, and the log of each job that has: the host gives it out only then. */
const passOn = async (building: Building<ActionsBuilder>, { client, path, parameters }: Host, jobs: HostJob[]): Promise<void> => {
  const { deps, state } = building
  const read = { ...state.row.run?.read }
  const { row: { run } } = state
  if (!run) return
  for (const job of jobs) {
    const ended = (job.steps ?? []).map((step) => partOf(job, step)).filter(({ key, over }) => over && !(key in read))
    for (const { key } of ended) read[key] = 1
    await state.logAll('build', 'system', ended.map(({ words }) => words), { run: { ...run, read } })
    const key = `${job.id}.log`
    if (job.conclusion === null || job.conclusion === 'skipped' || key in read) continue
    const text = await client.readFile(`GET ${path}/actions/jobs/{job_id}/logs`, { ...parameters, job_id: job.id },
      async (url) => (await deps.outbound.fetch({ url, maxBytes: 20 * 1_048_576 })).body.toString())
      // Old logs are deleted, and some tokens may not read them: the run goes on all the same.
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.statusCode >= 500) throw error
        return `The log of ${job.name} cannot be read: ${error instanceof Error ? error.message : 'no answer'}`
      })
    read[key] = 1
    await state.logAll('build', 'stdout', linesOf(text), { run: { ...run, read } })
  }
}

const failedIn = (jobs: HostJob[]): string => jobs.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out')
  .map(({ name, steps }) => {
    const step = steps?.find(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out')
    return `job ${name}${step ? `, step ${step.name}` : ''}`
  }).join('; ')

const requireSuccess = ({ id, conclusion }: Static<typeof HostRun>, jobs: HostJob[], isOurs: boolean): void => {
  if (conclusion === 'success') return
  const where = failedIn(jobs)
  if (conclusion === 'cancelled') {
    throw new StepFailed(isOurs ? `Run ${id} was cancelled` : `Run ${id} was cancelled at the code host, and not from here`)
  }
  throw new StepFailed(`Run ${id} ended as ${conclusion}${where === '' ? '' : `: ${where}`}`)
}

/** A workflow of the repository builds and pushes; it is followed by the id of its run. */
export const buildByActions: Builder<ActionsBuilder> = {
  minutes: minutesOf,

  async plan (deps, { setting, principal, repo, commit, image }) {
    const host = await hostAs(deps, principal, repo, 'codehost:read')
    const { name, path, state } = await readWorkflow(host, setting.workflow).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'codehost_not_found') throw error
      throw BuilderUnsupported(`${repo} has no workflow ${setting.workflow} on its default branch`)
    })
    if (state !== 'active') throw BuilderUnsupported(`The workflow ${setting.workflow} of ${repo} is ${state}`)
    if (commit === null) throw BuilderUnsupported('The commit is not known, so no image of it can be built')
    return {
      runs: `The workflow ${name} (${path}) of ${repo} is started with ${commitInput(setting)} ${commit}. It has to push ${image}`,
      cost: await costOf(host, setting.workflow),
      notes: [],
      digest: null
    }
  },

  start,
  find: findRun,

  async look (building) {
    const { deps, state, account, image } = building
    const host = await hostOf(building)
    const { client, path, parameters } = host
    const at = { ...parameters, run_id: state.row.run?.id }
    const { data: run } = await client.read(`GET ${path}/actions/runs/{run_id}`, at, HostRun)
    const { data: { jobs } } = await client.read(`GET ${path}/actions/runs/{run_id}/jobs`, { ...at, per_page: 100 }, HostJobs)
    await passOn(building, host, jobs)
    if (run.status !== 'completed') return undefined
    requireSuccess(run, jobs, state.cancelling)
    const found = await findImage(deps, account, image)
    if (found.state === 'found') return { digest: found.digest }
    if (found.state === 'silent') return undefined
    throw new StepFailed(`Run ${run.id} succeeded, and what it has pushed is not known: ${found.why}`)
  },

  async cancel (building) {
    const { state, log } = building
    const { client, path, parameters } = await hostOf(building, 'codehost:write')
    await client.write(`POST ${path}/actions/runs/{run_id}/cancel`, { ...parameters, run_id: state.row.run?.id }, Type.Unknown())
      .then(() => log(`Run ${state.row.run?.id} is asked to stop`), async (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        await log(`Run ${state.row.run?.id} could not be stopped: ${error.message}`)
      })
  },

  tooLate: ({ setting, state }) =>
    `Run ${state.row.run?.id} of ${setting.workflow} did not end within ${minutesOf(setting)} min; it was asked to stop`
}
