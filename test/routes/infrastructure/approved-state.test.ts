import { ECS } from '@aws-sdk/client-ecs'
import type { Service } from '@aws-sdk/client-ecs'
import t from '../../tap.js'
import { judgeRollout } from '../../../routes/infrastructure/lib/deployments/judge-rollout.js'
import { asAdmin, buildApp } from '../../app.js'
import { aws, deployElsewhere } from '../../consent/infrastructure.js'
import { advanceDeployment } from './advance.js'
import { steer } from './sandbox.js'

const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const ecs = new ECS(aws(app))
const base = '/infrastructure/containers/services'
const get = async (url: string) => (await app.inject({ url, headers: asAdmin })).json()
const deploy = (service: string, payload: object) => app.inject({
  method: 'POST', url: `${base}/${encodeURIComponent(service)}/deploy`, headers: asAdmin, payload
})
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

interface Started { id: string, service_id: string }

const look = ({ id }: Started) => advanceDeployment(app, app.home.workspace_id, id)
const read = ({ id, service_id: service }: Started) =>
  get(`${base}/${encodeURIComponent(service)}/deployments/${id}`)

const watch = async (deployment: Started) => {
  for (let i = 0; i < 60; i++) {
    await look(deployment)
    const row = await read(deployment)
    if (row.finished_at) return row
    await sandbox.advance(5_000)
  }
  return read(deployment)
}

const serviceOf = async (service: string): Promise<Service> =>
  (await ecs.describeServices({ cluster: 'prod', services: [service] })).services?.[0] ?? {}
const primaryOf = ({ deployments = [] }: Service) => deployments.find(({ status }) => status === 'PRIMARY')

const restart = (service: string) => ecs.updateService({ cluster: 'prod', service, forceNewDeployment: true })

const drifts: [string, object][] = [
  ['an image', { image: `${registry}/search:9.9.9` }],
  ['an image, by the caller\'s own condition', { image: `${registry}/search:9.9.8`, expected_task_definition: 'now' }],
  ['a rollback', { task_definition: 'search:1' }],
  ['a restart', { force_new_deployment: true }]
]
const others: [string, () => Promise<unknown>][] =
  [['a hotfix', () => deployElsewhere(app, 'search')], ['a restart', () => restart('search')]]
for (const [name, given] of drifts) {
  for (const [by, drift] of others) {
    t.test(`what is queued is not sent on another state: ${name}, after ${by} by another actor`, async (t) => {
      await deployElsewhere(app, 'search')
      const now = (await serviceOf('search')).taskDefinition
      const payload = 'expected_task_definition' in given ? { ...given, expected_task_definition: now } : given
      const started = (await deploy('search', payload)).json()
      await drift()
      const there = await serviceOf('search')
      const [registered, updated] = [await sandbox.calls('RegisterTaskDefinition'), await sandbox.calls('UpdateService')]
      await look(started)
      const ended = await read(started)
      t.match(ended, { status: 'superseded', status_reason: /Nothing was sent/, aws_deployment_id: null })
      t.match(ended.status_reason, primaryOf(there)?.id ?? '', 'it names what was found')
      t.same([await sandbox.calls('RegisterTaskDefinition'), await sandbox.calls('UpdateService')], [registered, updated])
      t.equal(primaryOf(await serviceOf('search'))?.id, primaryOf(there)?.id)
    })
  }
}

t.test('what changes between the registration and the update is found too', async (t) => {
  const started = (await deploy('search', { image: `${registry}/search:7` })).json()
  await sandbox.fault({ kind: 'drop', operation: 'RegisterTaskDefinition', executed: true, times: 1 })
  await look(started)
  t.match(await read(started), { status: 'registering' })
  await restart('search')
  const updated = await sandbox.calls('UpdateService')
  await look(started)
  t.match(await read(started), { status: 'superseded', status_reason: /Nothing was sent/ })
  t.equal(await sandbox.calls('UpdateService'), updated)
})

t.test('a restart names no revision', async (t) => {
  const ended = await watch((await deploy('web', { force_new_deployment: true })).json())
  t.match(ended, { kind: 'force', status: 'succeeded' })
  const { calls } = await sandbox.call<{ calls: { params: object }[] }>('GET', '/calls?operation=UpdateService')
  t.match(calls.at(-1)?.params, { service: 'web', forceNewDeployment: true })
  t.notOk('taskDefinition' in (calls.at(-1)?.params ?? {}))
})

t.test('a tag that runs already is deployed again: all tasks are started anew', async (t) => {
  const first = await watch((await deploy('web', { image: `${registry}/web:main` })).json())
  const again = await deploy('web', { image: `${registry}/web:main` })
  const second = await watch(again.json())
  t.match(second, { status: 'succeeded', target_task_definition: first.target_task_definition })
  t.not(second.aws_deployment_id, first.aws_deployment_id)
  const { tasks = [] } = await ecs.describeTasks({
    cluster: 'prod', tasks: (await ecs.listTasks({ cluster: 'prod', serviceName: 'web' })).taskArns ?? []
  })
  t.same([...new Set(tasks.map(({ startedBy }) => startedBy))], [second.aws_deployment_id])
})

t.test('what runs already by its digest is refused, and so is the revision that runs', async (t) => {
  const image = `${registry}/web@sha256:${'c'.repeat(64)}`
  const { target_task_definition: revision } = await watch((await deploy('web', { image })).json())
  for (const payload of [{ image }, { task_definition: revision }]) {
    t.match((await deploy('web', payload)).json(), { status: 409, code: 'nothing_to_deploy' })
  }
})

t.test('a lost answer restarts nothing twice, whatever the clocks say', async (t) => {
  const started = (await deploy('web', { force_new_deployment: true })).json()
  const updated = await sandbox.calls('UpdateService')
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService', executed: true, times: 1 })
  await look(started)
  t.match(await read(started), { status: 'updating' })
  // AWS's clock is behind ours by ten minutes.
  await app.db.updateTable('service_deployment').set({ started_at: new Date(Date.now() + 600_000) })
    .where('id', '=', started.id).execute()
  t.equal((await watch(started)).status, 'succeeded')
  t.equal(await sandbox.calls('UpdateService') - updated, 1)
})

t.test('what was not sent is sent after two reads that do not show it', async (t) => {
  const started = (await deploy('web', { force_new_deployment: true })).json()
  const updated = await sandbox.calls('UpdateService')
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService', executed: false, times: 1 })
  await look(started)
  await look(started)
  t.equal((await read(started)).status, 'updating')
  t.equal((await watch(started)).status, 'succeeded')
  t.ok(await sandbox.calls('UpdateService') - updated <= 2)
})

const row = {
  status: 'in_progress',
  status_reason: null,
  expected: { task_definition: 'api:2', deployment_id: 'ecs-svc/1' },
  aws_deployment_id: 'ecs-svc/2',
  previous_task_definition: 'api:2',
  target_task_definition: 'api:2',
  cancel_requested_at: null
} as const
const service = (more: Partial<Service>): Service =>
  ({ status: 'ACTIVE', desiredCount: 3, runningCount: 3, taskDefinition: 'api:2', ...more })
const breaker = 'ECS deployment circuit breaker: tasks failed to start.'
const back = (to: string) => ({
  id: 'ecs-svc/3',
  status: 'PRIMARY',
  taskDefinition: 'api:2',
  rolloutState: 'COMPLETED' as const,
  rolloutStateReason: `ECS deployment circuit breaker: rolling back to deploymentId ${to}.`
})
const ours = (rolloutState: 'FAILED' | 'IN_PROGRESS' | 'COMPLETED', status = 'ACTIVE') => ({
  id: 'ecs-svc/2',
  status,
  taskDefinition: 'api:2',
  rolloutState,
  ...(rolloutState === 'FAILED' && { rolloutStateReason: breaker })
})

t.test('a deployment is judged by its id, and by what ECS says of that id', (t) => {
  const judge = (deployments: Service['deployments'], more: Partial<Service> = {}) =>
    judgeRollout(row, service({ deployments, ...more }))
  t.same(judge([back('ecs-svc/1'), ours('FAILED')]), { status: 'rolled_back', reason: breaker }, 'the same revision')
  t.match(judge([back('ecs-svc/1')]), { status: 'rolled_back' }, 'ECS lists it no more')
  t.match(judge([back('ecs-svc/9')]), { status: 'superseded' }, 'another deployment was rolled back')
  t.match(judge([{ ...back(''), taskDefinition: 'api:7', rolloutStateReason: undefined }, ours('FAILED')]),
    { status: 'failed', reason: breaker }, 'it failed before another took over')
  t.match(judge([{ ...back(''), taskDefinition: 'api:7', rolloutStateReason: undefined }, ours('COMPLETED')]),
    { status: 'succeeded' }, 'it was complete before another took over')
  for (const [desiredCount, runningCount] of [[6, 5], [9, 8], [8, 7], [1, 3]]) {
    t.same(judge([ours('COMPLETED', 'PRIMARY')], { desiredCount, runningCount }),
      { status: 'succeeded', reason: null, isFinal: true }, 'while autoscaling moves')
  }
  t.match(judge([ours('IN_PROGRESS', 'PRIMARY')]), { status: 'in_progress' })
  t.end()
})
