import {
  CostExplorerClient, GetAnomaliesCommand, GetCostAndUsageCommand, GetCostForecastCommand, GetTagsCommand,
  type ResultByTime
} from '@aws-sdk/client-cost-explorer'
import t from '../../../test/tap.js'
import { SANDBOX_SECOND_ACCOUNT_ID } from '../src/aws/index.js'
import { setUp } from './aws-setup.js'

const TODAY = Date.UTC(2026, 5, 15, 12)
const OPTIONS = { frozen: true, startAt: TODAY }
const METRICS = ['UnblendedCost']

/** Eight decimals, without floating point. */
function units (amount: string | undefined): bigint {
  const [whole = '0', fraction = ''] = (amount ?? '0').replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(8, '0'))
  return amount?.startsWith('-') ? -value : value
}

function sum (results: ResultByTime[]): bigint {
  return results
    .flatMap((one) => one.Groups!.map((group) => units(group.Metrics!['UnblendedCost']!.Amount)))
    .reduce((total, one) => total + one, 0n)
}

t.test('costs by day and by month', async (t) => {
  const { config } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const read = (Start: string, End: string, Granularity: 'DAILY' | 'MONTHLY', more: object = {}) =>
    ce.send(new GetCostAndUsageCommand({ TimePeriod: { Start, End }, Granularity, Metrics: METRICS, ...more }))
  const days = await read('2026-04-01', '2026-06-01', 'DAILY')
  const months = await read('2026-04-01', '2026-06-01', 'MONTHLY')
  t.equal(days.ResultsByTime!.length, 61)
  t.match(months.ResultsByTime, [
    { TimePeriod: { Start: '2026-04-01', End: '2026-05-01' }, Estimated: false, Groups: [] },
    {
      TimePeriod: { Start: '2026-05-01', End: '2026-06-01' },
      Total: { UnblendedCost: { Amount: /^\d+\.\d+$/, Unit: 'USD' } }
    }
  ])
  const total = (results: ResultByTime[]) =>
    results.reduce((all, one) => all + units(one.Total!['UnblendedCost']!.Amount), 0n)
  t.equal(total(days.ResultsByTime!), total(months.ResultsByTime!))
  const open = await read('2026-06-10', '2026-07-01', 'DAILY')
  t.equal(open.ResultsByTime!.length, 21)
  t.ok(open.ResultsByTime!.every((one) => one.Estimated))
  t.same(open.ResultsByTime!.at(-1)!.Total, { UnblendedCost: { Amount: '0', Unit: 'USD' } })
  const partial = await read('2026-05-20', '2026-06-05', 'MONTHLY')
  t.same(
    partial.ResultsByTime!.map((one) => one.TimePeriod),
    [
      { Start: '2026-05-20', End: '2026-06-01' },
      { Start: '2026-06-01', End: '2026-06-05' }
    ]
  )
})

t.test('groups, filters, pages', async (t) => {
  const { config, calls } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const query = { TimePeriod: { Start: '2025-06-01', End: '2026-06-01' }, Metrics: METRICS }
  const byService = [{ Type: 'DIMENSION' as const, Key: 'SERVICE' }]
  const months = await ce.send(new GetCostAndUsageCommand({ ...query, Granularity: 'MONTHLY', GroupBy: byService }))
  t.match(months.GroupDefinitions, byService)
  t.equal(months.ResultsByTime!.length, 12)
  t.same(months.ResultsByTime![0]!.Total, {})
  t.ok(months.ResultsByTime![0]!.Groups!.some((one) => one.Keys![0] === 'AWS Lambda'))
  const daily: ResultByTime[] = []
  let NextPageToken: string | undefined
  do {
    const page = await ce.send(
      new GetCostAndUsageCommand({ ...query, Granularity: 'DAILY', GroupBy: byService, NextPageToken })
    )
    daily.push(...page.ResultsByTime!)
    NextPageToken = page.NextPageToken
  } while (NextPageToken)
  t.equal(daily.length, 365)
  t.equal(sum(daily), sum(months.ResultsByTime!))
  t.ok((await calls('GetCostAndUsage')) > 5)
  const tagged = await ce.send(
    new GetCostAndUsageCommand({
      ...query,
      Granularity: 'MONTHLY',
      GroupBy: [
        { Type: 'TAG', Key: 'team' },
        { Type: 'DIMENSION', Key: 'REGION' }
      ]
    })
  )
  const keys = tagged.ResultsByTime![0]!.Groups!.map((one) => one.Keys!.join(' '))
  t.ok(keys.includes('team$web eu-west-1'))
  t.ok(keys.includes('team$ global'))
  t.equal(sum(tagged.ResultsByTime!), sum(months.ResultsByTime!))
  const linked = await ce.send(
    new GetCostAndUsageCommand({
      ...query,
      Granularity: 'MONTHLY',
      GroupBy: [{ Type: 'DIMENSION', Key: 'LINKED_ACCOUNT' }]
    })
  )
  t.match(linked.DimensionValueAttributes, [
    { Value: '123456789012', Attributes: { description: 'Larkspur Outfitters' } }
  ])
  const filtered = await ce.send(
    new GetCostAndUsageCommand({
      ...query,
      Granularity: 'MONTHLY',
      GroupBy: byService,
      Filter: {
        And: [
          { Not: { Dimensions: { Key: 'RECORD_TYPE', Values: ['Credit', 'Tax'] } } },
          {
            Or: [
              { Tags: { Key: 'env', Values: ['prod'] } },
              { Dimensions: { Key: 'SERVICE', Values: ['AWS Lambda'] } }
            ]
          }
        ]
      }
    })
  )
  t.notOk(filtered.ResultsByTime![0]!.Groups!.some((one) => one.Keys![0] === 'Tax'))
  t.ok(sum(filtered.ResultsByTime!) < sum(months.ResultsByTime!))
})

t.test('metrics', async (t) => {
  const { config } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const { ResultsByTime } = await ce.send(
    new GetCostAndUsageCommand({
      TimePeriod: { Start: '2026-05-01', End: '2026-05-03' },
      Granularity: 'DAILY',
      Metrics: ['UnblendedCost', 'AmortizedCost', 'NetUnblendedCost', 'UsageQuantity']
    })
  )
  const [first, second] = ResultsByTime!.map((one) => one.Total!)
  t.ok(units(first!['UnblendedCost']!.Amount) > units(first!['AmortizedCost']!.Amount), 'fees fall on the first day')
  t.ok(units(second!['UnblendedCost']!.Amount) < units(second!['AmortizedCost']!.Amount))
  t.ok(units(first!['NetUnblendedCost']!.Amount) < units(first!['UnblendedCost']!.Amount))
  t.equal(first!['UsageQuantity']!.Unit, 'N/A')
})

t.test('what GetCostAndUsage refuses', async (t) => {
  const { config } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const read = (Start: string, End: string, more: object = {}) =>
    ce.send(
      new GetCostAndUsageCommand({
        TimePeriod: { Start, End },
        Granularity: 'DAILY',
        Metrics: METRICS,
        ...more
      })
    )
  const refused = { name: 'ValidationException' }
  await t.rejects(read('2026-06-01', '2026-06-01'), {
    ...refused,
    message: /Start date \(and hour\) should be before end date/
  })
  await t.rejects(read('2026-06-01', '2026-07-02'), {
    ...refused,
    message: 'end date past the beginning of next month'
  })
  await t.rejects(read('2025-03-31', '2026-06-01'), { ...refused, message: /beyond 14 months/ })
  await t.rejects(read('yesterday', '2026-06-01'), refused)
  await t.rejects(read('2026-05-01', '2026-06-01', { Metrics: [] }), refused)
  await t.rejects(read('2026-05-01', '2026-06-01', { Metrics: ['Price'] }), refused)
  await t.rejects(
    read('2026-05-01', '2026-06-01', {
      GroupBy: ['SERVICE', 'REGION', 'USAGE_TYPE'].map((Key) => ({ Type: 'DIMENSION', Key }))
    }),
    refused
  )
  await t.rejects(read('2026-05-01', '2026-06-01', { GroupBy: [{ Type: 'DIMENSION', Key: 'MOON' }] }), refused)
  await t.rejects(read('2026-05-01', '2026-06-01', { NextPageToken: 'x' }), { name: 'InvalidNextTokenException' })
  await t.rejects(read('2026-06-14', '2026-06-15', { Granularity: 'HOURLY' }), { name: 'AccessDeniedException' })
})

t.test('forecasts', async (t) => {
  const { config, ask } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const read = (Start: string, End: string, more: object = {}, client = ce) =>
    client.send(
      new GetCostForecastCommand({
        TimePeriod: { Start, End },
        Granularity: 'MONTHLY',
        Metric: 'UNBLENDED_COST',
        ...more
      })
    )
  const forecast = await read('2026-06-15', '2026-08-01', { PredictionIntervalLevel: 80 })
  t.same(
    forecast.ForecastResultsByTime!.map((one) => one.TimePeriod),
    [
      { Start: '2026-06-15', End: '2026-07-01' },
      { Start: '2026-07-01', End: '2026-08-01' }
    ]
  )
  const [first, second] = forecast.ForecastResultsByTime!
  t.equal(units(forecast.Total!.Amount), units(first!.MeanValue) + units(second!.MeanValue))
  t.ok(units(first!.PredictionIntervalLowerBound) < units(first!.MeanValue))
  t.ok(units(first!.PredictionIntervalUpperBound) > units(first!.MeanValue))
  t.equal((await read('2026-06-15', '2026-06-20', { Granularity: 'DAILY' })).ForecastResultsByTime!.length, 5)
  const refused = { name: 'ValidationException' }
  await t.rejects(read('2026-06-14', '2026-07-01'), refused)
  await t.rejects(read('2026-07-01', '2026-07-01'), refused)
  await t.rejects(read('2026-06-15', '2028-06-15'), refused)
  await t.rejects(read('2026-06-15', '2026-12-15', { Granularity: 'DAILY' }), refused)
  await ask('PUT', '/credentials', {
    access_key_id: 'AKIASANDBOX2222222222',
    secret_access_key: 'x',
    account_id: SANDBOX_SECOND_ACCOUNT_ID
  })
  const credentials = { accessKeyId: 'AKIASANDBOX2222222222', secretAccessKey: 'x' }
  await t.rejects(read('2026-06-15', '2026-07-01', {}, new CostExplorerClient({ ...config, credentials })), {
    name: 'DataUnavailableException'
  })
})

t.test('an anomaly, and the days on which it can be seen', async (t) => {
  const { config } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const read = (StartDate: string, EndDate?: string, more: object = {}) =>
    ce.send(new GetAnomaliesCommand({ DateInterval: { StartDate, EndDate }, ...more }))
  const { Anomalies } = await read('2026-05-01')
  t.match(Anomalies, [
    {
      AnomalyStartDate: '2026-05-27T00:00:00Z',
      AnomalyEndDate: '2026-05-30T00:00:00Z',
      DimensionValue: 'EC2 - Other',
      Impact: { TotalImpact: 165.48 },
      AnomalyScore: { MaxScore: 0.86 },
      RootCauses: [{ UsageType: 'EU-NatGateway-Bytes', Region: 'eu-west-1' }]
    }
  ])
  t.same((await read('2026-06-05')).Anomalies, [])
  t.same((await read('2026-05-01', '2026-05-20')).Anomalies, [])
  t.same(
    (await read('2026-05-01', undefined, { TotalImpact: { NumericOperator: 'GREATER_THAN', StartValue: 500 } }))
      .Anomalies,
    []
  )
  const { ResultsByTime } = await ce.send(
    new GetCostAndUsageCommand({
      TimePeriod: { Start: '2026-05-20', End: '2026-05-31' },
      Granularity: 'DAILY',
      Metrics: METRICS,
      Filter: { Dimensions: { Key: 'SERVICE', Values: ['EC2 - Other'] } }
    })
  )
  const amounts = ResultsByTime!.map((one) => Number(one.Total!['UnblendedCost']!.Amount))
  t.ok(amounts.slice(7).every((one) => one > 40) && amounts.slice(0, 7).every((one) => one < 15))
})

t.test('the tags of what cost something, page by page, and the values of a key', async (t) => {
  const { config } = await setUp(t, OPTIONS)
  const ce = new CostExplorerClient(config)
  const TimePeriod = { Start: '2026-05-01', End: '2026-06-16' }
  const read = async (more: object = {}) => {
    const { $metadata: _metadata, ...answer } = await ce.send(new GetTagsCommand({ TimePeriod, ...more }))
    return answer
  }
  t.same(await read(), { Tags: ['env', 'team'], ReturnSize: 2, TotalSize: 2 })
  t.same((await read({ TagKey: 'env' })).Tags, ['', 'prod', 'staging'], 'an empty text is what has no such tag')
  t.same((await read({ TagKey: 'team', SearchString: 'or' })).Tags, ['orders', 'platform'])
  t.same((await read({ Filter: { Dimensions: { Key: 'SERVICE', Values: ['EC2 - Other'] } } })).Tags, ['env'])
  t.same(await read({ TimePeriod: { Start: '2026-06-20', End: '2026-06-21' } }),
    { Tags: [], ReturnSize: 0, TotalSize: 0 }, 'nothing has cost anything yet')
  const sorted = { SortBy: [{ Key: 'UnblendedCost', SortOrder: 'DESCENDING' as const }], MaxResults: 1 }
  const { NextPageToken, ...first } = await read(sorted)
  t.same(first, { Tags: ['team'], ReturnSize: 1, TotalSize: 2 })
  t.same(await read({ ...sorted, NextPageToken }), { Tags: ['env'], ReturnSize: 1, TotalSize: 2 })
  await t.rejects(read({ NextPageToken }), { name: 'InvalidNextTokenException' }, 'a token of another question')
  await t.rejects(read({ MaxResults: 1 }), { name: 'ValidationException' })
  await t.rejects(read({ TimePeriod: { Start: '2026-06-15', End: '2026-06-15' } }), { name: 'ValidationException' })
})
