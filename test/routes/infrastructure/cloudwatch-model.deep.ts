import { CloudWatch, GetMetricData$, ListMetrics$, type MetricDataQuery } from '@aws-sdk/client-cloudwatch'
import { Lambda } from '@aws-sdk/client-lambda'
import t from '../../tap.js'
import { misfits, partsOf, recordAnswers } from '../../aws-model.js'
import { asAdmin, buildApp } from '../../app.js'
import { aws } from '../../consent/infrastructure.js'
import { steer } from './sandbox.js'

// What Steward sends and the sandbox answers, compared with AWS's own model of CloudWatch, as the SDK's client has it.

const operations: Record<string, unknown> = { GetMetricData: GetMetricData$, ListMetrics: ListMetrics$ }
const partOf = partsOf(operations)

t.test('the check finds what is wrong', async (t) => {
  const wrong = { MetricDataResults: [{ Id: 1, Timestamps: ['today'], color: 'red' }] }
  t.same(misfits(partOf('GetMetricData', 'output'), wrong, ''), [
    '/MetricDataResults/0/Id is 1, not of type 0', '/MetricDataResults/0/Timestamps/0 is "today", not of type 4',
    '/MetricDataResults/0 has color, which the model has not'
  ])
  t.same(misfits(partOf('GetMetricData', 'input'), {}, ''), [' lacks MetricDataQueries', ' lacks StartTime', ' lacks EndTime'])
})

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

t.test('what Steward asks CloudWatch, and what the sandbox answers, is as AWS describes it', async (t) => {
  const app = await buildApp(t)
  for (const url of ['/infrastructure/containers/services/prod%2Fweb/metrics', '/infrastructure/serverless/functions/echo/metrics']) {
    t.equal((await app.inject({ url, headers: asAdmin })).statusCode, 200)
  }
  const { calls } = await steer(app).call<{ calls: { operation: string, params: unknown }[] }>('GET', '/calls?service=monitoring')
  t.same([...new Set(calls.map(({ operation }) => operation))].sort(), Object.keys(operations))
  t.same(calls.flatMap(({ operation, params }) => misfits(partOf(operation, 'input'), params, operation)), [])

  const client = new CloudWatch(aws(app))
  const answers = recordAnswers(client)
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
  await client.listMetrics({ Namespace: 'AWS/Lambda', MetricName: 'Errors' })
  t.same([...new Set(answers.map(({ operation }) => operation))].sort(), Object.keys(operations))
  t.same(answers.flatMap(({ operation, body }) => misfits(partOf(operation, 'output'), body, operation)), [])
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
