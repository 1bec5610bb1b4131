import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint } from './foreign-endpoint.js'

const ecsArn = 'arn:aws:ecs:eu-west-1:123456789012'
const pages = { isEndless: false, status: 'PartialData' }
let documented: Record<string, unknown> | undefined

const shownAlarm = {
  EvaluationPeriods: 2,
  AlarmArn: 'arn:aws:cloudwatch:us-east-1:123456789012:alarm:myalarm',
  // 2014-04-09T18:59:06.442Z, which the protocol writes in seconds.
  StateUpdatedTimestamp: 1_397_069_946.442,
  ComparisonOperator: 'GreaterThanThreshold',
  AlarmActions: ['arn:aws:sns:us-east-1:123456789012:myHighCpuAlarm'],
  Namespace: 'AWS/EC2',
  AlarmDescription: 'CPU usage exceeds 70 percent',
  Period: 300,
  StateValue: 'OK',
  Threshold: 70,
  AlarmName: 'myalarm',
  Dimensions: [{ Name: 'InstanceId', Value: 'i-0c986c72' }],
  Statistic: 'Average',
  StateReason: 'Threshold Crossed: 2 datapoints were not greater than the threshold (70.0). The most recent datapoints: [38.958, 40.292].',
  ActionsEnabled: true,
  MetricName: 'CPUUtilization'
}

const endpoint = await startForeignEndpoint(t, ({ operation, body }) => {
  if (operation === 'DescribeServices') {
    return { services: [{ serviceArn: `${ecsArn}:service/prod/web`, serviceName: 'web', status: 'ACTIVE' }] }
  }
  if (operation === 'DescribeAlarms') return { MetricAlarms: [shownAlarm] }
  if (operation !== 'GetMetricData') return undefined
  if (documented) return documented
  const number = Number(body.NextToken ?? 0)
  const results = [
    { Id: 'cpu', Label: 'CPUUtilization', Timestamps: [1_767_225_600 + 60 * number], Values: [number], StatusCode: pages.status },
    ...(number === 0 ? [{ Id: 'memory', Label: 'MemoryUtilization', Timestamps: [], Values: [], StatusCode: 'Complete' }] : [])
  ]
  return { MetricDataResults: results, ...((number < 2 || pages.isEndless) && { NextToken: String(number + 1) }) }
})
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const payload = { name: 'Elsewhere', regions: ['eu-west-1'], auth: { type: 'ambient' } }
const made = (await app.inject({ method: 'POST', url: '/cloud/accounts', headers: asAdmin, payload })).json()
t.equal(made.status, 'unverified')
const read = async () => {
  const url = `/infrastructure/containers/services/${made.id}~eu-west-1~prod~web/metrics`
  return (await app.inject({ url, headers: asAdmin })).json<{ series: object[] }>().series
}
const points = (count: number) => Array.from({ length: count }, (_, index) =>
  ({ at: new Date(1_767_225_600_000 + 60_000 * index).toISOString(), value: index }))

t.test('pages are joined, and what stays incomplete is partial', async (t) => {
  const [cpu, memory] = await read()
  t.match(cpu, { status: 'partial', reason: 'CloudWatch did not answer all of it', points: points(3) })
  t.match(memory, { status: 'no_data', points: [] })
  pages.isEndless = true
  t.match((await read())[0], { status: 'partial', reason: 'CloudWatch has more than the 5 pages that were read', points: points(5) })
  pages.status = 'InternalError'
  t.match((await read())[0], { status: 'partial', reason: 'CloudWatch had an error of its own; ask again' })
  Object.assign(pages, { isEndless: false, status: 'Complete' })
  t.match((await read())[0], { status: 'data', reason: null, points: points(3) })
})
t.test('the answer that the reference of the AWS CLI shows', async (t) => {
  // 2024-09-26T12:00:00Z, which the protocol writes in seconds.
  const shown = { Label: 'EstimatedCharges', Timestamps: [1_727_352_000], Values: [542.38], StatusCode: 'Complete' }
  documented = { MetricDataResults: [{ Id: 'cpu', ...shown }, { Id: 'm1', ...shown }], Messages: [] }
  const point = { at: '2024-09-26T12:00:00.000Z', value: 542.38 }
  t.match(await read(), [
    { id: 'cpu', status: 'data', points: [point], summary: { sum: null, average: 542.38, max: 542.38, last: point } },
    { id: 'memory', status: 'failed', reason: 'CloudWatch left it out of its answer', points: [], summary: null }
  ])
  const Messages = [{ Code: 'MaxQueryTimeRangeExceed', Value: 'x' }]
  documented = { MetricDataResults: [{ Id: 'cpu', StatusCode: 'Forbidden' }], Messages }
  t.match((await read())[0], { status: 'failed', reason: 'MaxQueryTimeRangeExceed: x', points: [] })
})

t.test('the alarm that the reference of the AWS CLI shows', async (t) => {
  const { items: [alarm, ...more] } = (await app.inject({ url: '/infrastructure/alarms', headers: asAdmin })).json()
  t.same(more, [])
  t.match(alarm, {
    name: 'myalarm',
    kind: 'metric',
    state: 'ok',
    since: '2014-04-09T18:59:06.442Z',
    reason: /^Threshold Crossed: 2 datapoints were not greater/,
    metrics: [{ namespace: 'AWS/EC2', metric: 'CPUUtilization', dimensions: { InstanceId: 'i-0c986c72' }, period_seconds: 300 }],
    condition: 'GreaterThanThreshold 70 for 2 of 2 periods'
  })
})
