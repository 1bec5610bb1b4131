import {
  ApplicationAutoScalingClient, DeregisterScalableTargetCommand, DescribeScalableTargetsCommand,
  RegisterScalableTargetCommand
} from '@aws-sdk/client-application-auto-scaling'
import {
  CreateClusterCommand, CreateServiceCommand, DeleteServiceCommand, DescribeClustersCommand, DescribeServicesCommand,
  DescribeTasksCommand, ECSClient, ListClustersCommand, ListServicesCommand, ListTasksCommand, UpdateServiceCommand
} from '@aws-sdk/client-ecs'
import t from '../../../test/tap.js'
import { readService, setUp } from './aws-setup.js'

const DIMENSION = { ServiceNamespace: 'ecs', ScalableDimension: 'ecs:service:DesiredCount' } as const

t.test('clusters', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  t.same((await ecs.send(new ListClustersCommand({}))).clusterArns, [
    'arn:aws:ecs:eu-west-1:123456789012:cluster/prod'
  ])
  const plain = await ecs.send(new DescribeClustersCommand({ clusters: ['prod', 'nope'] }))
  t.match(plain.clusters, [
    {
      clusterName: 'prod',
      status: 'ACTIVE',
      runningTasksCount: 8,
      activeServicesCount: 5,
      registeredContainerInstancesCount: 2,
      tags: [],
      settings: []
    }
  ])
  t.match(plain.failures, [{ reason: 'MISSING', arn: 'arn:aws:ecs:eu-west-1:123456789012:cluster/nope' }])
  const full = await ecs.send(new DescribeClustersCommand({ clusters: ['prod'], include: ['TAGS', 'SETTINGS'] }))
  t.match(full.clusters?.[0], {
    tags: [{ key: 'env', value: 'prod' }],
    settings: [{ name: 'containerInsights', value: 'enabled' }]
  })
  const elsewhere = new ECSClient({ ...config, region: 'ap-southeast-2' })
  t.same((await elsewhere.send(new ListClustersCommand({}))).clusterArns, [])
  await t.rejects(ecs.send(new ListClustersCommand({ maxResults: 101 })), { name: 'InvalidParameterException' })
  await t.rejects(ecs.send(new ListClustersCommand({ nextToken: 'x' })), {
    name: 'InvalidParameterException',
    message: 'Invalid token.'
  })
  await t.rejects(ecs.send(new DescribeClustersCommand({ clusters: Array.from({ length: 101 }, String) })), {
    name: 'InvalidParameterException'
  })
})

t.test('services come by ten, and are described by ten', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  await ecs.send(new CreateClusterCommand({ clusterName: 'many' }))
  for (let i = 0; i < 12; i++) {
    await ecs.send(
      new CreateServiceCommand({ cluster: 'many', serviceName: `s${i}`, taskDefinition: 'web', desiredCount: 0 })
    )
  }
  const first = await ecs.send(new ListServicesCommand({ cluster: 'many' }))
  t.equal(first.serviceArns?.length, 10)
  const second = await ecs.send(new ListServicesCommand({ cluster: 'many', nextToken: first.nextToken }))
  t.equal(second.serviceArns?.length, 2)
  t.equal(second.nextToken, undefined)
  const all = await ecs.send(new ListServicesCommand({ cluster: 'many', maxResults: 100 }))
  t.equal(all.serviceArns?.length, 12)
  await t.rejects(ecs.send(new ListServicesCommand({ cluster: 'many', maxResults: 101 })), {
    name: 'InvalidParameterException'
  })
  await t.rejects(ecs.send(new DescribeServicesCommand({ cluster: 'many', services: all.serviceArns })), {
    name: 'InvalidParameterException'
  })
  await t.rejects(ecs.send(new DescribeServicesCommand({ cluster: 'many', services: [] })), {
    name: 'InvalidParameterException'
  })
  await t.rejects(ecs.send(new ListServicesCommand({ cluster: 'nope' })), {
    name: 'ClusterNotFoundException',
    message: 'Cluster not found.'
  })
})

t.test('a service in full', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  const arn = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
  const { services, failures } = await ecs.send(
    new DescribeServicesCommand({ cluster: 'prod', services: [arn, 'nope'] })
  )
  t.match(failures, [{ arn: 'arn:aws:ecs:eu-west-1:123456789012:service/prod/nope', reason: 'MISSING' }])
  const web = services![0]!
  t.match(web, {
    serviceArn: arn,
    status: 'ACTIVE',
    desiredCount: 2,
    runningCount: 2,
    pendingCount: 0,
    launchType: 'FARGATE',
    schedulingStrategy: 'REPLICA',
    taskDefinition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3',
    deploymentController: { type: 'ECS' },
    deploymentConfiguration: { strategy: 'ROLLING', deploymentCircuitBreaker: { enable: true, rollback: true } },
    deployments: [{ status: 'PRIMARY', rolloutState: 'COMPLETED', desiredCount: 2, runningCount: 2, failedTasks: 0 }],
    currentServiceDeployment: /service-deployment\/prod\/web\//
  })
  t.equal(web.tags, undefined)
  t.ok(web.createdAt! < new Date())
  t.match(web.events?.[0]?.message, /has reached a steady state/)
  t.match(await readService(ecs, 'prod', 'web'), { tags: [{ key: 'team', value: 'web' }] })
})

t.test('the failing service has the reasons in its events', async (t) => {
  const { config, advance } = await setUp(t)
  const ecs = new ECSClient(config)
  const worker = await readService(ecs, 'prod', 'worker')
  t.match(worker, {
    desiredCount: 2,
    runningCount: 0,
    deployments: [{ rolloutState: 'IN_PROGRESS', failedTasks: 12 }]
  })
  t.ok(worker.events?.some((one) => /unable to consistently start tasks/.test(one.message ?? '')))
  const stopped = async () =>
    (await ecs.send(new ListTasksCommand({ cluster: 'prod', serviceName: 'worker', desiredStatus: 'STOPPED' })))
      .taskArns!
  const { tasks } = await ecs.send(new DescribeTasksCommand({ cluster: 'prod', tasks: await stopped() }))
  t.match(tasks![0], {
    lastStatus: 'STOPPED',
    stopCode: 'EssentialContainerExited',
    stoppedReason: 'Essential container in task exited',
    group: 'service:worker',
    startedBy: worker.deployments![0]!.id,
    containers: [{ name: 'worker', exitCode: 1, lastStatus: 'STOPPED', image: /worker:1\.4\.2-crash/ }]
  })
  await advance(3 * 3600_000)
  t.ok((await stopped()).length <= 130, 'stopped tasks are kept for an hour')
  t.ok((await readService(ecs, 'prod', 'worker')).events!.length <= 100)
})

t.test('tasks', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  const web = await readService(ecs, 'prod', 'web')
  const { taskArns } = await ecs.send(new ListTasksCommand({ cluster: 'prod', serviceName: 'web' }))
  t.equal(taskArns?.length, 2)
  const byDeployment = await ecs.send(new ListTasksCommand({ cluster: 'prod', startedBy: web.deployments![0]!.id }))
  t.same(byDeployment.taskArns, taskArns)
  const page = await ecs.send(new ListTasksCommand({ cluster: 'prod', maxResults: 5 }))
  t.equal(page.taskArns?.length, 5)
  t.equal((await ecs.send(new ListTasksCommand({ cluster: 'prod', nextToken: page.nextToken }))).taskArns?.length, 3)
  const { tasks, failures } = await ecs.send(
    new DescribeTasksCommand({ cluster: 'prod', tasks: [...taskArns!, 'gone'] })
  )
  t.match(tasks?.[0], {
    lastStatus: 'RUNNING',
    desiredStatus: 'RUNNING',
    healthStatus: 'HEALTHY',
    containers: [
      { name: 'web', image: /web:2\.4\.0$/, imageDigest: /^sha256:[0-9a-f]{64}$/, healthStatus: 'HEALTHY' }
    ]
  })
  t.match(failures, [{ reason: 'MISSING' }])
  await t.rejects(ecs.send(new DescribeTasksCommand({ cluster: 'prod', tasks: [] })), {
    name: 'InvalidParameterException',
    message: 'Tasks cannot be empty.'
  })
  await t.rejects(
    ecs.send(new DescribeTasksCommand({ cluster: 'prod', tasks: Array.from({ length: 101 }, String) })),
    { name: 'InvalidParameterException' }
  )
})

t.test('scaling changes the desired count at once and the running count a moment later', async (t) => {
  const { config, advance } = await setUp(t)
  const ecs = new ECSClient(config)
  const before = await readService(ecs, 'prod', 'web')
  const { service } = await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 4 }))
  t.match(service, { desiredCount: 4, runningCount: 2, pendingCount: 2 })
  await advance(4000)
  const after = await readService(ecs, 'prod', 'web')
  t.match(after, { desiredCount: 4, runningCount: 4, pendingCount: 0 })
  t.equal(after.deployments![0]!.id, before.deployments![0]!.id, 'no deployment was started')
  t.match(
    after.events?.slice(0, 2).map((one) => one.message),
    [
      '(service web) has reached a steady state.',
      /^\(service web\) has started 2 tasks: \(task [0-9a-f]{32}\) \(task [0-9a-f]{32}\)\.$/
    ]
  )
  await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 0 }))
  await advance(2000)
  t.match(await readService(ecs, 'prod', 'web'), { desiredCount: 0, runningCount: 0 })
})

t.test('updates that are refused', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  const update = (service: string, more: object, client = ecs, cluster = 'prod') =>
    client.send(new UpdateServiceCommand({ cluster, service, ...more }))
  await t.rejects(update('nope', { desiredCount: 1 }), { name: 'ServiceNotFoundException' })
  await t.rejects(update('web', { taskDefinition: 'web:99' }), {
    name: 'ClientException',
    message: 'TaskDefinition not found.'
  })
  await t.rejects(update('web', { desiredCount: -1 }), { name: 'InvalidParameterException' })
  await t.rejects(update('node-agent', { desiredCount: 3 }), { message: /daemon scheduling strategy/ })
  const virginia = new ECSClient({ ...config, region: 'us-east-1' })
  await t.rejects(update('checkout-staging', { forceNewDeployment: true }, virginia, 'staging'), {
    message: /CODE_DEPLOY/
  })
})

t.test('services are made and deleted', async (t) => {
  const { config, advance } = await setUp(t)
  const ecs = new ECSClient(config)
  const create = () =>
    ecs.send(
      new CreateServiceCommand({ cluster: 'prod', serviceName: 'new', taskDefinition: 'web', desiredCount: 1 })
    )
  await create()
  await t.rejects(create(), { message: 'Creation of service was not idempotent.' })
  await advance(5000)
  t.match(await readService(ecs, 'prod', 'new'), { runningCount: 1, deployments: [{ rolloutState: 'COMPLETED' }] })
  await t.rejects(ecs.send(new DeleteServiceCommand({ cluster: 'prod', service: 'new' })), {
    name: 'InvalidParameterException'
  })
  const { service } = await ecs.send(new DeleteServiceCommand({ cluster: 'prod', service: 'new', force: true }))
  t.equal(service?.status, 'DRAINING')
  await advance(3000)
  t.match(await readService(ecs, 'prod', 'new'), { status: 'INACTIVE', runningCount: 0 })
  await t.rejects(ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'new', desiredCount: 1 })), {
    name: 'ServiceNotActiveException'
  })
})

t.test('autoscaling', async (t) => {
  const { config, advance } = await setUp(t)
  const ecs = new ECSClient(config)
  const scaling = new ApplicationAutoScalingClient(config)
  const describe = (ids?: string[]) =>
    scaling.send(new DescribeScalableTargetsCommand({ ServiceNamespace: 'ecs', ResourceIds: ids }))
  const register = (ResourceId: string, more: object) =>
    scaling.send(new RegisterScalableTargetCommand({ ...DIMENSION, ResourceId, ...more }))
  t.match((await describe()).ScalableTargets, [
    {
      ResourceId: 'service/prod/api',
      MinCapacity: 1,
      MaxCapacity: 10,
      SuspendedState: {
        DynamicScalingInSuspended: false,
        DynamicScalingOutSuspended: false,
        ScheduledScalingSuspended: false
      }
    }
  ])
  t.same((await describe(['service/prod/web'])).ScalableTargets, [])
  await register('service/prod/api', { SuspendedState: { DynamicScalingInSuspended: true } })
  t.match((await describe()).ScalableTargets, [
    { MinCapacity: 1, MaxCapacity: 10, SuspendedState: { DynamicScalingInSuspended: true } }
  ])
  await register('service/prod/api', { MinCapacity: 5, MaxCapacity: 8 })
  t.equal((await readService(ecs, 'prod', 'api')).desiredCount, 5, 'new bounds move the capacity')
  await advance(5000)
  t.equal((await readService(ecs, 'prod', 'api')).runningCount, 5)
  await t.rejects(register('service/prod/nope', { MinCapacity: 1, MaxCapacity: 2 }), { name: 'ValidationException' })
  await t.rejects(register('service/prod/web', { MinCapacity: 1 }), { name: 'ValidationException' })
  await t.rejects(register('service/prod/web', { MinCapacity: 3, MaxCapacity: 2 }), { name: 'ValidationException' })
  await t.rejects(scaling.send(new DescribeScalableTargetsCommand({ ServiceNamespace: 'ecs', MaxResults: 51 })), {
    name: 'ValidationException'
  })
  await scaling.send(new DeregisterScalableTargetCommand({ ...DIMENSION, ResourceId: 'service/prod/api' }))
  t.same((await describe()).ScalableTargets, [])
})
