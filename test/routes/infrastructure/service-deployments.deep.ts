import { createHash } from 'node:crypto'
import t from '../../tap.js'
import { advanceDeployment } from './advance.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from './sandbox.js'

const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const base = '/infrastructure/containers/services'
const get = async (url: string) => (await app.inject({ url, headers: asAdmin })).json()
const deploy = (service: string, payload: object, headers = {}) => app.inject({
  method: 'POST', url: `${base}/${encodeURIComponent(service)}/deploy`, headers: { ...asAdmin, ...headers }, payload
})
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const workspace = app.home.workspace_id
const digestOf = (image: string) => `sha256:${createHash('sha256').update(image).digest('hex')}`

/** Looks again and again while the sandbox's clock runs, as the job would. */
const watch = async (deployment: { id: string, service_id: string }, stepMs = 5_000, polls = 60) => {
  const url = `${base}/${encodeURIComponent(deployment.service_id)}/deployments/${deployment.id}`
  for (let i = 0; i < polls; i++) {
    await advanceDeployment(app, workspace, deployment.id)
    const row = await get(url)
    if (row.finished_at) return row
    await sandbox.advance(stepMs)
  }
  return get(url)
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('a dry run returns what would change, without values of the environment, and changes nothing', async (t) => {
  const answer = await deploy('web', { image: `${registry}/web:2.5.0`, dry_run: true })
  t.equal(answer.statusCode, 200)
  const { service_id: id, ...rest } = answer.json()
  t.match(id, /~eu-west-1~prod~web$/)
  t.same(rest, {
    kind: 'deploy',
    previous_task_definition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3',
    target_task_definition: null,
    changes: [{
      path: 'containerDefinitions[web].image', before: `${registry}/web:2.4.0`, after: `${registry}/web:2.5.0`
    }],
    registry: [{ image: `${registry}/web:2.5.0`, state: 'found', digest: digestOf(`${registry}/web:2.5.0`), why: null }],
    warnings: [],
    dry_run: true
  })
  const back = (await deploy('web', { task_definition: 'api:1', dry_run: true })).json()
  const environment = back.changes.filter(({ path }: { path: string }) => /environment\[\w+\]\.value/.test(path))
  t.ok(environment.length > 0)
  for (const change of environment) t.match([change.before, change.after].join(), /^(\[redacted\])?,(\[redacted\])?$/)
  t.notMatch(JSON.stringify(back), /orders\.cluster|larkspur/)
  t.equal(await sandbox.calls('RegisterTaskDefinition'), 0)
  t.equal(await sandbox.calls('UpdateService'), 0)
})

t.test('a good image succeeds, and the service shows it', async (t) => {
  const answer = await deploy('web', { image: `${registry}/web:2.5.0`, comment: 'release' })
  t.equal(answer.statusCode, 202)
  t.match(answer.json(),
    { kind: 'deploy', status: 'queued', actor: 'Administrator', comment: 'release', dry_run: false })
  t.match(answer.headers.location, `/deployments/${answer.json().id}`)
  const ended = await watch(answer.json())
  t.match(ended, {
    status: 'succeeded',
    status_reason: null,
    target_task_definition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:4',
    progress: { desired: 2, running: 2, pending: 0, failed: 0 },
    failures: []
  })
  t.match(ended.aws_deployment_id, /^ecs-svc\//)
  t.match(ended.aws_service_deployment_arn, /:service-deployment\/prod\/web\//)
  const service = await get(`${base}/web`)
  t.match(service, { current_deployment: { id: ended.id }, images: [{ image: `${registry}/web:2.5.0` }] })
})

const endings: [string, string, RegExp][] = [
  ['crash', 'rolled_back', /exit code 1/],
  ['oom', 'rolled_back', /OutOfMemory/],
  ['nopull', 'rolled_back', /CannotPullContainer/],
  ['unhealthy', 'rolled_back', /health checks/],
  ['slow', 'succeeded', /^$/]
]
for (const [tag, status, reason] of endings) {
  t.test(`an image that ends as ${tag} is ${status}, with the reason`, async (t) => {
    const started = await deploy('web', { image: `${registry}/web:3-${tag}` })
    t.equal(started.statusCode, 202)
    const ended = await watch(started.json())
    t.equal(ended.status, status, ended.status_reason)
    t.match(ended.failures.map((failure: { reason: string }) => failure.reason).join(), reason)
  })
}

t.test('without a breaker a crash ends at the deadline, and AWS may go on', async (t) => {
  const started = await deploy('search', {
    image: `${registry}/search:1-crash`, circuit_breaker: { enabled: false, rollback: false }, timeout_seconds: 60
  })
  await advanceDeployment(app, workspace, started.json().id)
  await app.db.updateTable('service_deployment').set({ deadline_at: new Date(Date.now() - 1_000) })
    .where('id', '=', started.json().id).execute()
  const ended = await watch(started.json())
  t.equal(ended.status, 'timed_out')
})

t.test('a breaker without rollback ends as failed', async (t) => {
  const started = await deploy('search', {
    image: `${registry}/search:2-crash`, circuit_breaker: { enabled: true, rollback: false }
  })
  t.equal((await watch(started.json())).status, 'failed')
})

const ecsOf = async () => {
  const account = await app.db.selectFrom('cloud_account').selectAll().executeTakeFirstOrThrow()
  return app.aws.client('ecs', account, 'eu-west-1')
}

t.test('a deployment that is stopped by hand is stopped, not failed', async (t) => {
  const started = (await deploy('web', { image: `${registry}/web:6-slow` })).json()
  await advanceDeployment(app, workspace, started.id)
  await sandbox.advance(1_000)
  await advanceDeployment(app, workspace, started.id)
  const { aws_service_deployment_arn: arn } =
    await get(`${base}/${encodeURIComponent(started.service_id)}/deployments/${started.id}`)
  await (await ecsOf()).stopServiceDeployment({ serviceDeploymentArn: arn, stopType: 'ABORT' })
  t.match(await watch(started), { status: 'stopped', status_reason: /Stopped by the user/ })
  t.equal((await watch((await deploy('web', { image: `${registry}/web:7`, force: true })).json())).status, 'succeeded')
})

t.test('a rollback to an image that is gone is rollback_failed, and says why', async (t) => {
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:7`])
  const started = await deploy('web', { image: `${registry}/web:8-crash` })
  const ended = await watch(started.json())
  t.equal(ended.status, 'rollback_failed', ended.status_reason)
  t.match(ended.status_reason, /rolling back/)
  await sandbox.call('PUT', '/missing-images', [])
  t.equal((await watch((await deploy('web', { image: `${registry}/web:9`, force: true })).json())).status, 'succeeded')
})

t.test('H57: one live deployment a service; force supersedes it', async (t) => {
  const first = (await deploy('api', { image: `${registry}/api:2-slow`, container: 'api' })).json()
  await advanceDeployment(app, workspace, first.id)
  const second = await deploy('api', { image: `${registry}/api:3`, container: 'api' })
  t.match(second.json(), { status: 409, code: 'deployment_in_progress', deployment_id: first.id })
  const forced = await deploy('api', { image: `${registry}/api:3`, container: 'api', force: true })
  t.equal(forced.statusCode, 202)
  t.equal((await watch(first)).status, 'superseded')
  t.equal((await watch(forced.json())).status, 'succeeded')
})

t.test('a deployment that others replaced is superseded, not succeeded', async (t) => {
  const started = (await deploy('web', { image: `${registry}/web:4-slow` })).json()
  await advanceDeployment(app, workspace, started.id)
  await (await ecsOf()).updateService({ cluster: 'prod', service: 'web', taskDefinition: 'web:2' })
  t.equal((await watch(started)).status, 'superseded')
})

t.test('rollback goes to the revision before, and to that of a named deployment', async (t) => {
  await watch((await deploy('web', { task_definition: 'web:3' })).json())
  const good = await watch((await deploy('web', { image: `${registry}/web:5` })).json())
  t.equal(good.status, 'succeeded')
  const back = await watch((await deploy('web', { rollback_to: 'previous' })).json())
  t.match(back, { kind: 'rollback', status: 'succeeded', target_task_definition: good.previous_task_definition })
  const again = await watch((await deploy('web', { rollback_to: good.id })).json())
  t.match(again, { kind: 'rollback', status: 'succeeded', target_task_definition: good.target_task_definition })
  const list = await get(`${base}/web/deployments?limit=2`)
  t.same(list.items.map(({ id }: { id: string }) => id), [again.id, back.id])
  const next = await get(`${base}/web/deployments?limit=2&cursor=${encodeURIComponent(list.next_cursor)}`)
  t.equal(next.items[0].id, good.id)
})

t.test('force starts the same revision anew', async (t) => {
  const ended = await watch((await deploy('web', { force_new_deployment: true })).json())
  t.match(ended, { kind: 'force', status: 'succeeded' })
  t.equal(ended.previous_task_definition, ended.target_task_definition)
})

t.test('a worker that dies in mid-step neither registers nor updates twice', async (t) => {
  const started = (await deploy('web', { image: `${registry}/web:6` })).json()
  const registered = await sandbox.calls('RegisterTaskDefinition')
  const updated = await sandbox.calls('UpdateService')
  await sandbox.fault({ kind: 'drop', operation: 'RegisterTaskDefinition', executed: true, times: 1 })
  await advanceDeployment(app, workspace, started.id)
  t.match(await get(`${base}/web/deployments/${started.id}`), { status: 'registering' })
  await sandbox.fault({ kind: 'drop', operation: 'UpdateService', executed: true, times: 1 })
  await advanceDeployment(app, workspace, started.id)
  t.match(await get(`${base}/web/deployments/${started.id}`), { status: 'updating' })
  t.equal((await watch(started)).status, 'succeeded')
  t.equal(await sandbox.calls('RegisterTaskDefinition') - registered, 1)
  t.equal(await sandbox.calls('UpdateService') - updated, 1)
})

t.test('only one worker holds a deployment, and a late one cannot write', async (t) => {
  const started = (await deploy('web', { image: `${registry}/web:7` })).json()
  const updated = await sandbox.calls('UpdateService')
  await Promise.all(Array.from({ length: 8 }, () => advanceDeployment(app, workspace, started.id)))
  t.equal(await sandbox.calls('UpdateService') - updated, 1)
  t.equal((await watch(started)).status, 'succeeded')
  t.equal(await advanceDeployment(app, workspace, started.id), undefined, 'what has ended is left alone')
})

t.test('what AWS refuses before UpdateService is failed, and nothing changed', async (t) => {
  await sandbox.deny('ecs:RegisterTaskDefinition')
  const before = await sandbox.calls('UpdateService')
  const started = (await deploy('web', { image: `${registry}/web:8` })).json()
  const ended = await watch(started)
  t.equal(ended.status, 'failed')
  t.match(ended.status_reason, /not authorized to perform: ecs:RegisterTaskDefinition/)
  t.equal(await sandbox.calls('UpdateService'), before)
})

t.test('fields that this SDK does not know survive a deployment', async (t) => {
  const account = await app.db.selectFrom('cloud_account').selectAll().executeTakeFirstOrThrow()
  const ecs = await app.aws.client('ecs', account, 'eu-west-1')
  const { readRawDefinition, registerRawDefinition, toRegistration } =
    await import('../../../routes/infrastructure/lib/write-ecs.js')
  const now = toRegistration(await readRawDefinition(ecs, 'web'))
  const [container] = now.containerDefinitions as Record<string, unknown>[]
  const arn = await registerRawDefinition(ecs, {
    ...now,
    futureTop: { a: 1 },
    containerDefinitions: [{ ...container, futureField: ['x'], environment: [{ name: 'Ü', value: '€' }] }]
  })
  await watch((await deploy('web', { task_definition: arn })).json())
  const ended = await watch((await deploy('web', { image: `${registry}/web:9` })).json())
  t.equal(ended.status, 'succeeded')
  t.equal(ended.changes.length, 1)
  const { definition, tags } = await readRawDefinition(ecs, ended.target_task_definition)
  t.match(definition, {
    futureTop: { a: 1 }, containerDefinitions: [{ futureField: ['x'], environment: [{ name: 'Ü', value: '€' }] }]
  })
  t.same(tags, now.tags ?? [])
})

t.test('bad inputs are refused with what is wrong, and write nothing', async (t) => {
  const cases: [string, object, number, string][] = [
    ['web', {}, 400, 'invalid_request'],
    ['web', { image: 'app:1', rollback_to: 'previous' }, 400, 'invalid_request'],
    ['web', { image: 'App Name' }, 400, 'invalid_request'],
    ['web', { image: 'app:1', surprise: true }, 400, 'unknown_field'],
    ['web', { image: 'app:1', container: 'nope' }, 422, 'container_unknown'],
    ['api', { image: 'app:1' }, 422, 'container_unknown'],
    ['web', { task_definition: 'nothing:9' }, 404, 'aws_resource_not_found'],
    ['web', { rollback_to: 'not-an-id' }, 409, 'no_rollback_target'],
    ['web', { image: 'app:1', expected_task_definition: 'arn:other' }, 409, 'deployment_conflict'],
    ['checkout-staging', { image: 'app:1' }, 409, 'not_deployable'],
    ['nothing', { image: 'app:1' }, 404, 'service_not_found']
  ]
  const before = await sandbox.calls('UpdateService')
  for (const [service, payload, status, code] of cases) {
    const { status: seen, code: word } = (await deploy(service, payload)).json()
    t.same([seen, word], [status, code], JSON.stringify(payload))
  }
  t.equal(await sandbox.calls('UpdateService'), before)
  t.match((await deploy('api', { image: 'app:1' })).json(), { containers: ['api', 'xray'] })
  const unknown = await get(`${base}/web/deployments/01890000-0000-7000-8000-000000000000`)
  t.equal(unknown.code, 'deployment_not_found')
})

t.test('the account cannot be removed while a deployment is live', async (t) => {
  const started = (await deploy('search', { image: `${registry}/search:9` })).json()
  const [{ id }] = (await get('/cloud/accounts')).items
  const refused = await app.inject({ method: 'DELETE', url: `/cloud/accounts/${id}`, headers: asAdmin })
  t.match(refused.json(), { status: 409, code: 'cloud_account_in_use' })
  await watch(started)
})
