import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint } from '../infrastructure/foreign-endpoint.js'

const arn = (rest: string) => `arn:aws:ecs:eu-west-1:123456789012:${rest}`
const service =
  { serviceArn: arn('service/prod/web'), serviceName: 'web', taskDefinition: arn('task-definition/web:7') }

/** Answers every write as done, whatever DryRun and its arguments say. */
const endpoint = await startForeignEndpoint(t, ({ operation }) => {
  switch (operation) {
    case 'ListClusters': return { clusterArns: [arn('cluster/prod')] }
    case 'ListServices': return { serviceArns: [service.serviceArn] }
    case 'DescribeServices': return { services: [service] }
    case 'ListTasks': return { taskArns: [arn('task/prod/1')] }
    case 'GET /2015-03-31/functions': return { Functions: [{ FunctionName: 'billing', PackageType: 'Zip' }] }
    default: return {}
  }
})
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const call = async (url: string, payload?: object) =>
  (await app.inject({ method: 'POST', url, headers: asAdmin, ...(payload && { payload }) })).json()
const account = await call('/cloud/accounts', { name: 'Lax', regions: ['eu-west-1'], auth: { type: 'ambient' } })

/** `PUT /2015-03-31/functions/x/code` and such, and the writes of the JSON services. */
const isWrite = (operation: string) =>
  /^(PUT|POST|DELETE|PATCH) |^(Update|Register|Create|Delete|Tag|Put)/.test(operation)

t.test('no probe names a real resource in a write, so an endpoint that ignores DryRun changes nothing', async (t) => {
  const test = await call(`/cloud/accounts/${account.id}/test`)
  const writes = endpoint.calls.filter(({ operation }) => isWrite(operation))
  t.same(writes.map(({ operation }) => operation.replaceAll(/steward-probe-[0-9a-f]{32}/g, '<unknown>')).sort(), [
    'POST /2015-03-31/functions/<unknown>/invocations',
    'POST /2015-03-31/functions/<unknown>/versions',
    'PUT /2015-03-31/functions/<unknown>/aliases/<unknown>',
    'PUT /2015-03-31/functions/<unknown>/code',
    'RegisterScalableTarget',
    'RegisterTaskDefinition',
    'RegisterTaskDefinition',
    'TagResource',
    'UpdateService'
  ])
  for (const { operation, body } of writes) {
    const sent = `${operation} ${JSON.stringify(body)}`
    t.notMatch(sent, /prod|web|billing|cluster\/|"default"/, operation)
    t.match(sent, /steward-probe-[0-9a-f]{32}/, operation)
  }
  const registrations = writes.filter(({ operation }) => operation === 'RegisterTaskDefinition')
  for (const { body } of registrations) t.same(body.containerDefinitions, [{}], 'nothing that could be a revision')
  const again = await call(`/cloud/accounts/${account.id}/test`)
  t.equal(again.checks.length, test.checks.length)
  const names = new Set([...JSON.stringify(endpoint.calls).matchAll(/steward-probe-[0-9a-f]{32}/g)].map(([name]) => name))
  t.equal(names.size, 2, 'each test has a name of its own')
})
