import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

interface Alarm { name: string, state: string, since: string, reason: string, region: string, kind: string, rule: string | null }

const app = await workspace(t)
const sandbox = steer(app)
const get = (query: string) => app.inject({ url: `/infrastructure/alarms${query}`, headers: asAdmin })
const list = async (query = ''): Promise<Alarm[]> => (await get(query)).json().items
const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items

t.test('the alarms of all regions, which of them fire and since when', async (t) => {
  const answer = await get('?limit=100')
  t.equal(answer.statusCode, 200, answer.body)
  const { items, ...rest } = answer.json<{ items: Alarm[] }>()
  t.same(rest, { next_cursor: null, partial: false, errors: [] })
  t.same(items.map(({ region, name, kind, state }) => [region, name, kind, state]), [
    ['eu-west-1', 'nightly-report-fails', 'metric', 'alarm'],
    ['eu-west-1', 'orders', 'composite', 'alarm'],
    ['eu-west-1', 'web-5xx', 'metric', 'ok'],
    ['eu-west-1', 'web-cpu-high', 'metric', 'ok'],
    ['eu-west-1', 'worker-not-running', 'metric', 'alarm'],
    ['us-east-1', 'mailer-staging-cpu-high', 'metric', 'insufficient_data']
  ])
  t.ok(items.every(({ since }) => Date.parse(since) <= Date.now()))
  const { since, ...worker } = items.find(({ name }) => name === 'worker-not-running') ?? { since: '' }
  t.ok(since)
  t.same(worker, {
    id: `${account.id}~eu-west-1~worker-not-running`,
    arn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:worker-not-running',
    name: 'worker-not-running',
    description: 'No task of the worker reports: orders wait',
    account_id: account.id,
    account_name: account.name,
    environment: null,
    region: 'eu-west-1',
    kind: 'metric',
    state: 'alarm',
    reason: 'Threshold Crossed: no datapoints were received for 3 periods and 3 missing datapoints were treated as [Breaching].',
    metrics: [{
      namespace: 'AWS/ECS',
      metric: 'CPUUtilization',
      dimensions: { ClusterName: 'prod', ServiceName: 'worker' },
      statistic: 'Average',
      period_seconds: 300
    }],
    condition: 'LessThanThreshold 0 for 3 of 3 periods',
    rule: null,
    actions_enabled: true,
    console_url: 'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/worker-not-running'
  })
  t.match(items.find(({ kind }) => kind === 'composite'), {
    metrics: [], condition: null, rule: 'ALARM("web-5xx") OR ALARM("worker-not-running")'
  })
})

t.test('those that fire, those of a region, and those of a service by its tasks, its load balancer and what is made of them', async (t) => {
  const names = async (query: string) => (await list(query)).map(({ name }) => name)
  t.same(await names('?state=alarm'), ['nightly-report-fails', 'orders', 'worker-not-running'])
  t.same(await names('?region=us-east-1'), ['mailer-staging-cpu-high'])
  t.same(await names('?service=prod%2Fweb'), ['orders', 'web-5xx', 'web-cpu-high'])
  t.same(await names('?service=prod%2Fworker'), ['orders', 'worker-not-running'])
  t.same(await names('?service=prod%2Fsearch'), [])
  t.match((await get('?service=nothing')).json(), { status: 404, code: 'service_not_found' })
})

t.test('pages go on where the last one ended, under the same filter only', async (t) => {
  const first = (await get('?limit=2')).json()
  const second = (await get(`?limit=100&cursor=${encodeURIComponent(first.next_cursor)}`)).json()
  t.equal(first.items.length + second.items.length, 6)
  t.match((await get(`?state=ok&cursor=${encodeURIComponent(first.next_cursor)}`)).json(), { code: 'invalid_cursor' })
})

t.test('a region that refuses is named, and the other answers', async (t) => {
  t.teardown(() => sandbox.clear())
  await sandbox.advance(0)
  app.aws.inventory.forget('')
  await sandbox.fault({ kind: 'access_denied', operation: 'DescribeAlarms', match: 'us-east-1', times: 0 })
  const { items, partial, errors } = (await get('')).json()
  t.same([items.length, partial], [5, true])
  t.match(errors, [{ region: 'us-east-1', code: 'aws_permission_denied', detail: /cloudwatch:DescribeAlarms/ }])
  t.equal(errors.length, 1)
})
