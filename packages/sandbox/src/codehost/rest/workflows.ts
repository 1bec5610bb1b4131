import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { beginRun, findWorkflow, logOf, runNow, type StepNow, type Workflow, type WorkflowRun } from '../actions/runs.js'
import { isoOf } from '../core/clock.js'
import { notFound, Refusal } from '../core/errors.js'
import { ok, operation, readBody, repositoryOf, userOf, type Answer, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { fullNameOf, type Repository } from '../core/world.js'
import { showAccount } from './views.js'

const NewDispatch = Type.Object({
  ref: Type.String(),
  inputs: Type.Optional(Type.Record(Type.String(), Type.String())),
  return_run_details: Type.Optional(Type.Boolean())
})

const isoOrNull = (ms: number | null): string | null => ms === null ? null : isoOf(ms)

interface Place { call: Call, repository: Repository, api: string, html: string }

function placeOf (call: Call, needed?: 'write'): Place {
  const repository = repositoryOf(call, needed)
  const name = fullNameOf(call.sandbox.world, repository)
  return { call, repository, api: `${call.origin}/api/v3/repos/${name}`, html: `${call.origin}/${name}` }
}

function workflowOf ({ call, repository }: Place): Workflow {
  const workflow = findWorkflow(repository, call.params.workflow_id ?? '')
  if (!workflow) throw notFound()
  return workflow
}

function runOf ({ call, repository }: Place): WorkflowRun {
  const run = repository.runs.find(({ id }) => String(id) === call.params.run_id)
  if (!run) throw notFound()
  return run
}

function showWorkflow ({ api, html, repository }: Place, { id, name, path, state }: Workflow) {
  const file = path.split('/').at(-1)
  return {
    id,
    node_id: `W_${id}`,
    name,
    path,
    state,
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    url: `${api}/actions/workflows/${id}`,
    html_url: `${html}/blob/${repository.default_branch}/${path}`,
    badge_url: `${html}/workflows/${encodeURIComponent(name)}/badge.svg?file=${file}`
  }
}

/** A part of the repository, as a run shows it. */
function showRepository ({ call, repository, api, html }: Place) {
  const owner = call.sandbox.world.accounts.get(repository.owner_id)
  return {
    id: repository.id,
    name: repository.name,
    full_name: fullNameOf(call.sandbox.world, repository),
    private: repository.private,
    owner: owner && showAccount(call, owner),
    html_url: html,
    url: api
  }
}

function showRun (place: Place, run: WorkflowRun) {
  const { call, repository, api, html } = place
  const { world } = call.sandbox
  const { status, conclusion, end } = runNow(run, world.clock.now())
  const workflow = repository.workflows.find(({ id }) => id === run.workflow_id)
  const actor = world.accounts.get(run.actor_id)
  const url = `${api}/actions/runs/${run.id}`
  const updated = end ?? world.clock.now()
  return {
    id: run.id,
    name: workflow?.name ?? null,
    node_id: `WFR_${run.id}`,
    check_suite_id: run.id + 1,
    check_suite_node_id: `CS_${run.id + 1}`,
    head_branch: run.branch,
    head_sha: run.sha,
    path: workflow?.path ?? '',
    run_number: run.number,
    run_attempt: 1,
    event: 'workflow_dispatch',
    display_title: run.title,
    status,
    conclusion,
    workflow_id: run.workflow_id,
    url,
    html_url: `${html}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: isoOf(run.at),
    updated_at: isoOf(updated),
    run_started_at: isoOf(run.at),
    actor: actor && showAccount(call, actor),
    triggering_actor: actor && showAccount(call, actor),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${run.id + 1}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${api}/actions/workflows/${run.workflow_id}`,
    head_commit: null,
    repository: showRepository(place),
    head_repository: showRepository(place)
  }
}

const showStep = ({ name, number, status, conclusion, from, to }: StepNow) =>
  ({ name, status, conclusion, number, started_at: isoOrNull(from), completed_at: isoOrNull(to) })

function showJob ({ call, api, html, repository }: Place, run: WorkflowRun) {
  const { status, conclusion, steps, end } = runNow(run, call.sandbox.world.clock.now())
  return {
    id: run.job_id,
    run_id: run.id,
    workflow_name: repository.workflows.find(({ id }) => id === run.workflow_id)?.name ?? null,
    head_branch: run.branch,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: 1,
    node_id: `CR_${run.job_id}`,
    head_sha: run.sha,
    url: `${api}/actions/jobs/${run.job_id}`,
    html_url: `${html}/actions/runs/${run.id}/job/${run.job_id}`,
    status,
    conclusion,
    created_at: isoOf(run.at),
    started_at: isoOf(steps[0]?.from ?? run.at),
    completed_at: isoOrNull(end),
    name: 'image',
    steps: steps.map(showStep),
    check_run_url: `${api}/check-runs/${run.job_id}`,
    labels: ['ubuntu-latest'],
    runner_id: steps.length > 0 ? 1 : null,
    runner_name: steps.length > 0 ? 'GitHub Actions 1' : null,
    runner_group_id: steps.length > 0 ? 0 : null,
    runner_group_name: steps.length > 0 ? 'GitHub Actions' : null
  }
}

function dispatchWorkflow (call: Call): Answer {
  const place = placeOf(call, 'write')
  const workflow = workflowOf(place)
  const { ref, inputs = {}, return_run_details: details } = readBody(call, NewDispatch)
  if (workflow.state !== 'active') throw new Refusal(422, 'Cannot trigger a \'workflow_dispatch\' on a disabled workflow')
  if (workflow.inputs === null) throw new Refusal(422, 'Workflow does not have \'workflow_dispatch\' trigger')
  const surplus = Object.keys(inputs).filter((name) => !workflow.inputs?.includes(name))
  if (surplus.length > 0) throw new Refusal(422, `Unexpected inputs provided: ${JSON.stringify(surplus)}`)
  const branch = ref.replace(/^refs\/(heads|tags)\//, '')
  const sha = place.repository.branches.get(branch) ?? place.repository.tags.get(branch)
  if (sha === undefined) throw new Refusal(422, `No ref found for: ${ref}`)
  const run = beginRun(call.sandbox.world, place.repository, { workflow, branch, sha, inputs, actor: userOf(call) })
  if (!details || !call.sandbox.settings.run_details) return { status: 204 }
  const { id, url, html_url } = showRun(place, run)
  return ok({ workflow_run_id: id, run_url: url, html_url })
}

function listRuns (call: Call): Answer {
  const place = placeOf(call)
  const { id } = workflowOf(place)
  const [event, status] = [call.query.get('event'), call.query.get('status')]
  const runs = place.repository.runs.filter((run) => run.workflow_id === id).toReversed().map((run) => showRun(place, run))
    .filter((run) => (event === null || run.event === event) && (status === null || [run.status, run.conclusion].includes(status)))
  return page(call, runs, (slice) => ({ total_count: runs.length, workflow_runs: slice }))
}

function cancelRun (call: Call): Answer {
  const place = placeOf(call, 'write')
  const run = runOf(place)
  const now = call.sandbox.world.clock.now()
  if (runNow(run, now).status === 'completed') throw new Refusal(409, 'Cannot cancel a workflow run that is completed.')
  run.cancelledAt = now
  return { status: 202, body: {} }
}

const signatureOf = (id: string): string => createHash('sha256').update(`log of ${id}`).digest('base64url')

/** The log of a job lies elsewhere, under an address that needs no token; there is none before the job has ended. */
function locateLog (call: Call): Answer {
  const { repository } = placeOf(call)
  const run = repository.runs.find(({ job_id: id }) => String(id) === call.params.job_id)
  if (!run || runNow(run, call.sandbox.world.clock.now()).status !== 'completed') throw notFound()
  const location = `${call.origin}/results/${repository.id}/${run.job_id}.txt?sig=${signatureOf(String(run.job_id))}`
  return { status: 302, headers: { location } }
}

function readLog (call: Call): Answer {
  const { world } = call.sandbox
  const repository = world.repositories.get(Number(call.params.repository_id))
  const run = repository?.runs.find(({ job_id: id }) => `${id}.txt` === call.params.file)
  if (!repository || !run || call.query.get('sig') !== signatureOf(String(run.job_id))) throw notFound()
  return ok(logOf(run, fullNameOf(world, repository), world.clock.now()), { 'content-type': 'text/plain; charset=utf-8' })
}

export const workflowOperations = [
  operation('getWorkflow', 'GET', '{repo}/actions/workflows/{workflow_id}', (call) => {
    const place = placeOf(call)
    return ok(showWorkflow(place, workflowOf(place)))
  }),
  operation('dispatchWorkflow', 'POST', '{repo}/actions/workflows/{workflow_id}/dispatches', dispatchWorkflow),
  operation('listWorkflowRuns', 'GET', '{repo}/actions/workflows/{workflow_id}/runs', listRuns),
  operation('getWorkflowRun', 'GET', '{repo}/actions/runs/{run_id}', (call) => {
    const place = placeOf(call)
    return ok(showRun(place, runOf(place)))
  }),
  operation('listRunJobs', 'GET', '{repo}/actions/runs/{run_id}/jobs', (call) => {
    const place = placeOf(call)
    const jobs = [showJob(place, runOf(place))]
    return page(call, jobs, (slice) => ({ total_count: jobs.length, jobs: slice }))
  }),
  operation('cancelWorkflowRun', 'POST', '{repo}/actions/runs/{run_id}/cancel', cancelRun),
  operation('downloadJobLogs', 'GET', '{repo}/actions/jobs/{job_id}/logs', locateLog)
]

/** Not of the API: where the logs lie. */
export const resultOperations = [
  operation('readJobLog', 'GET', '/results/{repository_id}/{file}', readLog, { auth: 'none' })
]
