import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import { CodeBuild } from '@aws-sdk/client-codebuild'
import { ECS } from '@aws-sdk/client-ecs'
import { Lambda } from '@aws-sdk/client-lambda'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { misfits, shapeOf } from '../../aws-model.js'
import { aws } from '../../consent/infrastructure.js'
import { CATALOG } from '../../../packages/sandbox/src/aws/server/catalog.js'
import { accountOf, actor, keepRolling, makeApp, registry, run, runnerOf, sha, until } from '../deployments/actors.js'
import { steer } from '../infrastructure/sandbox.js'

// What Steward asks AWS, and what the sandbox answers, compared with AWS's own models: both were written here.

const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const { json, post } = actor(app)

interface Sent { service: string, operation: string, params: Record<string, unknown>, answer?: unknown, executed: boolean }
const seen = new Map<string, Sent[]>()
/** Takes the calls out of the sandbox's journal, which keeps some thousand. */
const take = async () => {
  const { calls } = await sandbox.call<{ calls: Sent[] }>('GET', '/calls')
  for (const call of calls) {
    const name = `${call.service}:${call.operation}`
    seen.set(name, [...seen.get(name) ?? [], call])
  }
  await sandbox.call('DELETE', '/calls')
}

const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.payload}`)
  return answer.json()
}
const containers = '/infrastructure/containers'
const functions = '/infrastructure/serverless/functions'

t.test('the check finds what is wrong', async (t) => {
  const wrong = { build: { id: 1, startTime: 'today', phases: [{ phaseType: 'BUILD', color: 'red' }] } }
  t.same(misfits(shapeOf('codebuild', 'StartBuild', 'output'), wrong, ''), [
    '/build/id is 1, not of type 0', '/build/startTime is "today", not of type 4', '/build/phases/0 has color, which the model has not'
  ])
  t.same(misfits(shapeOf('codebuild', 'StartBuild', 'input'), {}, ''), [' lacks projectName'])
  const alias = { FunctionVersion: 1, RoutingConfig: { AdditionalVersionWeights: { 2: 'half' } }, Weight: 1 }
  t.same(misfits(shapeOf('lambda', 'UpdateAlias', 'output'), alias, ''), [
    '/FunctionVersion is 1, not of type 0', '/RoutingConfig/AdditionalVersionWeights/2 is "half", not of type 1',
    ' has Weight, which the model has not'
  ])
  t.throws(() => shapeOf('lambda', 'MoveAlias', 'input'), /no operation MoveAlias/)
})

t.test('everything that a person reads of an account', async () => {
  await sandbox.call('PUT', '/answers', { kept: true })
  const account = await accountOf(app)
  await ask('POST', `/cloud/accounts/${account}/test`)
  await ask('GET', `${containers}/clusters`)
  await ask('GET', `${containers}/clusters/prod/services?limit=100`)
  for (const service of ['web', 'api', 'search']) {
    await ask('GET', `${containers}/services/${service}`)
    await ask('GET', `${containers}/services/${service}/deployments`)
    await ask('GET', `${containers}/services/${service}/logs?since=1h`)
    await ask('GET', `${containers}/services/${service}/metrics`)
    await ask('GET', `${containers}/services/${service}/diagnosis`)
    await ask('GET', `${containers}/services/${service}/tasks`)
  }
  await ask('GET', '/infrastructure/alarms')
  await ask('GET', functions)
  for (const name of ['echo', 'pdf-render', 'order-webhook']) {
    await ask('GET', `${functions}/${name}`)
    await ask('GET', `${functions}/${name}/logs?since=1h`)
    await ask('GET', `${functions}/${name}/metrics`)
  }
  await ask('GET', `${functions}/order-webhook?qualifier=live`)
  await ask('GET', '/cloud/costs?group_by=SERVICE')
  await ask('GET', '/cloud/costs/changes')
  await ask('GET', '/cloud/costs/tags')
  await take()
})

t.test('every change of a service and of a function', async (t) => {
  const stop = keepRolling(t, app)
  await ask('POST', `${containers}/services/web/scale`, { desired_count: 3 })
  await ask('POST', `${containers}/services/api/scale`, { desired_count: 3 })
  const { items: [task] } = await ask('GET', `${containers}/services/search/tasks?state=running`)
  await ask('POST', `${containers}/services/search/tasks/${task.id}/stop`, {})
  for (const image of [`${registry}/web:6-slow`, `${registry}/web:7`]) {
    const made = await ask('POST', `${containers}/services/web/deploy`, { image })
    const path = `${containers}/services/web/deployments/${made.id}`
    if (image.endsWith('slow')) {
      await until(() => ask('GET', path), ({ status }) => status === 'in_progress')
      await ask('POST', `${path}/cancel`)
    }
    await until(() => ask('GET', path), ({ finished_at: at }) => at !== null)
  }
  await ask('GET', `${containers}/services/web/rollback-target`)
  for (const mode of ['sync', 'async', 'dry_run']) await ask('POST', `${functions}/echo/invoke`, { payload: { a: 1 }, mode })
  await ask('POST', `${functions}/pdf-render/deploy`, { image: `${registry}/pdf-render:1-ok` })
  await until(() => ask('GET', `${functions}/pdf-render`), ({ last_update: update }) => update.status === 'successful')
  await ask('POST', `${functions}/pdf-render/aliases/live/move`, {})
  await stop()
  await take()
})

t.test('builds of CodeBuild that succeed, fail and are stopped', async (t) => {
  const stop = keepRolling(t, app)
  const of = (project: string) => makeApp(app, project, { builder: { kind: 'codebuild', project } })
  const [good, bad, stuck] = [await of('web-image'), await of('web-image-broken'), await of('web-image-stuck')]
  for (const shop of [good, bad]) {
    t.equal((await actor(app).get(`/apps/${shop.id}/preview?commit=${sha('a')}`)).statusCode, 200)
    await (await run(app, shop.id, { commit: sha('a') })).taken?.ended
  }
  const { path, taken } = await run(app, stuck.id, { commit: sha('b') })
  await until(() => json(path), ({ run: found }) => found?.id != null)
  await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  await taken?.ended
  await stop()
  await take()
})

t.test('what others ask, and Steward does not', async () => {
  // What nobody finds is part of an answer, too.
  const client = new CodeBuild(aws(app))
  await client.batchGetProjects({ names: ['web-image', 'nope'] })
  await client.batchGetBuilds({ ids: ['web-image:nope'] })
  const lambda = new Lambda(aws(app))
  const [name, alias] = ['pdf-render', 'live']
  const { FunctionVersion } = await lambda.getAlias({ FunctionName: name, Name: alias })
  const { Versions = [] } = await lambda.listVersionsByFunction({ FunctionName: name })
  const other = Versions.find(({ Version }) => Version !== '$LATEST' && Version !== FunctionVersion)?.Version ?? ''
  const AdditionalVersionWeights = { [other]: 0.1 }
  await lambda.updateAlias({ FunctionName: name, Name: alias, FunctionVersion, RoutingConfig: { AdditionalVersionWeights } })
  await lambda.createAlias({ FunctionName: name, Name: 'beta', FunctionVersion: other })
  await lambda.listTags({ Resource: (await lambda.getFunction({ FunctionName: name })).Configuration?.FunctionArn })
  const ecs = new ECS(aws(app))
  const { services = [] } = await ecs.describeServices({ cluster: 'prod', services: ['web'] })
  const { taskDefinition } = services[0] ?? {}
  await ecs.createCluster({ clusterName: 'spare' })
  await ecs.createService({ cluster: 'spare', serviceName: 'spare', taskDefinition, desiredCount: 1 })
  await ecs.deleteService({ cluster: 'spare', service: 'spare', force: true })
  await ecs.listTaskDefinitions({ familyPrefix: 'web', sort: 'DESC' })
  await ecs.deregisterTaskDefinition({ taskDefinition: 'web:1' })
  const logs = new CloudWatchLogs(aws(app))
  const { logGroups = [] } = await logs.describeLogGroups({ logGroupNamePrefix: '/' })
  await logs.createLogGroup({ logGroupName: '/spare' })
  const group = { logGroupName: logGroups.find(({ logGroupClass }) => logGroupClass === 'STANDARD')?.logGroupName }
  const { logStreams = [] } = await logs.describeLogStreams(group)
  await logs.getLogEvents({ ...group, logStreamName: logStreams[0]?.logStreamName })
  await new ApplicationAutoScaling(aws(app)).deregisterScalableTarget(
    { ServiceNamespace: 'ecs', ScalableDimension: 'ecs:service:DesiredCount', ResourceId: 'service/prod/api' })
  await take()
})

/** Its answer is a stream of events, which the SDK reads in the tests of live logs; one of XML, as every sign-in reads it. */
const notCompared = ['logs:StartLiveTail', 'sts:AssumeRole']

t.test('is as AWS describes it', async (t) => {
  const known = Object.values(CATALOG).flatMap(({ name, operations }) => Object.keys(operations).map((one) => `${name}:${one}`))
  t.same(known.filter((name) => !seen.has(name)).sort(), notCompared)
  for (const [name, calls] of [...seen].sort()) {
    const [service = '', operation = ''] = name.split(':')
    const [input, output] = [shapeOf(service, operation, 'input'), shapeOf(service, operation, 'output')]
    const wrong = calls.flatMap(({ params, answer, executed }) => [
      ...misfits(input, params, 'asks'),
      ...executed && answer != null ? misfits(output, answer, 'answers') : []
    ])
    t.same([...new Set(wrong.map((line) => line.replaceAll(/\/\d+/g, '/n')))], [], `${name}: ${calls.length} calls`)
  }
})
