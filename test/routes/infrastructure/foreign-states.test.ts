import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { planOf } from '../../plan.js'
import { startForeignEndpoint, type Answer } from './foreign-endpoint.js'

const arn = 'arn:aws:ecs:eu-west-1:123456789012'
const service = (name: string) => ({
  serviceArn: `${arn}:service/prod/${name}`,
  serviceName: name,
  clusterArn: `${arn}:cluster/prod`,
  status: 'ACTIVE',
  desiredCount: 2,
  runningCount: 2,
  pendingCount: 0,
  taskDefinition: `${arn}:task-definition/${name}:1`,
  deployments: [{ id: 'ecs-svc/1', status: 'PRIMARY', rolloutState: 'COMPLETED', desiredCount: 2, runningCount: 2 }]
})
const tasks = (['UNHEALTHY', 'UNHEALTHY', 'HEALTHY', 'UNHEALTHY'] as const).map((healthStatus, index) => ({
  taskArn: `${arn}:task/prod/${index}`,
  taskDefinitionArn: `${arn}:task-definition/web:1`,
  group: index < 2 ? 'service:web' : 'service:api',
  lastStatus: 'RUNNING',
  healthStatus
}))
const refusal = (action: string) =>
  ({ __type: 'AccessDeniedException', message: `User is not authorized to perform: ${action} on resource: *` })
let denied = ['application-autoscaling:DescribeScalableTargets']
let failures: { arn: string, reason: string }[] = []
const orders = {
  FunctionName: 'orders',
  FunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:orders',
  PackageType: 'Image',
  Version: '$LATEST',
  CodeSha256: 'abc',
  RevisionId: 'r1'
}

const answers: Record<string, Answer> = {
  ListClusters: () => ({ clusterArns: [`${arn}:cluster/prod`] }),
  DescribeClusters: () =>
    ({ clusters: [{ clusterArn: `${arn}:cluster/prod`, clusterName: 'prod', status: 'ACTIVE' }] }),
  ListServices: () => ({ serviceArns: ['web', 'api'].map((name) => `${arn}:service/prod/${name}`) }),
  DescribeServices: ({ body }) => ({
    services: (body.services as string[]).map((name) => service(name.split('/').at(-1) ?? ''))
  }),
  DescribeTaskDefinition: () => ({ taskDefinition: { containerDefinitions: [] } }),
  ListTasks: ({ body }) => denied.includes('ecs:ListTasks')
    ? refusal('ecs:ListTasks')
    : {
        taskArns: body.desiredStatus === 'RUNNING'
          ? tasks.filter(({ group }) => !body.serviceName || group === `service:${body.serviceName}`)
            .map(({ taskArn }) => taskArn)
          : []
      },
  DescribeTasks: ({ body }) => ({
    tasks: tasks.filter(({ taskArn }) => (body.tasks as string[]).includes(taskArn) &&
      !failures.some(({ arn }) => arn === taskArn)),
    failures
  }),
  DescribeScalableTargets: () => denied.includes('application-autoscaling:DescribeScalableTargets')
    ? refusal('application-autoscaling:DescribeScalableTargets')
    : { ScalableTargets: [] },
  DescribeImages: () => ({ imageDetails: [{ imageDigest: `sha256:${'5'.repeat(64)}` }] }),
  'GET /2015-03-31/functions': () => ({ Functions: [orders] }),
  'GET /2015-03-31/functions/orders/configuration': () => orders,
  'GET /2015-03-31/functions/orders': () => ({ Configuration: orders, Code: { ImageUri: 'registry/orders:old' } }),
  'GET /2015-03-31/functions/orders/aliases': () => denied.includes('lambda:ListAliases')
    ? refusal('lambda:ListAliases')
    : {
        Aliases: [
          { Name: 'live', FunctionVersion: '41' },
          { Name: 'canary', FunctionVersion: '41', RoutingConfig: { AdditionalVersionWeights: { 42: 0.1 } } }
        ]
      }
}

const { url } = await startForeignEndpoint(t, (call) => answers[call.operation]?.(call))
const app = await buildApp(t, { AWS_ENDPOINT_URL: url })
await app.inject({
  method: 'POST',
  url: '/cloud/accounts',
  headers: asAdmin,
  payload: { name: 'Elsewhere', regions: ['eu-west-1'], auth: { type: 'ambient' } }
})
const get = async (path: string) => (await app.inject({ url: `/infrastructure/${path}`, headers: asAdmin })).json()

t.test('a service whose tasks are unhealthy is not healthy, alone and in a list', async (t) => {
  t.match(await get('containers/services/prod%2Fweb'), {
    health: 'down', health_reason: '2 of 2 tasks are unhealthy by their health check'
  })
  t.match(await get('containers/services/prod%2Fapi'), {
    health: 'degraded', health_reason: '1 of 2 tasks are unhealthy by their health check'
  })
  const { items } = await get('containers/clusters/prod/services')
  t.same(items.map(({ name, health }: Record<string, string>) => [name, health]),
    [['api', 'degraded'], ['web', 'down']])
})

t.test('autoscaling that may not be read is not known, and a count is not set on that', async (t) => {
  const list = await get('containers/clusters/prod/services')
  t.match(list, {
    partial: true,
    errors: [{ code: 'aws_permission_denied', detail: /DescribeScalableTargets/ }],
    items: [{ autoscaling: null, autoscaling_known: false }, { autoscaling: null, autoscaling_known: false }]
  })
  t.match(await get('containers/services/prod%2Fweb'), { autoscaling: null, autoscaling_known: false })
  await t.rejects(planOf(app, 'scaleService', { service: 'prod/web', desired_count: 3 }),
    { code: 'autoscaling_unknown' })
  t.match((await planOf(app, 'scaleService', { service: 'prod/web', desired_count: 3, autoscaling: 'ignore' })).facts,
    { desired_count: 2, autoscaling: null })
})

t.test('a service whose tasks may not be read is not called healthy', async (t) => {
  denied = ['ecs:ListTasks']
  t.match(await get('containers/services/prod%2Fweb'), { health: 'unknown', autoscaling_known: true, tasks: null })
})

t.test('the card of a function says that its aliases keep their versions', async (t) => {
  const image = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/orders:new'
  const plan = await planOf(app, 'deployFunction', { name: 'orders', image })
  t.match(plan.summary, /^Deploy \S+orders:new to \$LATEST of function orders/)
  t.same(plan.preview, [
    { label: 'Image', before: 'registry/orders:old', after: image },
    { label: 'Alias live', before: null, after: 'Stays at version 41: only $LATEST gets the image' },
    {
      label: 'Alias canary',
      before: null,
      after: 'Stays at version 41 (90 %), version 42 (10 %): only $LATEST gets the image'
    }
  ])
  const invoke = await planOf(app, 'invokeFunction', { name: 'orders', qualifier: 'canary' })
  t.match(invoke.preview[0], { after: 'orders, alias canary, version 41 (90 %), version 42 (10 %)' })
  denied = ['lambda:ListAliases']
  const blind = await planOf(app, 'deployFunction', { name: 'orders', image })
  t.match(blind.preview[1], { label: 'Aliases', after: /^Could not be read/ })
})

t.test('a list of tasks that ECS does not describe whole says so; what it has forgotten since is none', async (t) => {
  const [first, second] = tasks.map(({ taskArn }) => taskArn) as [string, string]
  failures = [{ arn: first, reason: 'ACCESS_DENIED' }]
  const cut = await get('containers/services/web/tasks?state=running')
  t.match([cut.items.length, cut.partial, cut.errors],
    [1, true, [{ region: 'eu-west-1', code: 'task_not_described', detail: 'ECS did not describe 1 of 2 tasks: ACCESS_DENIED' }]])
  failures = [{ arn: second, reason: 'MISSING' }]
  const gone = await get('containers/services/web/tasks?state=running')
  t.match([gone.items.length, gone.partial, gone.errors], [1, false, []])
})
