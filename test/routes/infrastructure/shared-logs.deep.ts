import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint, type EndpointCall } from './foreign-endpoint.js'

/** Two functions, and two services with the same container, of which each pair writes to one log group. */
const arn = 'arn:aws:ecs:eu-west-1:123456789012:'
const group = '/orchard/tenant'
let at = Date.now() - 60_000
/** Each a moment after the one before. */
const line = (logStreamName: string, message: string) =>
  ({ logStreamName, message, timestamp: ++at, eventId: message })
const own = '2026/11/27/pickup[$LATEST]0a'
const lines: Record<string, ReturnType<typeof line>[]> = {}
const tasks: Record<string, string> = { 'a1': 'service:press', 'b1': 'service:cider', 'c1': 'family:clean-up' }

const answer = ({ operation, body }: EndpointCall) => {
  const name = /functions\/(\w+)\/configuration$/.exec(operation)?.[1]
  if (name) return { FunctionName: name, LoggingConfig: { LogGroup: name === 'alone' ? '/aws/lambda/alone' : group } }
  switch (operation) {
    case 'DescribeServices': return {
      services: [{ serviceName: 'press', status: 'ACTIVE', taskDefinition: `${arn}task-definition/press:1` }]
    }
    case 'DescribeTaskDefinition': return {
      taskDefinition: {
        containerDefinitions: [{
          name: 'app',
          logConfiguration: {
            logDriver: 'awslogs', options: { 'awslogs-group': '/ecs/orchard', 'awslogs-stream-prefix': 'ecs' }
          }
        }, { name: 'proxy', logConfiguration: { logDriver: 'fluentd' } }]
      }
    }
    case 'DescribeTasks': return {
      tasks: (body.tasks as string[]).flatMap((id) => tasks[id] === undefined
        ? []
        : [{ taskArn: `${arn}task/prod/${id}`, group: tasks[id] }])
    }
    case 'FilterLogEvents': return { events: lines[String(body.logGroupName)] ?? [] }
    default: return undefined
  }
}
const endpoint = await startForeignEndpoint(t, answer)
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const account = (await app.inject({
  method: 'POST',
  url: '/cloud/accounts',
  headers: asAdmin,
  payload: { name: 'Orchard', regions: ['eu-west-1'], auth: { type: 'ambient' } }
})).json()
const read = async (path: string) => {
  const { items, complete, notes } = (await app.inject({ url: `/infrastructure/${path}`, headers: asAdmin })).json()
  return { messages: items.map(({ message }: { message: string }) => message), complete, notes }
}
const logsOf = (name: string) => read(`serverless/functions/${account.id}~eu-west-1~${name}/logs`)
const serviceLogs = (container: string) =>
  read(`containers/services/${account.id}~eu-west-1~prod~press/logs?container=${container}`)

t.test('a function in a shared log group has its own lines alone', async (t) => {
  lines[group] = [line(own, 'pickup done'), line('2026/11/27/refund[$LATEST]0b', 'ERROR refund failed'),
    line('2026/11/27/pickup-eu[41]0c', 'ERROR elsewhere')]
  t.same(await logsOf('pickup'), { messages: ['pickup done'], complete: true, notes: [] })
  t.same(await logsOf('refund'), { messages: ['ERROR refund failed'], complete: true, notes: [] })
})

t.test('a line whose stream names no function is shown in a shared group, and the page says so', async (t) => {
  lines[group] = [line(own, 'pickup done'), line('2026/11/27/[$LATEST]0d', 'whose?'), line('batch', 'and whose?')]
  const note = `Not all streams of the log group ${group} name a function: some of these lines may be of others`
  t.same(await logsOf('pickup'), { messages: ['pickup done', 'whose?', 'and whose?'], complete: true, notes: [note] })
  lines['/aws/lambda/alone'] = [line('2026/11/27/[$LATEST]0d', 'its own'), line('2026/11/27/refund[1]0e', 'no')]
  t.same(await logsOf('alone'), { messages: ['its own'], complete: true, notes: [] })
})

t.test('a service has the lines of its own tasks, and says where ECS no longer knows a task', async (t) => {
  lines['/ecs/orchard'] = [line('ecs/app/a1', 'INFO press'), line('ecs/app/b1', 'ERROR cider'), line('ecs/app/c1', 'cleaned')]
  t.same(await serviceLogs('app'), { messages: ['INFO press'], complete: true, notes: [] })
  lines['/ecs/orchard'] = [line('ecs/app/a1', 'INFO press'), line('ecs/app/b1', 'ERROR cider'), line('ecs/app/z9', 'old')]
  t.same(await serviceLogs('app'), {
    messages: ['INFO press', 'old'],
    complete: true,
    notes: ['ECS no longer says which service wrote one of the streams read: where services share a log group and a ' +
      'prefix, lines of others may be among these']
  })
})

t.test('logs that cannot be read here are not complete', async (t) => {
  t.same(await serviceLogs('proxy'), { messages: [], complete: false, notes: [] })
})
