import t from '../../tap.js'
import { advanceDeployment } from './advance.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

const app = await workspace(t, { WORKER: 'false' })
const sandbox = steer(app)
const base = '/infrastructure/containers/services'
const arnOf = (revision: string) => `arn:aws:ecs:eu-west-1:123456789012:task-definition/${revision}`
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

const get = async (url: string) => (await app.inject({ url, headers: asAdmin })).json()
const deploy = async (service: string, payload: object) => (await app.inject({
  method: 'POST', url: `${base}/${service}/deploy`, headers: asAdmin, payload
})).json()
const target = (service: string, to?: string) =>
  get(`${base}/${service}/rollback-target${to === undefined ? '' : `?rollback_to=${encodeURIComponent(to)}`}`)
const dryRun = async (service: string, to: string) =>
  (await deploy(service, { rollback_to: to, dry_run: true })).target_task_definition

/** Deploys and polls until it has ended, while the sandbox's clock runs. */
const finish = async (service: string, payload: object, polls = 60) => {
  const { id } = await deploy(service, payload)
  for (let i = 0; i < polls; i++) {
    await advanceDeployment(app, app.home.workspace_id, id)
    const row = await get(`${base}/${service}/deployments/${id}`)
    if (row.finished_at) return row
    await sandbox.advance(5_000)
  }
  throw new Error(`${service} did not end`)
}

const end = (id: string, status: string) => app.db.updateTable('service_deployment')
  .set({ status: status as 'failed', finished_at: new Date() }).where('id', '=', id).execute()

const ecs = async () => {
  const account = await app.db.selectFrom('cloud_account').selectAll().executeTakeFirstOrThrow()
  return app.aws.client('ecs', account, 'eu-west-1')
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('the target is the exact revision with its images, and says which history has it', async (t) => {
  const { aws_service_deployment_arn: arn, succeeded_at: at, images, ...rest } = await target('web')
  t.same(rest, {
    task_definition: arnOf('web:2'), revision: 'web:2', source: 'aws', deployment_id: null, passed_over: []
  })
  t.match(arn, /:service-deployment\/prod\/web\//)
  t.ok(Date.parse(at) < Date.now())
  t.match(images, [{ container: 'web', image: /\/web:2\.3/, digest: /^sha256:[0-9a-f]{64}$/ }])
  t.equal(await dryRun('web', 'previous'), arnOf('web:2'), 'a deployment does what was shown')
})

t.test('a revision that never succeeded is no target, although it ran just before', async (t) => {
  const broken = await deploy('web', {
    image: `${registry}/web:9-crash`, circuit_breaker: { enabled: false, rollback: false }
  })
  await advanceDeployment(app, app.home.workspace_id, broken.id)
  const { target_task_definition: bad } = await get(`${base}/web/deployments/${broken.id}`)
  await end(broken.id, 'timed_out')
  const good = await finish('web', { image: `${registry}/web:2.5.0` })
  t.match(good, { status: 'succeeded', previous_task_definition: bad })
  t.match(await target('web'), { task_definition: arnOf('web:3'), source: 'aws' })
  const refused = await target('web', broken.id)
  t.match(refused, { status: 409, code: 'no_rollback_target', deployment_id: broken.id, task_definition: bad })
  t.match(refused.detail, /is timed_out, so nothing shows that its revision works\. Say task_definition/)
  t.match(await target('web', bad), { status: 409, code: 'no_rollback_target' })
  t.match(await target('web', good.id),
    { task_definition: good.target_task_definition, source: 'steward', deployment_id: good.id })
})

t.test('a rollback that an approval pinned runs that revision and no other, as a rollback', async (t) => {
  const pinned = (await target('web')).task_definition
  const between = await finish('web', { image: `${registry}/web:2.6.0` })
  t.equal(between.status, 'succeeded')
  t.not((await target('web')).task_definition, pinned, 'meanwhile another one would be the newest')
  const back = await finish('web', { rollback_to: pinned })
  t.match(back, { kind: 'rollback', status: 'succeeded', target_task_definition: pinned })
  t.equal((await target('web', 'web:3')).task_definition, arnOf('web:3'), 'family:revision names it as well')
})

t.test('a deployment by others counts: the newest success is found in AWS\'s history', async (t) => {
  const ours = await finish('web', { image: `${registry}/web:2.7.0` })
  for (const taskDefinition of ['web:1', 'web:2']) {
    await (await ecs()).updateService({ cluster: 'prod', service: 'web', taskDefinition })
    for (let i = 0; i < 12; i++) await sandbox.advance(5_000)
  }
  t.match(await target('web'), { task_definition: arnOf('web:1'), source: 'aws' })
  t.ok(ours.target_task_definition)
})

t.test('a history that cannot be read is that error, and names what our own records have', async (t) => {
  const ours = await finish('web', { image: `${registry}/web:2.8.0` })
  await finish('web', { image: `${registry}/web:2.9.0` })
  await sandbox.deny('ecs:ListServiceDeployments')
  const denied = await target('web')
  t.match(denied, {
    status: 403, code: 'aws_permission_denied', missing_permission: { action: 'ecs:ListServiceDeployments' }
  })
  t.match(denied.detail, /^AWS's history of the service could not be read: User: .* is not authorized/)
  t.ok(denied.detail.endsWith(`Our own records have ${ours.target_task_definition.split('/')[1]}: ` +
    `say rollback_to: ${ours.id} to run it.`), denied.detail)
  t.match(await deploy('web', { rollback_to: 'previous' }), { status: 403, code: 'aws_permission_denied' })
  t.equal(await dryRun('web', ours.id), ours.target_task_definition, 'and that works')
  t.equal(await dryRun('web', ours.target_task_definition), ours.target_task_definition, 'pinned as well')
  await sandbox.deny()
  await sandbox.deny('ecs:DescribeServiceRevisions')
  t.match(await target('web'), { status: 403, code: 'aws_permission_denied' })
  await sandbox.deny()
  await sandbox.fault({ kind: 'error_500', operation: 'ListServiceDeployments', times: 0 })
  t.match(await target('web'), { status: 502, code: 'aws_error' })
  t.match(await target('search'), { detail: /Say task_definition to name the revision yourself\.$/ })
})

t.test('where the endpoint keeps no history, our own records are the history', async (t) => {
  const ours = await finish('web', { image: `${registry}/web:3.0.0` })
  await finish('web', { image: `${registry}/web:3.1.0` })
  await sandbox.fault({
    kind: 'error', operation: 'ListServiceDeployments', code: 'UnknownOperationException', status: 400, times: 0
  })
  t.match(await target('web'),
    { task_definition: ours.target_task_definition, source: 'steward', deployment_id: ours.id })
})

t.test('a deregistered revision is passed over, and named', async (t) => {
  const newer = await finish('web', { image: `${registry}/web:4.0.0` })
  await finish('web', { image: `${registry}/web:4.1.0` })
  const before = newer.previous_task_definition
  t.equal((await target('web')).task_definition, newer.target_task_definition)
  await (await ecs()).deregisterTaskDefinition({ taskDefinition: newer.target_task_definition })
  const { task_definition: chosen, passed_over: passed } = await target('web')
  t.same([chosen, passed], [before, [newer.target_task_definition.split('/')[1]]])
  t.match(await target('web', newer.id),
    { status: 409, code: 'no_rollback_target', detail: /succeeded, but AWS has it deregistered/ })
})

t.test('with no other success there is nothing to go back to, and the error says so', async (t) => {
  t.match(await target('search'), {
    status: 409,
    code: 'no_rollback_target',
    detail: /^No revision but search:\d+ is known to have run successfully$/
  })
  t.match(await target('nothing'), { status: 404, code: 'service_not_found' })
})
