import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

interface Point { at: string, value: number }
interface Series {
  id: string,
  status: string,
  reason: string | null,
  points: Point[]
  summary: { sum: number | null, average: number | null, max: number, last: Point } | null
}

interface Read { series: Series[], since: string, until: string, read_at: string }

const app = await workspace(t)
const sandbox = steer(app)
const get = (url: string) => app.inject({ url, headers: asAdmin })
const ofService = (name: string, query = '') => get(`/infrastructure/containers/services/${encodeURIComponent(name)}/metrics${query}`)
const ofFunction = (name: string, query = '') => get(`/infrastructure/serverless/functions/${encodeURIComponent(name)}/metrics${query}`)
const [account] = (await get('/cloud/accounts')).json().items
const minute = 60_000

t.afterEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

const byId = (series: Series[], id: string): Series => {
  const found = series.find((one) => one.id === id)
  if (!found) throw new Error(`no series ${id}`)
  return found
}
const sumOf = (points: Point[]) => points.reduce((sum, { value }) => sum + value, 0)

t.test('a service has CPU, memory, and what its load balancer counts, each with a summary of its points', async (t) => {
  const before = Date.now()
  const answer = await ofService('prod/web')
  t.equal(answer.statusCode, 200, answer.body)
  const { series, since, until, read_at: readAt, ...rest } = answer.json<Read>()
  t.same(rest, {
    resource_id: `${account.id}~eu-west-1~prod~web`,
    account_id: account.id,
    account_name: account.name,
    region: 'eu-west-1',
    period_seconds: 60,
    notes: []
  })
  t.equal(Date.parse(until), Math.floor(before / minute) * minute, 'the minute that goes on is left out')
  t.equal(Date.parse(until) - Date.parse(since), 180 * minute)
  t.ok(Date.parse(readAt) >= before)
  const targets = { TargetGroup: 'targetgroup/web/6d0ecf831eec9f09', LoadBalancer: 'app/web/6d0ecf831eec9f09' }
  const tasks = { ClusterName: 'prod', ServiceName: 'web' }
  const ecs = { namespace: 'AWS/ECS', dimensions: tasks, unit: 'percent', statistic: 'Average' }
  const elb = { namespace: 'AWS/ApplicationELB', dimensions: targets }
  t.same(series.map(({ points: _points, summary: _summary, status: _status, reason: _reason, ...shape }) => shape), [
    { id: 'cpu', label: 'CPU', metric: 'CPUUtilization', ...ecs },
    { id: 'memory', label: 'Memory', metric: 'MemoryUtilization', ...ecs },
    { id: 'requests', label: 'Requests', metric: 'RequestCount', ...elb, unit: 'count', statistic: 'Sum' },
    { id: 'responses_5xx', label: 'Responses with 5xx', metric: 'HTTPCode_Target_5XX_Count', ...elb, unit: 'count', statistic: 'Sum' },
    { id: 'latency_p50', label: 'Response time, median', metric: 'TargetResponseTime', ...elb, unit: 'seconds', statistic: 'p50' },
    { id: 'latency_p95', label: 'Response time, 95th percentile', metric: 'TargetResponseTime', ...elb, unit: 'seconds', statistic: 'p95' }
  ])
  for (const id of ['cpu', 'memory', 'requests', 'latency_p50', 'latency_p95']) {
    const { points, status, reason } = byId(series, id)
    t.same([points.length, points[0]?.at, points.at(-1)?.at, status, reason],
      [180, since, new Date(Date.parse(until) - minute).toISOString(), 'data', null], id)
  }
  const { points: cpu, summary } = byId(series, 'cpu')
  t.ok(cpu.every(({ value }) => value > 0 && value < 100))
  t.same(summary, {
    sum: null, average: sumOf(cpu) / cpu.length, max: Math.max(...cpu.map(({ value }) => value)), last: cpu.at(-1)
  })
  const { points: requests, summary: counted } = byId(series, 'requests')
  t.same(counted, {
    sum: sumOf(requests), average: null, max: Math.max(...requests.map(({ value }) => value)), last: requests.at(-1)
  })
  t.match(byId(series, 'latency_p95').summary, { sum: null, average: null })
})

t.test('what does not run has no data, which is not 0', async (t) => {
  const { series, notes } = (await ofService('mailer-staging')).json<{ series: Series[], notes: string[] }>()
  t.same(notes, [])
  const silent = { status: 'no_data', reason: 'ECS reports it only while tasks of the service run', points: [], summary: null }
  t.same(series.map(({ id, status, reason, points, summary }) => ({ id, status, reason, points, summary })),
    ['cpu', 'memory'].map((id) => ({ id, ...silent })))
})

t.test('a function that fails has as many errors as its log has failed invocations', async (t) => {
  const failing = (await ofFunction('nightly-report', '?since=1d')).json()
  t.equal(failing.period_seconds, 300)
  t.same(['invocations', 'errors', 'throttles'].map((id) => byId(failing.series, id).summary?.sum), [12, 12, 0])
  t.match(byId(failing.series, 'duration_p95'), { unit: 'milliseconds', summary: { sum: null, average: null, max: 118 } })
  const healthy = (await ofFunction('order-webhook', '?since=1d')).json()
  t.same(['invocations', 'errors'].map((id) => byId(healthy.series, id).summary?.sum), [12, 0])
  t.match(healthy, { resource_id: `${account.id}~eu-west-1~order-webhook`, region: 'eu-west-1', notes: [] })
})

t.test('a function that was never invoked has no data', async (t) => {
  const { series } = (await ofFunction('paused-import', '?since=1d')).json<Read>()
  t.same(series.map(({ id, status, reason }) => `${id} ${status} ${reason}`),
    ['invocations', 'errors', 'throttles', 'duration_p50', 'duration_p95']
      .map((id) => `${id} no_data Lambda reports it only when the function is invoked`))
})

t.test('a range has whole periods that CloudWatch keeps, and some hundred points', async (t) => {
  const periodOf = async (query: string) => (await ofFunction('echo', query)).json().period_seconds
  t.same([await periodOf('?since=1h'), await periodOf('?since=1d'), await periodOf('?since=7d'), await periodOf('?since=30d')],
    [60, 300, 3_600, 21_600])
  t.equal(await periodOf('?since=1d&period=3600'), 3_600)
  for (const [query, pointer] of [
    ['?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
    ['?since=500d', 'since'],
    ['?since=2026-01-02T00:00:10Z&until=2026-01-02T00:00:40Z', 'since'],
    ['?since=20d&period=60', 'period'], ['?since=10d&period=60', 'period'], ['?until=2026-99-01T00:00:00Z', 'until']
  ] as const) {
    const refused = (await ofService('prod/search', query)).json()
    t.match(refused, { status: 422, code: 'range_invalid', errors: [{ pointer: `/querystring/${pointer}` }] }, query)
  }
  t.equal((await ofService('prod/search', '?period=61')).statusCode, 400)
})

t.test('who is not there is not found, and has no empty series', async (t) => {
  t.match((await ofService(`${account.id}~eu-west-1~prod~nothing`)).json(), { status: 404, code: 'service_not_found' })
  t.match((await ofFunction(`${account.id}~eu-west-1~nothing`)).json(), { status: 404, code: 'function_not_found' })
  t.match((await ofFunction('order-webhook:live')).json(), { status: 422, code: 'qualifier_in_name' })
})

t.test('a permission that lacks is named; without the one for load balancers the rest is there', async (t) => {
  await sandbox.deny('cloudwatch:ListMetrics')
  const { series, notes } = (await ofService('prod/web')).json<{ series: Series[], notes: string[] }>()
  t.same(series.map(({ id }) => id), ['cpu', 'memory'])
  t.equal(notes.length, 1)
  t.match(notes[0], /^The metrics of target group web could not be read: .*cloudwatch:ListMetrics/)
  await sandbox.deny('cloudwatch:GetMetricData')
  t.match((await ofService('prod/web')).json(),
    { status: 403, code: 'aws_permission_denied', missing_permission: { action: 'cloudwatch:GetMetricData' } })
})
