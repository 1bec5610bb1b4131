import { ECS } from '@aws-sdk/client-ecs'
import { SANDBOX_CREDENTIALS } from 'steward-sandbox/aws'
import t from '../../tap.js'
import { advanceDeployment } from './advance.js'
import { makePerson, makeToken } from '../account/actors.js'
import { assistantOf, shownOf } from '../../plan.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

const app = await workspace(t, { WORKER: 'false' })
const sandbox = steer(app)
const base = '/infrastructure/containers/services/web'
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const web3 = 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3'

const get = async (path = '') => (await app.inject({ url: `${base}${path}`, headers: asAdmin })).json()
const deploy = async (payload: object) =>
  (await app.inject({ method: 'POST', url: `${base}/deploy`, headers: asAdmin, payload })).json()
const cancel = async (id: string, headers: Record<string, string> = asAdmin) => {
  const answer = await app.inject({ method: 'POST', url: `${base}/deployments/${id}/cancel`, headers })
  return { status: answer.statusCode, body: answer.json() }
}
const poll = (id: string) => advanceDeployment(app, app.home.workspace_id, id)

const watch = async (id: string) => {
  for (let i = 0; i < 60; i++) {
    await poll(id)
    const row = await get(`/deployments/${id}`)
    if (row.finished_at) return row
    await sandbox.advance(5_000)
  }
  throw new Error('it did not end')
}

/** A deployment that ECS carries out and that does not come to an end by itself. */
const stuck = async () => {
  const { id } = await deploy({
    image: `${registry}/web:1-crash`, circuit_breaker: { enabled: false, rollback: false }, force: true
  })
  await poll(id)
  await sandbox.advance(1_000)
  return id as string
}

const setStatus = (id: string, values: object) =>
  app.db.updateTable('service_deployment').set(values).where('id', '=', id).execute()

/** What changed production since the last poll: the journal of the calls that write to services. */
const writes = async () => {
  const [updates, stops] = [await sandbox.calls('UpdateService'), await sandbox.calls('StopServiceDeployment')]
  await sandbox.call('DELETE', '/calls')
  return { updates, stops }
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
  await sandbox.call('DELETE', '/calls')
})

t.test('cancelled before ECS was asked, a deployment ends by its row and the service is not touched', async (t) => {
  for (const status of ['queued', 'registering']) {
    const { id } = await deploy({ image: `${registry}/web:5` })
    await setStatus(id, { status })
    const { status: code, body } = await cancel(id)
    t.equal(code, 200)
    t.match(body, {
      id,
      status: 'stopped',
      status_reason: 'Cancelled by Administrator before ECS was asked to change the service',
      cancelled_by: 'Administrator',
      cancel_requested_at: /^\d{4}-/,
      finished_at: /^\d{4}-/
    })
    await poll(id)
    t.same(await cancel(id), { status: 200, body }, 'again = the same')
  }
  t.same(await writes(), { updates: 0, stops: 0 })
  t.match(await get(), { task_definition: { arn: web3 } })
})

t.test('a worker that holds the row sends nothing once it was cancelled', async (t) => {
  const { id } = await deploy({ image: `${registry}/web:6` })
  await sandbox.fault({ kind: 'slow', operation: 'RegisterTaskDefinition', delay_ms: 1_000 })
  const working = poll(id)
  for (let seen = 0; seen === 0;) seen = await sandbox.calls('RegisterTaskDefinition')
  t.equal((await cancel(id)).status, 200)
  await working
  t.match(await get(`/deployments/${id}`), { status: 'stopped', aws_deployment_id: null })
  t.same(await writes(), { updates: 0, stops: 0 })
})

t.test('a deployment that is stuck is stopped by ECS, which goes back, and the service is free', async (t) => {
  const id = await stuck()
  await writes()
  const { status, body } = await cancel(id)
  t.equal(status, 202)
  t.match(body, { id, status: 'in_progress', cancelled_by: 'Administrator', previous_task_definition: web3 })
  t.same(await writes(), { updates: 0, stops: 1 }, 'no UpdateService, so nothing is restarted beside it')
  const ended = await watch(id)
  t.match(ended, { status: 'rolled_back', cancelled_by: 'Administrator' })
  t.match(await get(), { task_definition: { arn: web3 }, running_count: 2 })
  t.same(await cancel(id), { status: 200, body: ended }, 'again = the same')
  t.equal((await watch((await deploy({ image: `${registry}/web:7` })).id)).status, 'succeeded')
  await watch((await deploy({ force_new_deployment: true })).id)
})

t.test('what AWS refuses is the answer, and the deployment goes on unchanged', async (t) => {
  const id = await stuck()
  await sandbox.deny('ecs:StopServiceDeployment')
  const { status, body } = await cancel(id)
  t.same([status, body.code, body.missing_permission.action],
    [403, 'aws_permission_denied', 'ecs:StopServiceDeployment'])
  t.match(await get(`/deployments/${id}`), { status: 'in_progress', cancelled_by: null, cancel_requested_at: null })
  await sandbox.deny()
  t.equal((await cancel(id)).status, 202, 'and it may be asked again')
  t.equal((await watch(id)).status, 'rolled_back')
})

t.test('a stop whose answer was lost, or that never came to AWS, is carried on by the worker', async (t) => {
  for (const executed of [true, false]) {
    const id = await stuck()
    await sandbox.fault({ kind: 'drop', operation: 'StopServiceDeployment', executed })
    t.match(await cancel(id), { status: 202, body: { cancelled_by: 'Administrator' } })
    t.equal((await watch(id)).status, 'rolled_back')
  }
})

t.test('cancelled while UpdateService may be under way, what was begun is stopped', async (t) => {
  const { id } = await deploy({ image: `${registry}/web:2-crash` })
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService', executed: true })
  await poll(id)
  t.match(await get(`/deployments/${id}`), { status: 'updating' })
  t.match(await cancel(id), { status: 202, body: { status: 'updating' } })
  await sandbox.call('DELETE', '/calls')
  t.equal((await watch(id)).status, 'rolled_back')
  t.same(await writes(), { updates: 0, stops: 1 })
})

t.test('cancelled after an UpdateService that never came to AWS, nothing is sent', async (t) => {
  const { id } = await deploy({ image: `${registry}/web:9` })
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService' })
  await poll(id)
  t.match(await cancel(id), { status: 202, body: { status: 'updating' } })
  await sandbox.call('DELETE', '/calls')
  t.match(await watch(id), {
    status: 'stopped', status_reason: 'Cancelled by Administrator before ECS was asked to change the service'
  })
  t.same(await writes(), { updates: 0, stops: 0 })
})

t.test('where ECS cannot stop it, the revision before is deployed, without a forced restart', async (t) => {
  const before = (await get()).task_definition.arn
  const id = await stuck()
  await sandbox.fault({
    kind: 'error', operation: 'StopServiceDeployment', code: 'UnknownOperationException', status: 400, times: 0
  })
  await sandbox.call('DELETE', '/calls')
  t.equal((await cancel(id)).status, 202)
  const { calls } = await sandbox.call('GET', '/calls?operation=UpdateService') as { calls: { params: object }[] }
  t.same(calls.map(({ params }) => params), [{ cluster: 'prod', service: 'web', taskDefinition: before }])
  t.equal((await watch(id)).status, 'rolled_back')

  const { id: same } = await deploy({ force_new_deployment: true })
  await poll(same)
  const refused = await cancel(same)
  t.match(refused, { status: 409, body: { code: 'deployment_not_cancellable', detail: /Deploy another revision/ } })
  await sandbox.clear()
  await watch(same)
})

t.test('one that has ended, is not there or may not be touched is refused with the reason', async (t) => {
  const ended = await watch((await deploy({ force_new_deployment: true })).id)
  t.match(await cancel(ended.id), {
    status: 409, body: { code: 'deployment_finished', deployment_status: 'succeeded', detail: /nothing left to cancel/ }
  })
  t.match(await cancel('01890000-0000-7000-8000-000000000000'), { status: 404, body: { code: 'deployment_not_found' } })
  const { headers } = await makeToken(app, asAdmin, ['infrastructure:read'])
  t.match(await cancel(ended.id, headers), { status: 403, body: { code: 'insufficient_scope' } })
  const viewer = await makePerson(app, 'Vi', 'viewer')
  t.match(await cancel(ended.id, viewer.headers), { status: 403, body: { code: 'insufficient_role' } })
})

t.test('an approval shows what a cancel does', async (t) => {
  const tool = app.tools.find('cancelServiceDeployment')?.options
  const read = app.tools.reader(assistantOf(app))
  const before = (await get()).task_definition.arn
  const { id } = await deploy({ image: `${registry}/web:3-crash` })
  const args = { service: 'web', deployment_id: id }
  const shown = () => shownOf(app, 'cancelServiceDeployment', args)
  t.same((await shown()).preview, [{
    label: 'Deployment', before: 'queued', after: 'stopped; ECS was not asked yet, so the service stays as it is'
  }])
  t.equal(await tool?.reconcile?.(args, read), 'not_done')
  await poll(id)
  const { target_task_definition: target } = await get(`/deployments/${id}`)
  t.same(await shown(), {
    summary: `Cancel deployment ${id} of service web in cluster prod (eu-west-1, account Sandbox)`,
    preview: [
      { label: 'Deployment', before: 'in_progress', after: 'stopped by ECS' },
      { label: 'Task definition', before: target, after: before },
      { label: 'Tasks', before: null, after: '0 of 2 run' }
    ]
  })
  await cancel(id)
  t.equal(await tool?.reconcile?.(args, read), 'done')
  await watch(id)
})

/** Another actor, who is no client of ours. */
const ecs = new ECS({ endpoint: String(app.sandbox.aws), region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS })

const cancelExpecting = async (id: string, expected: object) => {
  const answer = await app.inject({
    method: 'POST', url: `${base}/deployments/${id}/cancel`, headers: asAdmin, payload: { expected }
  })
  return { status: answer.statusCode, body: answer.json() }
}

t.test('a cancel that was approved on another state is not sent, and the deployment goes on', async (t) => {
  const id = await stuck()
  await writes()
  const { task_definition: now } = (await ecs.describeServices({ cluster: 'prod', services: ['web'] })).services
    ?.map(({ taskDefinition }) => ({ task_definition: taskDefinition }))[0] ?? {}
  t.match(await cancelExpecting(id, { status: 'updating', task_definition: now }), {
    status: 409, body: { code: 'state_changed', changed: [{ field: 'status', expected: 'updating', found: 'in_progress' }] }
  })
  t.match(await cancelExpecting(id, { status: 'in_progress', task_definition: web3 }), {
    status: 409, body: { code: 'state_changed', changed: [{ field: 'task_definition', expected: web3, found: now }] }
  })
  t.same(await writes(), { updates: 0, stops: 0 })
  t.match(await get(`/deployments/${id}`), { status: 'in_progress', cancel_requested_at: null })
  t.equal((await cancelExpecting(id, { status: 'in_progress', task_definition: now })).status, 202)
  t.same(await writes(), { updates: 0, stops: 1 })
  await watch(id)
})

t.test('a worker that carries on a cancel compares what was approved', async (t) => {
  const id = await stuck()
  const { target_task_definition: target } = await get(`/deployments/${id}`)
  await sandbox.fault({ kind: 'drop', operation: 'StopServiceDeployment', executed: false })
  t.equal((await cancelExpecting(id, { status: 'in_progress', task_definition: target })).status, 202)
  await setStatus(id, { cancel_expected: JSON.stringify({ status: 'in_progress', task_definition: web3 }) })
  await writes()
  await poll(id)
  t.same(await writes(), { updates: 0, stops: 0 })
  t.match(await get(`/deployments/${id}`), {
    status: 'in_progress', cancel_requested_at: null, status_reason: /^The cancel was refused, so the deployment goes on/
  })
  t.equal((await cancelExpecting(id, { status: 'in_progress', task_definition: target })).status, 202)
  t.equal((await watch(id)).status, 'rolled_back')
})

t.test('a deployment that AWS has not named yet is not stopped in place of another revision', async (t) => {
  const id = await stuck()
  await setStatus(id, { aws_deployment_id: null })
  await ecs.updateService({ cluster: 'prod', service: 'web', taskDefinition: web3, forceNewDeployment: true })
  await writes()
  await cancel(id)
  await poll(id)
  t.same(await writes(), { updates: 0, stops: 0 })
  await setStatus(id, { status: 'superseded', finished_at: new Date() })
})

t.test('a cancel that was approved while ECS was being asked stops the revision that this has started', async (t) => {
  const { id } = await deploy({ image: `${registry}/web:2-crash`, force: true })
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService', executed: true })
  await poll(id)
  t.equal((await cancelExpecting(id, { status: 'updating', task_definition: web3 })).status, 202)
  await sandbox.call('DELETE', '/calls')
  t.equal((await watch(id)).status, 'rolled_back')
  t.same(await writes(), { updates: 0, stops: 1 })
})

t.test('what another actor has deployed meanwhile is not stopped in place of ours', async (t) => {
  const id = await stuck()
  await ecs.updateService({ cluster: 'prod', service: 'web', taskDefinition: web3, forceNewDeployment: true })
  await writes()
  t.equal((await cancel(id)).status, 202)
  t.same(await writes(), { updates: 0, stops: 0 }, 'the primary deployment is the other one')
  t.match(await watch(id), { status: 'superseded' })
})
