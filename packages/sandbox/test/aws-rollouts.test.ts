import {
  CreateServiceCommand, DescribeServiceDeploymentsCommand, DescribeServiceRevisionsCommand,
  DescribeTaskDefinitionCommand, DescribeTasksCommand, ECSClient, ListServiceDeploymentsCommand, ListTasksCommand,
  RegisterTaskDefinitionCommand, StopServiceDeploymentCommand, UpdateServiceCommand, type Service
} from '@aws-sdk/client-ecs'
import t, { type Test } from '../../../test/tap.js'
import { readService, setUp } from './aws-setup.js'

async function prepare (t: Test) {
  const { config, advance } = await setUp(t)
  const ecs = new ECSClient(config)
  const register = async (tag: string, family = 'web') => {
    const { taskDefinition } = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: family }))
    const containerDefinitions = taskDefinition!.containerDefinitions!.map((one) =>
      one.name === family ? { ...one, image: `registry.example/${family}:${tag}` } : one
    )
    const { family: name, cpu, memory, requiresCompatibilities } = taskDefinition!
    const { taskDefinition: made } = await ecs.send(
      new RegisterTaskDefinitionCommand({ family: name, cpu, memory, requiresCompatibilities, containerDefinitions })
    )
    return made!.taskDefinitionArn!
  }
  const deploy = async (tag: string, more = {}): Promise<Service> => {
    const taskDefinition = await register(tag)
    const { service } = await ecs.send(
      new UpdateServiceCommand({ cluster: 'prod', service: 'web', taskDefinition, ...more })
    )
    return service!
  }
  const web = () => readService(ecs, 'prod', 'web')
  const record = async (service: Service) => {
    const { serviceDeployments } = await ecs.send(
      new DescribeServiceDeploymentsCommand({
        serviceDeploymentArns: [service.currentServiceDeployment!]
      })
    )
    return serviceDeployments![0]!
  }
  const stopped = async (deploymentId: string) => {
    const { taskArns } = await ecs.send(
      new ListTasksCommand({ cluster: 'prod', startedBy: deploymentId, desiredStatus: 'STOPPED' })
    )
    const { tasks } = await ecs.send(new DescribeTasksCommand({ cluster: 'prod', tasks: taskArns }))
    return tasks!
  }
  return { ecs, advance, register, deploy, web, record, stopped }
}

t.test('a rollout that succeeds', async (t) => {
  const { advance, deploy, web, record } = await prepare(t)
  const before = await web()
  const begun = await deploy('ok')
  t.match(begun.deployments, [
    { status: 'PRIMARY', rolloutState: 'IN_PROGRESS', desiredCount: 2, runningCount: 0 },
    { id: before.deployments![0]!.id, status: 'ACTIVE', runningCount: 2 }
  ])
  t.match(await record(begun), { status: 'PENDING' })
  await advance(1000)
  t.match(await record(begun), {
    status: 'IN_PROGRESS',
    deploymentCircuitBreaker: { status: 'MONITORING', failureCount: 0, threshold: 3 }
  })
  t.match(await web(), { runningCount: 2, pendingCount: 2 })
  await advance(1000)
  t.match(await web(), { runningCount: 4, pendingCount: 0 }, 'the old ones run until the new ones are healthy')
  await advance(5000)
  const done = await web()
  t.equal(done.deployments!.length, 1)
  t.match(done, {
    runningCount: 2,
    taskDefinition: /web:4$/,
    deployments: [{ id: begun.deployments![0]!.id, rolloutState: 'COMPLETED', rolloutStateReason: /completed\.$/ }]
  })
  t.match(await record(begun), { status: 'SUCCESSFUL', finishedAt: Date, sourceServiceRevisions: [{ arn: String }] })
  t.match(
    done.events?.slice(0, 2).map((one) => one.message),
    [/steady state/, /deployment completed/]
  )
})

const FAILURES = [
  {
    tag: 'crash',
    stopCode: 'EssentialContainerExited',
    stoppedReason: /^Essential container in task exited$/,
    exitCode: 1
  },
  { tag: 'oom', stopCode: 'EssentialContainerExited', stoppedReason: /^OutOfMemoryError/, exitCode: 137 },
  {
    tag: 'nopull',
    stopCode: 'TaskFailedToStart',
    stoppedReason: /^CannotPullContainerError: .*not found$/,
    exitCode: undefined
  },
  {
    tag: 'unhealthy',
    stopCode: 'ServiceSchedulerInitiated',
    stoppedReason: /failed container health checks/,
    exitCode: 137
  },
  { tag: '4f2a91c-crash', stopCode: 'EssentialContainerExited', stoppedReason: /exited/, exitCode: 1 }
]

for (const { tag, stopCode, stoppedReason, exitCode } of FAILURES) {
  t.test(`an image that ends in ${tag} is rolled back by the breaker`, async (t) => {
    const { advance, deploy, web, record, stopped } = await prepare(t)
    const before = await web()
    const begun = await deploy(tag)
    const id = begun.deployments![0]!.id!
    await advance(30_000)
    const after = await web()
    t.equal(after.deployments!.length, 1)
    t.not(after.deployments![0]!.id, before.deployments![0]!.id)
    t.match(after, {
      taskDefinition: before.taskDefinition,
      runningCount: 2,
      deployments: [{ rolloutState: 'COMPLETED' }]
    })
    t.equal(after.currentServiceDeployment, begun.currentServiceDeployment)
    t.match(await record(after), {
      status: 'ROLLBACK_SUCCESSFUL',
      statusReason: /tasks failed to start/,
      rollback: { reason: /rolling back/, startedAt: Date, serviceRevisionArn: /service-revision/ },
      deploymentCircuitBreaker: { status: 'TRIGGERED', threshold: 3 }
    })
    const tasks = (await stopped(id)).filter((one) => one.stopCode === stopCode)
    t.match(tasks[0], { stopCode, stoppedReason, lastStatus: 'STOPPED' })
    t.equal(tasks[0]!.containers![0]!.exitCode, exitCode)
    t.ok(after.events!.some((one) => /deployment failed: tasks failed to start/.test(one.message!)))
  })
}

t.test('the failed deployment is listed while the rollback runs', async (t) => {
  const { advance, deploy, web } = await prepare(t)
  await deploy('crash')
  await advance(300)
  for (let i = 0; i < 40; i++) {
    await advance(250)
    const [first, second] = (await web()).deployments!
    if (first!.rolloutStateReason!.includes('rolling back')) {
      t.match(first, { status: 'PRIMARY', rolloutState: 'IN_PROGRESS' })
      t.match(second, {
        status: 'ACTIVE',
        rolloutState: 'FAILED',
        rolloutStateReason: 'ECS deployment circuit breaker: tasks failed to start.'
      })
      return
    }
  }
  t.fail('the breaker never tripped')
})

t.test('a breaker that does not roll back leaves the old tasks running', async (t) => {
  const { advance, deploy, web, record } = await prepare(t)
  const begun = await deploy('crash', {
    deploymentConfiguration: { deploymentCircuitBreaker: { enable: true, rollback: false } }
  })
  await advance(30_000)
  const after = await web()
  t.match(after.deployments, [
    { id: begun.deployments![0]!.id, status: 'PRIMARY', rolloutState: 'FAILED' },
    { status: 'ACTIVE' }
  ])
  t.equal(after.runningCount, 2)
  t.match(await record(after), { status: 'STOPPED' })
})

t.test('without a breaker it is tried for ever', async (t) => {
  const { advance, deploy, web } = await prepare(t)
  await deploy('crash', { deploymentConfiguration: { deploymentCircuitBreaker: { enable: false, rollback: false } } })
  await advance(600_000)
  const after = await web()
  t.match(after.deployments![0], { rolloutState: 'IN_PROGRESS' })
  t.ok(after.deployments![0]!.failedTasks! > 10)
  t.equal(after.runningCount, 2)
})

t.test('a crash loop shows no failed tasks', async (t) => {
  const { advance, deploy, web, stopped } = await prepare(t)
  const begun = await deploy('crashloop')
  await advance(60_000)
  const after = await web()
  t.equal(after.deployments![0]!.rolloutState, 'COMPLETED')
  t.ok((await stopped(begun.deployments![0]!.id!)).length > 0)
})

t.test('a slow one takes its time, and what was never good cannot be gone back to', async (t) => {
  const { ecs, advance, deploy, web, register } = await prepare(t)
  await deploy('slow')
  await advance(20_000)
  t.match((await web()).deployments![0], { rolloutState: 'IN_PROGRESS', pendingCount: 2 })
  await advance(20_000)
  t.match((await web()).deployments![0], { rolloutState: 'COMPLETED' })
  const taskDefinition = await register('crash', 'search')
  await ecs.send(
    new CreateServiceCommand({
      cluster: 'prod',
      serviceName: 'first',
      taskDefinition,
      desiredCount: 2,
      deploymentConfiguration: { deploymentCircuitBreaker: { enable: true, rollback: true } }
    })
  )
  await advance(30_000)
  t.match((await readService(ecs, 'prod', 'first')).deployments, [{ rolloutState: 'FAILED', taskDefinition }])
})

t.test('forcing, superseding, and what starts no deployment', async (t) => {
  const { ecs, advance, deploy, web, record } = await prepare(t)
  const before = await web()
  const update = (more: object) => ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', ...more }))
  await update({ taskDefinition: before.taskDefinition, deploymentConfiguration: { maximumPercent: 150 } })
  t.equal((await web()).deployments![0]!.id, before.deployments![0]!.id)
  t.match((await web()).deploymentConfiguration, { maximumPercent: 150, minimumHealthyPercent: 100 })
  const { service } = await update({ forceNewDeployment: true })
  t.not(service!.deployments![0]!.id, before.deployments![0]!.id)
  t.equal(service!.taskDefinition, before.taskDefinition)
  await advance(1000)
  const second = await deploy('ok')
  t.match(await record(service!), { status: 'STOPPED', statusReason: /superseded/ })
  await advance(30_000)
  t.match((await web()).deployments, [{ id: second.deployments![0]!.id, rolloutState: 'COMPLETED' }])
  t.equal((await web()).deployments!.length, 1)
})

t.test('stopping a rollout', async (t) => {
  const { ecs, advance, deploy, web, record } = await prepare(t)
  const before = await web()
  const stop = (service: Service, stopType?: 'ABORT' | 'ROLLBACK') =>
    ecs.send(
      new StopServiceDeploymentCommand({
        serviceDeploymentArn: service.currentServiceDeployment,
        stopType
      })
    )
  await t.rejects(stop(before), { name: 'ConflictException' })
  await t.rejects(ecs.send(new StopServiceDeploymentCommand({ serviceDeploymentArn: 'arn:aws:ecs:x' })), {
    name: 'ServiceDeploymentNotFoundException'
  })
  const begun = await deploy('slow')
  await advance(2000)
  t.equal((await stop(begun)).serviceDeploymentArn, begun.currentServiceDeployment)
  t.match(await record(begun), { status: 'ROLLBACK_IN_PROGRESS', rollback: { startedAt: Date } })
  await advance(20_000)
  t.match(await record(begun), { status: 'ROLLBACK_SUCCESSFUL' })
  t.match(await web(), { taskDefinition: before.taskDefinition, runningCount: 2 })
  const again = await deploy('slow')
  await stop(again, 'ABORT')
  t.match(await record(again), { status: 'STOPPED' })
})

t.test('the history of a service', async (t) => {
  const { ecs, advance, deploy, register } = await prepare(t)
  const begun = await deploy('ok')
  await advance(10_000)
  const list = (more: object = {}) =>
    ecs.send(new ListServiceDeploymentsCommand({ cluster: 'prod', service: 'web', ...more }))
  const { serviceDeployments } = await list()
  t.equal(serviceDeployments!.length, 4)
  t.match(serviceDeployments![0], { serviceDeploymentArn: begun.currentServiceDeployment, status: 'SUCCESSFUL' })
  const page = await list({ maxResults: 3 })
  t.equal((await list({ maxResults: 3, nextToken: page.nextToken })).serviceDeployments!.length, 1)
  t.equal((await list({ status: ['IN_PROGRESS'] })).serviceDeployments!.length, 0)
  t.equal((await list({ createdAt: { after: new Date(Date.now() - 3600_000) } })).serviceDeployments!.length, 1)
  const { serviceRevisions, failures } = await ecs.send(
    new DescribeServiceRevisionsCommand({
      serviceRevisionArns: [serviceDeployments![0]!.targetServiceRevisionArn!, 'arn:aws:ecs:none']
    })
  )
  t.match(serviceRevisions, [
    { taskDefinition: /web:4$/, containerImages: [{ containerName: 'web', image: 'registry.example/web:ok' }] }
  ])
  t.match(failures, [{ reason: 'MISSING' }])
  const missing = await ecs.send(
    new DescribeServiceDeploymentsCommand({ serviceDeploymentArns: ['arn:aws:ecs:none'] })
  )
  t.match(missing, { serviceDeployments: [], failures: [{ reason: 'MISSING' }] })
  t.match(await register('x'), /web:5$/)
})

t.test('in real time it takes seconds, with no timers', async (t) => {
  const { config } = await setUp(t, {})
  const ecs = new ECSClient(config)
  await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'search', forceNewDeployment: true }))
  const start = Date.now()
  while (Date.now() - start < 15_000) {
    const { deployments } = await readService(ecs, 'prod', 'search')
    if (deployments![0]!.rolloutState === 'COMPLETED') break
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  t.ok(Date.now() - start > 2000)
  t.ok(Date.now() - start < 10_000)
})
