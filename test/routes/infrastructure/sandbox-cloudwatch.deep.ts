import { CloudWatch, type MetricDataQuery } from '@aws-sdk/client-cloudwatch'
import { Lambda } from '@aws-sdk/client-lambda'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { aws } from '../../consent/infrastructure.js'

// The sandbox's CloudWatch, asked by the SDK's own client.

const metric = (Id: string, MetricName: string): MetricDataQuery => ({
  Id,
  MetricStat: {
    Metric: {
      Namespace: 'AWS/ECS',
      MetricName,
      Dimensions: [{ Name: 'ServiceName', Value: 'web' }, { Name: 'ClusterName', Value: 'prod' }]
    },
    Period: 300,
    Stat: 'Maximum'
  }
})

t.test('pages that are joined are the whole', async (t) => {
  const client = new CloudWatch(aws(await buildApp(t)))
  const asked = { StartTime: new Date(Date.now() - 3_600_000), EndTime: new Date() }
  const MetricDataQueries = [metric('cpu', 'CPUUtilization'), metric('memory', 'MemoryUtilization')]
  const whole = await client.getMetricData({ ...asked, MetricDataQueries })
  const [cpu, memory] = whole.MetricDataResults ?? []
  t.match([cpu, memory], [{ Id: 'cpu', StatusCode: 'Complete' }, { Id: 'memory', StatusCode: 'Complete' }])
  t.ok(cpu?.Timestamps?.length)
  const first = await client.getMetricData({ ...asked, MetricDataQueries, MaxDatapoints: 3 })
  t.match(first.MetricDataResults, [{ StatusCode: 'PartialData' }, { StatusCode: 'PartialData' }])
  const second = await client.getMetricData({ ...asked, MetricDataQueries, NextToken: first.NextToken })
  t.same([...first.MetricDataResults?.[0]?.Values ?? [], ...second.MetricDataResults?.[0]?.Values ?? []], cpu?.Values)
  t.equal(second.NextToken, undefined)
})

t.test('what is asked wrongly is refused, as AWS does', async (t) => {
  const client = new CloudWatch({ ...aws(await buildApp(t)), maxAttempts: 1 })
  const now = new Date()
  const refused = async (input: Parameters<typeof client.getMetricData>[0]) =>
    client.getMetricData(input).then(() => 'answered', (error: Error) => error.name)
  const range = { StartTime: new Date(now.getTime() - 60_000), EndTime: now }
  t.equal(await refused({ StartTime: now, EndTime: now, MetricDataQueries: [metric('cpu', 'CPUUtilization')] }), 'ValidationException')
  t.equal(await refused({ ...range, MetricDataQueries: [metric('CPU', 'CPUUtilization')] }), 'ValidationException')
  t.equal(await refused({ ...range, MetricDataQueries: [metric('a', 'A'), metric('a', 'B')] }), 'ValidationException')
  t.equal(await refused({ ...range, MetricDataQueries: [metric('a', 'A')] }), 'answered')
})

t.test('an invocation is counted as its log has it, and one that is refused as throttled', async (t) => {
  const app = await buildApp(t)
  const lambda = new Lambda({ ...aws(app), maxAttempts: 1 })
  const cloudwatch = new CloudWatch(aws(app))
  const now = Date.now()
  await lambda.invoke({ FunctionName: 'legacy-sync' })
  const refused = await lambda.invoke({ FunctionName: 'paused-import' }).then(() => 'ran', (error: Error) => error.name)
  t.equal(refused, 'TooManyRequestsException')
  const counted = async (Value: string) => {
    const { MetricDataResults = [] } = await cloudwatch.getMetricData({
      StartTime: new Date(Math.floor(now / 3_600_000) * 3_600_000),
      EndTime: new Date(now + 600_000),
      MetricDataQueries: ['Invocations', 'Errors', 'Throttles', 'Duration'].map((MetricName, index) => ({
        Id: `m${index}`,
        MetricStat: {
          Metric: { Namespace: 'AWS/Lambda', MetricName, Dimensions: [{ Name: 'FunctionName', Value }] }, Period: 3_600, Stat: 'Sum'
        }
      }))
    })
    return MetricDataResults.map(({ Values = [] }) => Values.reduce((sum, value) => sum + value, 0))
  }
  t.same(await counted('legacy-sync'), [1, 1, 0, 3_000])
  t.same(await counted('paused-import'), [0, 0, 1, 0])
})
