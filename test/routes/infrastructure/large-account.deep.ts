import t from '../../tap.js'
import { answerForLargeAccount } from '../../../bench/lib/large-account.js'
import { listAccounts } from '../../../lib/aws/accounts.js'
import { gather } from '../../../routes/infrastructure/lib/errors.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint } from './foreign-endpoint.js'

const endpoint = await startForeignEndpoint(t, answerForLargeAccount)
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url, LIMITS: '{"source_patience_ms":60000}' })
const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const addAccount = async (name: string, regions: string[]) =>
  (await call('POST', '/cloud/accounts', { name, regions, auth: { type: 'ambient' } })).body.id as string
const counts = () => Object.fromEntries([...new Set(endpoint.calls.map(({ operation }) => operation))].sort()
  .map((operation) => [operation, endpoint.count(operation)]))

const account = await addAccount('Large', ['eu-west-1'])
const services = '/infrastructure/containers/services'
const clusters = '/infrastructure/containers/clusters'

t.beforeEach(() => {
  app.aws.inventory.forget('')
  endpoint.calls.length = 0
})

/** What a single read of a service asks, beside what its name cost. */
const reads = {
  DescribeScalableTargets: 1, DescribeServices: 1, DescribeTaskDefinition: 1, DescribeTasks: 1, ListTasks: 2
}

t.test('a name among 60 clusters costs one call a cluster, and a name with its cluster none of them', async (t) => {
  const { status, body } = await call('GET', `${services}/service-7`)
  t.match([status, body.id], [200, `${account}~eu-west-1~cluster-1~service-7`])
  t.same(counts(), { ...reads, ListClusters: 1, ListServices: 60 })
  const other = await call('GET', `${services}/service-299`)
  t.match([other.status, other.body.id], [200, `${account}~eu-west-1~cluster-59~service-299`])
  t.equal(endpoint.count('ListServices'), 60, 'the names are known')
  t.match(await call('GET', `${services}/service-300`), { status: 404, body: { code: 'service_not_found' } })
  endpoint.calls.length = 0
  t.equal((await call('GET', `${services}/cluster-2%2Fservice-10`)).status, 200)
  t.same(counts(), { ...reads, DescribeServices: 2 })
})

t.test('a function is asked for by its name, and a text that can be no name is not sent', async (t) => {
  const { status, body } = await call('GET', '/infrastructure/serverless/functions/report')
  t.match([status, body.id], [200, `${account}~eu-west-1~report`])
  t.equal(endpoint.count('GET /2015-03-31/functions'), 0)
  endpoint.calls.length = 0
  t.match(await call('GET', '/infrastructure/serverless/functions/no%20name'), { status: 404 })
  t.match(await call('GET', `${services}/cluster-1%2Fno%20name`), { status: 404 })
  t.same(endpoint.calls, [])
})

t.test('a list of 300 services describes ten a call, and no task definition that a running task names', async (t) => {
  const big = await addAccount('One cluster', ['eu-central-1'])
  const { status, body } = await call('GET', `${clusters}/${big}~eu-central-1~big/services?limit=100`)
  t.match([status, body.items.length, body.partial], [200, 100, false])
  t.match(body.items[0], { images: [{ container: 'app', image: 'item-0:3', digest: `sha256:${'3'.repeat(64)}` }] })
  t.same(counts(), {
    DescribeScalableTargets: 6, DescribeServices: 30, DescribeTasks: 6, ListServices: 3, ListTasks: 6
  })
  await call('GET', `${clusters}/${big}~eu-central-1~big/services?limit=100&cursor=${body.next_cursor}`)
  t.equal(endpoint.count('DescribeServices'), 30, 'the second page is known')
})

t.test('who does not answer is asked once, however many ask, and is late in that alone', async (t) => {
  const { workspace_id } = await app.db.selectFrom('cloud_account').select('workspace_id').executeTakeFirstOrThrow()
  const row = (await listAccounts(app.db, workspace_id)).find(({ id }) => id === account)
  if (!row) throw new Error('no account')
  let reads = 0
  const ask = (waitMs: number) => gather({
    aws: {
      client: app.aws.client.bind(app.aws),
      askRegistry: app.aws.askRegistry.bind(app.aws),
      inventory: app.aws.inventory,
      waitMs: () => waitMs
    },
    config: { ...app.config, limits: { ...app.config.limits, source_patience_ms: 1 } }
  }, [{ account: row, region: 'eu-west-1' }], {
    name: 'never',
    ttlMs: 0,
    read: () => {
      reads++
      return new Promise<never>(() => undefined)
    }
  })
  await t.rejects(ask(0), { code: 'aws_timeout', message: 'eu-west-1 did not answer in time; ask again later' })
  await t.rejects(ask(2_500), {
    code: 'aws_throttled',
    message: "Calls to eu-west-1 wait for their turn below AWS's limits; ask again in 3 s",
    headers: { 'retry-after': '3' }
  }, 'what waits to be sent is no silence of the region')
  t.equal(reads, 1)
  t.match(await call('GET', '/infrastructure/serverless/functions/report'), { status: 200, body: { name: 'report' } })
  t.match(await call('GET', `${clusters}?region=eu-west-1&limit=1`), { status: 200, body: { partial: false } })
})
