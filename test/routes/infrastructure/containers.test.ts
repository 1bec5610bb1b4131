import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const get = (url: string) => app.inject({ url, headers: asAdmin })
const service = (ref: string) => get(`/infrastructure/containers/services/${encodeURIComponent(ref)}`)
const scale = (ref: string, payload: object) => app.inject({
  method: 'POST',
  url: `/infrastructure/containers/services/${encodeURIComponent(ref)}/scale`,
  headers: asAdmin,
  payload
})
const account = (await get('/cloud/accounts')).json().items[0]
const prod = `${account.id}~eu-west-1~prod`

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
  app.aws.inventory.forget('')
})

t.test('clusters of all accounts and regions', async (t) => {
  const answer = await get('/infrastructure/containers/clusters')
  t.equal(answer.statusCode, 200)
  const { items, ...rest } = answer.json()
  t.same(rest, { next_cursor: null, partial: false, errors: [] })
  t.same(items.map(({ name, region }: Record<string, string>) => `${region} ${name}`),
    ['eu-west-1 prod', 'us-east-1 staging'])
  t.same(items[0], {
    id: prod,
    arn: 'arn:aws:ecs:eu-west-1:123456789012:cluster/prod',
    name: 'prod',
    account_id: account.id,
    account_name: 'Sandbox',
    environment: null,
    read_only: false,
    region: 'eu-west-1',
    status: 'ACTIVE',
    running_tasks: 8,
    pending_tasks: 0,
    active_services: 5,
    container_instances: 2,
    capacity_providers: ['FARGATE', 'FARGATE_SPOT'],
    container_insights: 'enabled',
    tags: { env: 'prod', team: 'platform' },
    console_url: 'https://eu-west-1.console.aws.amazon.com/ecs/v2/clusters/prod/services?region=eu-west-1'
  })
  t.match(answer.headers, { 'cache-control': 'private', age: /^\d+$/ })
})

t.test('a second list within 30 seconds asks AWS nothing', async (t) => {
  await get('/infrastructure/containers/clusters')
  const before = await sandbox.calls('ListClusters')
  await Promise.all([get('/infrastructure/containers/clusters'), get('/infrastructure/containers/clusters')])
  t.equal(await sandbox.calls('ListClusters'), before)
})

t.test('a list goes on where its page ended', async (t) => {
  const first = (await get('/infrastructure/containers/clusters?limit=1')).json()
  t.equal(first.items.length, 1)
  const url = `/infrastructure/containers/clusters?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`
  const second = (await get(url)).json()
  t.same([second.items[0].name, second.next_cursor], ['staging', null])
  const foreign = await get(`${url}&region=eu-west-1`)
  t.same([foreign.statusCode, foreign.json().code], [400, 'invalid_cursor'])
})

t.test('one region that fails makes the list partial; all of them make it an error', async (t) => {
  await sandbox.fault({ kind: 'access_denied', operation: 'ListClusters', times: 1 })
  const { items, partial, errors } = (await get('/infrastructure/containers/clusters')).json()
  t.same([items.length, partial, errors.length, errors[0].code], [1, true, 1, 'aws_permission_denied'])
  app.aws.inventory.forget('')
  await sandbox.deny('ecs:ListClusters')
  const answer = await get('/infrastructure/containers/clusters')
  t.match(answer.json(), {
    status: 403,
    code: 'aws_permission_denied',
    account_id: account.id,
    aws: { service: 'ecs', operation: 'ListClusters', code: 'AccessDeniedException', http_status: 400 },
    missing_permission: { action: 'ecs:ListClusters', cause: 'identity_policy' }
  })
})

t.test('the services of a cluster, by its id, its ARN and its name', async (t) => {
  for (const reference of [prod, 'arn:aws:ecs:eu-west-1:123456789012:cluster/prod', 'prod']) {
    const answer = await get(`/infrastructure/containers/clusters/${encodeURIComponent(reference)}/services`)
    t.same(answer.json().items?.map(({ name }: { name: string }) => name),
      ['api', 'node-agent', 'search', 'web', 'worker'], reference)
  }
  const missing = await get('/infrastructure/containers/clusters/nowhere/services')
  t.same([missing.statusCode, missing.json().code], [404, 'cluster_not_found'])
  const gone = await get(`/infrastructure/containers/clusters/${account.id}~eu-west-1~gone/services`)
  t.same([gone.statusCode, gone.json().code], [404, 'cluster_not_found'])
})

t.test('one service, by its id, its ARN, cluster/name and its name', async (t) => {
  for (const reference of [`${prod}~web`, 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'prod/web', 'web']) {
    const answer = await service(reference)
    t.same([answer.statusCode, answer.json().id], [200, `${prod}~web`], reference)
  }
  const { deployments, events, ...rest } = (await service('web')).json()
  const { images, tasks } = rest
  t.equal(tasks.length, 2)
  t.match(tasks[0], {
    id: /^[0-9a-f]{32}$/,
    status: 'running',
    task_definition: 'web:3',
    availability_zone: /^eu-west-1[abc]$/,
    private_address: /^10\.0\.\d+\.\d+$/,
    started_at: /^\d{4}-/
  })
  t.match(images[0].digest, /^sha256:[0-9a-f]{64}$/)
  t.equal(deployments.length, 1)
  t.equal(events.length, 8)
  t.same(rest, {
    id: `${prod}~web`,
    arn: 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web',
    name: 'web',
    cluster: 'prod',
    cluster_id: prod,
    account_id: account.id,
    account_name: 'Sandbox',
    environment: null,
    read_only: false,
    region: 'eu-west-1',
    status: 'ACTIVE',
    health: 'healthy',
    health_reason: null,
    desired_count: 2,
    running_count: 2,
    pending_count: 0,
    scheduling: 'REPLICA',
    launch_type: 'FARGATE',
    controller: 'ECS',
    strategy: 'ROLLING',
    task_definition: { arn: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3', family: 'web', revision: 3 },
    images: [{ ...images[0], container: 'web', image: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:2.4.0' }],
    circuit_breaker: { enabled: true, rollback: true },
    autoscaling: null,
    autoscaling_known: true,
    deployable: true,
    console_url: 'https://eu-west-1.console.aws.amazon.com/ecs/v2/clusters/prod/services/web?region=eu-west-1',
    current_deployment: null,
    recent_failures: [],
    tasks,
    task_size: { cpu_units: 256, memory_mb: 512 },
    ports: [{ container: 'web', port: 8080, protocol: 'tcp', load_balancer: 'web' }],
    logs: { available: true, reason: null },
    notes: []
  })
})

t.test('a crash loop says why', async (t) => {
  const answer = (await service('worker')).json()
  t.equal(answer.health, 'down')
  t.match(answer.health_reason, /0 of 2 tasks run.*exit code 1/)
  t.match(answer.recent_failures,
    [{ stop_code: 'EssentialContainerExited', containers: [{ exit_code: 1 }], count: 12 }])
})

t.test('what is not there is a 404, whatever it was called by', async (t) => {
  const foreign = '01890000-0000-7000-8000-000000000000~eu-west-1~prod~web'
  for (const reference of ['nothing', `${prod}~nothing`, foreign, 'not-an-id~eu-west-1~prod~web', `${prod}~web~more`,
    'arn:aws:ecs:eu-west-1:999999999999:service/prod/web', `${account.id}~ap-south-1~prod~web`]) {
    const answer = await service(reference)
    t.same([answer.statusCode, answer.json().code], [404, 'service_not_found'], reference)
  }
})

t.test('a name that two accounts have is ambiguous and names the candidates', async (t) => {
  const second = (await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Twin', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  })).json()
  const answer = await service('web')
  t.match(answer.json(), { status: 409, code: 'ambiguous_identifier' })
  t.same(answer.json().candidates, [`${prod}~web`, `${second.id}~eu-west-1~prod~web`].sort())
  const arn = await service('arn:aws:ecs:eu-west-1:123456789012:service/prod/web')
  t.equal(arn.json().code, 'ambiguous_identifier')
  const narrowed = await get(`/infrastructure/containers/clusters/prod/services?account_id=${account.id}`)
  t.equal(narrowed.statusCode, 200)
  const gone = await app.inject({ method: 'DELETE', url: `/cloud/accounts/${second.id}`, headers: asAdmin })
  t.equal(gone.statusCode, 204)
})

t.test('scaling sets the count and returns the old and the new one', async (t) => {
  const answer = await scale('web', { desired_count: 4 })
  t.equal(answer.statusCode, 200)
  const { requested_at: at, ...rest } = answer.json()
  t.ok(Date.parse(at))
  t.same(rest, {
    service_id: `${prod}~web`,
    previous_count: 2,
    desired_count: 4,
    running_count: 2,
    pending_count: 2,
    changed: true,
    autoscaling: null,
    warnings: []
  })
  const again = (await scale('web', { desired_count: 4 })).json()
  t.same([again.previous_count, again.desired_count, again.changed], [4, 4, false])
  const now = (await get('/infrastructure/containers/clusters/prod/services')).json().items
  t.equal(now.find(({ name }: { name: string }) => name === 'web').desired_count, 4, 'a write makes the list stale')
  t.equal(await sandbox.calls('UpdateService'), 1)
})

t.test('a count outside the range of autoscaling is refused unless the caller says what to do', async (t) => {
  const refused = await scale('api', { desired_count: 12 })
  t.match(refused.json(), { status: 409, code: 'autoscaling_conflict', autoscaling: { min: 1, max: 10 } })
  const adjusted = (await scale('api', { desired_count: 12, autoscaling: 'adjust' })).json()
  t.match(adjusted, { desired_count: 12, changed: true })
  t.same(adjusted.autoscaling, { min: 1, max: 12, action: 'bounds_changed' }, 'what AWS now has')
  t.same((await service('api')).json().autoscaling, { min: 1, max: 12, suspended: false })
  await sandbox.fault({ kind: 'access_denied', operation: 'DescribeScalableTargets', after: 2, times: 0 })
  const unread = (await scale('api', { desired_count: 14, autoscaling: 'adjust' })).json()
  t.match(unread, { autoscaling: { min: 1, max: 14 }, warnings: [/could not be read back: User: .* is not authorized/] })
  await sandbox.clear()
  const suspended = (await scale('api', { desired_count: 0, autoscaling: 'suspend' })).json()
  t.match(suspended, { desired_count: 0, autoscaling: { action: 'suspended' } })
  t.same((await service('api')).json().autoscaling, { min: 1, max: 14, suspended: true })
  t.match((await service('api')).json(), { health: 'stopped', health_reason: 'The service is scaled to 0' })
})

t.test('what cannot be scaled is refused before AWS is asked', async (t) => {
  const before = await sandbox.calls('UpdateService')
  t.match((await scale('node-agent', { desired_count: 3 })).json(), { status: 409, code: 'not_scalable' })
  t.match((await scale('web', { desired_count: -1 })).json(), { status: 400, code: 'invalid_request' })
  t.match((await scale('web', { desired_count: 501 })).json(), { status: 400, code: 'invalid_request' })
  t.match((await scale('web', { desired_count: '3' })).json(), { status: 400, code: 'invalid_request' })
  t.match((await scale('web', { desired_count: 3, now: true })).json(), { status: 400, code: 'unknown_field' })
  t.match((await scale('nothing', { desired_count: 3 })).json(), { status: 404, code: 'service_not_found' })
  t.equal(await sandbox.calls('UpdateService'), before)
})

t.test('a region that hangs costs one list its time-out, and the next ones hardly anything', async (t) => {
  await sandbox.fault({ kind: 'hang', service: 'ecs', match: 'us-east-1', times: 0 })
  const first = await get('/infrastructure/containers/clusters')
  t.match(first.json(),
    { items: [{ name: 'prod' }], partial: true, errors: [{ region: 'us-east-1', code: 'aws_timeout' }] })
  const began = performance.now()
  const second = await get('/infrastructure/containers/clusters')
  t.match(second.json(), { items: [{ name: 'prod' }], partial: true })
  t.ok(performance.now() - began < 2_000)
})

t.test('without credentials everything is refused', async (t) => {
  const answer = await app.inject('/infrastructure/containers/clusters')
  t.same([answer.statusCode, answer.json().code], [401, 'unauthenticated'])
})
