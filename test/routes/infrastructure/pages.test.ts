import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint, type EndpointCall } from './foreign-endpoint.js'

const arn = (name: string) => `arn:aws:ecs:eu-west-1:123456789012:cluster/${name}`
let pages: (call: EndpointCall) => string | undefined = () => 'again'

const listFunctions = 'GET /2015-03-31/functions'

/** Every list has a next page, as `pages` says. */
const endless = (call: EndpointCall) => {
  const next = pages(call)
  switch (call.operation) {
    case 'ListClusters': return { clusterArns: [arn('prod')], nextToken: next }
    case 'DescribeClusters': return { clusters: [{ clusterName: 'prod', clusterArn: arn('prod'), status: 'ACTIVE' }] }
    case 'ListServices': return { serviceArns: [], nextToken: next }
    case 'GetCostAndUsage': return { ResultsByTime: [], NextPageToken: next }
    case 'GetTags': return { Tags: ['team'], NextPageToken: next }
    case 'GetAnomalies': return { Anomalies: [], NextPageToken: next }
    case 'FilterLogEvents': return { events: [], nextToken: next }
    case listFunctions: return { Functions: [], NextMarker: next }
    default: return { FunctionName: 'echo', FunctionArn: 'arn' }
  }
}
const endpoint = await startForeignEndpoint(t, endless)
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.statusCode === 204 ? null : answer.json() }
}
const account = (await call('POST', '/cloud/accounts',
  { name: 'Elsewhere', regions: ['eu-west-1'], auth: { type: 'ambient' } })).body
const prod = `${account.id}~eu-west-1~prod`

t.beforeEach(() => {
  pages = () => 'again'
  app.aws.inventory.forget('')
  endpoint.calls.length = 0
})

t.test('an endpoint that repeats its page token is asked twice and refused', async (t) => {
  const asked: [string, string, string?][] = [
    ['/infrastructure/containers/clusters', 'ListClusters'],
    [`/infrastructure/containers/clusters/${prod}/services`, 'ListServices'],
    ['/infrastructure/serverless/functions', 'ListFunctions', listFunctions],
    ['/cloud/costs', 'GetCostAndUsage'],
    ['/cloud/costs/tags', 'GetTags']
  ]
  for (const [url, what, operation = what] of asked) {
    const { status, body } = await call('GET', url)
    t.match([status, body.code, body.detail], [502, 'aws_error', `${what} repeats a page token`], url)
    t.equal(endpoint.count(operation), 2, what)
  }
  const logs = await call('GET', `/infrastructure/serverless/functions/${account.id}~eu-west-1~echo/logs`)
  t.match([logs.status, logs.body.code], [502, 'aws_error'])
  t.equal(endpoint.count('FilterLogEvents'), 2)
  pages = ({ operation }) => operation === 'GetAnomalies' ? 'again' : undefined
  const report = (await call('GET', '/cloud/costs?anomalies=true')).body
  t.match(report, { partial: true, anomalies: null, errors: [{ code: 'aws_error', detail: /anomalies.*repeats a page token/ }] })
  t.equal(endpoint.count('GetAnomalies'), 2)
})

t.test('a list that grows with every page ends at a number of pages', async (t) => {
  pages = ({ sequence }) => `page ${sequence}`
  const costs = await call('GET', '/cloud/costs?group_by=REGION')
  t.match([costs.status, costs.body.code], [422, 'cost_range_invalid'])
  t.equal(endpoint.count('GetCostAndUsage'), 20)
  const tags = await call('GET', '/cloud/costs/tags')
  t.match([tags.status, tags.body.code, tags.body.detail],
    [502, 'aws_error', 'GetTags has more than 20 pages, more than AWS allows'])
  t.equal(endpoint.count('GetTags'), 20)
  const logs = await call('GET', `/infrastructure/serverless/functions/${account.id}~eu-west-1~echo/logs`)
  t.match(logs, { status: 200, body: { items: [], complete: false } })
  t.equal(endpoint.count('FilterLogEvents'), 10)
})

t.test('a removed account is not asked any further', async (t) => {
  let removed: Promise<unknown> | undefined
  pages = ({ operation, sequence }) => {
    if (operation === 'ListClusters' && sequence === 3) removed = call('DELETE', `/cloud/accounts/${account.id}`)
    return `page ${sequence}`
  }
  const { status, body } = await call('GET', '/infrastructure/containers/clusters')
  t.match(await removed, { status: 204 })
  t.match([status, body.code, body.detail], [502, 'aws_unreachable', /changed or removed/])
  const after = endpoint.count('ListClusters')
  t.ok(after < 40, `${after} calls`)
  await new Promise((resolve) => { setTimeout(resolve, 300) })
  t.equal(endpoint.count('ListClusters'), after, 'and none after the answer')
})
