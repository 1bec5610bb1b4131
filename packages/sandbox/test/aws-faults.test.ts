import { CostExplorerClient, GetCostAndUsageCommand } from '@aws-sdk/client-cost-explorer'
import { DescribeServicesCommand, ECSClient, ListClustersCommand, UpdateServiceCommand } from '@aws-sdk/client-ecs'
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import t from '../../../test/tap.js'
import { setUp } from './aws-setup.js'

t.test('faults', async (t) => {
  const { config, ask, post, calls } = await setUp(t)
  const ecs = new ECSClient(config)
  const list = (client = ecs) => client.send(new ListClustersCommand({}))
  const arm = (fault: object) => post('/faults', { operation: 'ListClusters', ...fault })

  await t.test('throttling, so many times', async (t) => {
    await arm({ kind: 'throttle', times: 2, after: 1 })
    await list()
    await t.rejects(list(), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } })
    await t.rejects(list(), { name: 'ThrottlingException' })
    await list()
    await post('/faults', { kind: 'throttle', service: 'lambda' })
    await t.rejects(new LambdaClient(config).send(new ListFunctionsCommand({})), {
      name: 'TooManyRequestsException',
      Reason: 'CallerRateLimitExceeded',
      $metadata: { httpStatusCode: 429 }
    })
    await post('/faults', { kind: 'throttle', service: 'sts' })
    await t.rejects(new STSClient(config).send(new GetCallerIdentityCommand({})), { name: 'Throttling' })
    await post('/faults', { kind: 'throttle', service: 'ce' })
    await t.rejects(
      new CostExplorerClient(config).send(
        new GetCostAndUsageCommand({
          TimePeriod: { Start: '2026-01-01', End: '2026-01-02' },
          Granularity: 'DAILY',
          Metrics: ['UnblendedCost']
        })
      ),
      { name: 'LimitExceededException', message: 'Rate exceeded' }
    )
  })

  await t.test('a client that retries gets through', async (t) => {
    await arm({ kind: 'throttle', times: 1 })
    await list(new ECSClient({ ...config, maxAttempts: 3 }))
    await arm({ kind: 'error_500', times: 1 })
    await list(new ECSClient({ ...config, maxAttempts: 3 }))
    t.same((await ask('GET', '/faults'))['faults'], [])
  })

  await t.test('refusals', async (t) => {
    await arm({ kind: 'access_denied' })
    await t.rejects(list(), {
      name: 'AccessDeniedException',
      message: /is not authorized to perform: ecs:ListClusters/
    })
    await arm({ kind: 'expired_token' })
    await t.rejects(list(), { name: 'ExpiredTokenException' })
    await arm({
      kind: 'error',
      code: 'OptInRequired',
      message: 'The AWS Access Key Id needs a subscription',
      status: 403
    })
    await t.rejects(list(), { name: 'OptInRequired', $metadata: { httpStatusCode: 403 } })
  })

  await t.test('broken answers', async (t) => {
    await arm({ kind: 'error_500' })
    await t.rejects(list(), { name: 'ServerException', $metadata: { httpStatusCode: 500 } })
    await arm({ kind: 'html_503' })
    const error: unknown = await list().catch((caught: unknown) => caught)
    t.match(error, { name: 'SyntaxError', $metadata: { httpStatusCode: 503 } })
    await arm({ kind: 'drop' })
    await t.rejects(list(), { code: 'ECONNRESET' })
    await arm({ kind: 'hang', delay_ms: 50 })
    await t.rejects(list(), { code: 'ECONNRESET' })
  })

  await t.test('a hanging request ends when the client gives up', async (t) => {
    await arm({ kind: 'hang' })
    await t.rejects(ecs.send(new ListClustersCommand({}), { abortSignal: AbortSignal.timeout(50) }), {
      name: 'AbortError'
    })
  })

  await t.test('slow, and only where it matches', async (t) => {
    await arm({ kind: 'slow', delay_ms: 2_000, match: 'us-east-1' })
    const ended: string[] = []
    const slow = list(new ECSClient({ ...config, region: 'us-east-1' })).then(() => ended.push('us-east-1'))
    await list().then(() => ended.push('eu-west-1'))
    await slow
    t.same(ended, ['eu-west-1', 'us-east-1'])
  })

  await t.test('carried out, and then the answer is lost', async (t) => {
    const before = await calls('UpdateService')
    await post('/faults', { kind: 'drop', operation: 'UpdateService', executed: true })
    await t.rejects(ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 5 })))
    t.equal((await calls('UpdateService')) - before, 1)
    const { services } = await ecs.send(new DescribeServicesCommand({ cluster: 'prod', services: ['web'] }))
    t.equal(services?.[0]?.desiredCount, 5)
  })

  await t.test('a stale read', async (t) => {
    await post('/faults', { kind: 'stale', operation: 'DescribeServices', times: 1 })
    await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 6 }))
    const desired = async () => {
      const { services } = await ecs.send(new DescribeServicesCommand({ cluster: 'prod', services: ['web'] }))
      return services?.[0]?.desiredCount
    }
    t.same([await desired(), await desired()], [5, 6])
  })
})
