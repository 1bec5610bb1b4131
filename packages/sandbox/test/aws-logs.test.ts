import {
  CloudWatchLogsClient, CreateLogGroupCommand, DescribeLogGroupsCommand, DescribeLogStreamsCommand,
  FilterLogEventsCommand, GetLogEventsCommand, StartLiveTailCommand, type FilteredLogEvent
} from '@aws-sdk/client-cloudwatch-logs'
import { ECSClient, ListTasksCommand, RegisterTaskDefinitionCommand, UpdateServiceCommand } from '@aws-sdk/client-ecs'
import t from '../../../test/tap.js'
import { setUp, type SetUp } from './aws-setup.js'

const MINUTE = 60_000

async function now ({ ask }: SetUp): Promise<number> {
  return Date.parse((await ask('GET', '/clock'))['now'] ?? '')
}

t.test('groups and streams', async (t) => {
  const { config } = await setUp(t)
  const logs = new CloudWatchLogsClient(config)
  const { logGroups } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: '/ecs/prod/' }))
  t.same(
    logGroups!.map((one) => one.logGroupName),
    ['/ecs/prod/api', '/ecs/prod/node-agent', '/ecs/prod/search', '/ecs/prod/web', '/ecs/prod/worker']
  )
  t.match(logGroups![0], {
    logGroupClass: 'STANDARD',
    retentionInDays: 30,
    arn: 'arn:aws:logs:eu-west-1:123456789012:log-group:/ecs/prod/api:*'
  })
  const first = await logs.send(new DescribeLogGroupsCommand({ limit: 3 }))
  t.equal(first.logGroups!.length, 3)
  t.not((await logs.send(new DescribeLogGroupsCommand({ nextToken: first.nextToken }))).logGroups!.length, 0)
  t.match((await logs.send(new DescribeLogGroupsCommand({ logGroupClass: 'INFREQUENT_ACCESS' }))).logGroups, [
    { logGroupName: '/archive/cdn' }
  ])
  await t.rejects(logs.send(new DescribeLogGroupsCommand({ limit: 51 })), { name: 'InvalidParameterException' })
  await t.rejects(logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: 'a', logGroupNamePattern: 'b' })), {
    name: 'InvalidParameterException'
  })
  const streams = (more: object) =>
    logs.send(new DescribeLogStreamsCommand({ logGroupName: '/ecs/prod/web', ...more }))
  const { logStreams } = await streams({ orderBy: 'LastEventTime', descending: true })
  t.equal(logStreams!.length, 2)
  t.match(logStreams![0], { logStreamName: /^ecs\/web\/[0-9a-f]{32}$/ })
  t.ok(logStreams![0]!.lastEventTimestamp! > logStreams![0]!.firstEventTimestamp!)
  await t.rejects(streams({ orderBy: 'LastEventTime', logStreamNamePrefix: 'ecs' }), {
    name: 'InvalidParameterException'
  })
  await t.rejects(streams({ logGroupName: '/none' }), {
    name: 'ResourceNotFoundException',
    message: 'The specified log group does not exist.'
  })
  await logs.send(new CreateLogGroupCommand({ logGroupName: '/new' }))
  await t.rejects(logs.send(new CreateLogGroupCommand({ logGroupName: '/new' })), {
    name: 'ResourceAlreadyExistsException'
  })
})

t.test('the streams of a task carry its name and its lines', async (t) => {
  const setup = await setUp(t)
  const { config, advance } = setup
  const logs = new CloudWatchLogsClient(config)
  const { taskArns } = await new ECSClient(config).send(new ListTasksCommand({ cluster: 'prod', serviceName: 'api' }))
  const id = taskArns![0]!.split('/').at(-1)!
  const read = async (since: number) =>
    (
      await logs.send(
        new FilterLogEventsCommand({
          logGroupName: '/ecs/prod/api',
          logStreamNames: [`ecs/api/${id}`, `ecs/xray/${id}`],
          startTime: since
        })
      )
    ).events!
  const time = await now(setup)
  const before = await read(time - MINUTE)
  t.ok(before.length >= 28 && before.length <= 32, `a line every four seconds: ${before.length}`)
  await advance(MINUTE)
  const after = await read(time - MINUTE)
  t.same(after.slice(0, before.length), before, 'what was read does not change')
  t.ok(after.length >= before.length + 28)
})

t.test('a filter reads every page, and some are empty', async (t) => {
  const setup = await setUp(t)
  const logs = new CloudWatchLogsClient(setup.config)
  const startTime = (await now(setup)) - 3 * 3600_000
  const all = async (more: object) => {
    const events: FilteredLogEvent[] = []
    let nextToken: string | undefined
    let pages = 0
    let empty = 0
    do {
      const page = await logs.send(
        new FilterLogEventsCommand({ logGroupName: '/ecs/prod/web', startTime, nextToken, ...more })
      )
      t.same(page.searchedLogStreams, [])
      if (page.events!.length === 0 && page.nextToken) empty++
      events.push(...page.events!)
      nextToken = page.nextToken
      pages++
    } while (nextToken)
    return { events, pages, empty }
  }
  const whole = await all({})
  t.ok(whole.events.length > 5000)
  t.equal(new Set(whole.events.map((one) => one.eventId)).size, whole.events.length)
  t.ok(whole.events.every((one, index) => index === 0 || one.timestamp! >= whole.events[index - 1]!.timestamp!))
  t.match(whole.events[0], { logStreamName: /^ecs\/web\//, ingestionTime: Number, message: /^GET / })
  const small = await all({ limit: 700 })
  t.same(small.events, whole.events)
  t.ok(small.pages >= 8)
  const rare = await all({ filterPattern: '"no such words"' })
  t.equal(rare.events.length, 0)
  t.ok(rare.empty >= 2, 'empty pages with a token')
  const errors = await all({ filterPattern: '" 502 "' })
  t.same(
    errors.events,
    whole.events.filter((one) => one.message!.includes(' 502 '))
  )
  const newest = await all({ startFromHead: false })
  t.same(newest.events, [...whole.events].reverse())
})

t.test('filter patterns', async (t) => {
  const setup = await setUp(t)
  const logs = new CloudWatchLogsClient(setup.config)
  const startTime = (await now(setup)) - 3600_000
  const read = async (filterPattern: string, logGroupName = '/ecs/prod/api') =>
    (
      await logs.send(
        new FilterLogEventsCommand({ logGroupName, logStreamNamePrefix: 'ecs/api', startTime, filterPattern })
      )
    ).events!.map((one) => JSON.parse(one.message!))
  const errors = await read('{ $.level = "error" }')
  t.ok(errors.length > 0)
  t.ok(errors.every((one) => one.level === 'error'))
  t.ok(
    (await read('{ $.duration_ms > 300 && $.level != "error" }')).every(
      (one) => one.duration_ms > 300 && one.level !== 'error'
    )
  )
  t.ok((await read('{ $.msg = "slow*" }')).every((one) => one.msg === 'slow query'))
  t.same(await read('?timed ?slow'), await read('%timed|slow%'))
  t.ok((await read('-info')).every((one) => one.level !== 'info'))
  await t.rejects(read('[a, b]'), { name: 'InvalidParameterException' })
  await t.rejects(read('{ nonsense }'), { name: 'InvalidParameterException' })
  await t.rejects(read('"unclosed'), { name: 'InvalidParameterException' })
})

t.test('what FilterLogEvents refuses', async (t) => {
  const { config } = await setUp(t)
  const logs = new CloudWatchLogsClient(config)
  const read = (more: object) => logs.send(new FilterLogEventsCommand({ logGroupName: '/ecs/prod/web', ...more }))
  await t.rejects(read({ logGroupName: '/none' }), { name: 'ResourceNotFoundException' })
  await t.rejects(read({ logGroupName: '/archive/cdn' }), {
    name: 'InvalidParameterException',
    message: /INFREQUENT_ACCESS/
  })
  await t.rejects(read({ limit: 10_001 }), { name: 'InvalidParameterException' })
  await t.rejects(read({ nextToken: 'x' }), {
    name: 'InvalidParameterException',
    message: 'The specified nextToken is invalid.'
  })
  await t.rejects(read({ startFromHead: false }), { name: 'InvalidParameterException' })
  await t.rejects(read({ startTime: 2, endTime: 1 }), { name: 'InvalidParameterException' })
  await t.rejects(read({ logStreamNames: Array.from({ length: 101 }, String) }), {
    name: 'InvalidParameterException'
  })
  await t.rejects(read({ logStreamNames: ['a'], logStreamNamePrefix: 'b' }), { name: 'InvalidParameterException' })
  await t.rejects(read({ logGroupIdentifier: '/x' }), { name: 'InvalidParameterException' })
})

t.test('GetLogEvents ends when its token repeats', async (t) => {
  const setup = await setUp(t)
  const logs = new CloudWatchLogsClient(setup.config)
  const time = await now(setup)
  const { logStreams } = await logs.send(new DescribeLogStreamsCommand({ logGroupName: '/ecs/prod/web' }))
  const read = (more: object) =>
    logs.send(
      new GetLogEventsCommand({
        logGroupName: '/ecs/prod/web',
        logStreamName: logStreams![0]!.logStreamName,
        startTime: time - 10 * MINUTE,
        ...more
      })
    )
  const all = (await read({})).events!
  t.ok(all.length >= 145 && all.length <= 155)
  const forward = []
  let page = await read({ startFromHead: true, limit: 40 })
  for (let token = ''; page.nextForwardToken !== token; page = await read({ nextToken: token, limit: 40 })) {
    forward.push(...page.events!)
    token = page.nextForwardToken!
  }
  t.same(forward, all)
  t.same(page.events, [])
  const tail = await read({ limit: 10 })
  t.same(tail.events, all.slice(-10))
  const earlier = await read({ nextToken: tail.nextBackwardToken, limit: 10 })
  t.same(earlier.events, all.slice(-20, -10))
  t.same((await read({ nextToken: earlier.nextForwardToken, limit: 10 })).events, all.slice(-10))
  await setup.advance(8000)
  t.equal((await read({ nextToken: tail.nextForwardToken })).events!.length, 2, 'a token at the end goes on later')
  await t.rejects(read({ nextToken: 'x' }), { name: 'InvalidParameterException' })
  await t.rejects(read({ logStreamName: 'none' }), {
    name: 'ResourceNotFoundException',
    message: 'The specified log stream does not exist.'
  })
})

t.test('a task that crashes leaves its last words', async (t) => {
  const setup = await setUp(t)
  const { config, advance } = setup
  const ecs = new ECSClient(config)
  const startTime = await now(setup)
  const { taskDefinition } = await ecs.send(
    new RegisterTaskDefinitionCommand({
      family: 'web',
      containerDefinitions: [
        {
          name: 'web',
          image: 'web:crash',
          memory: 64,
          logConfiguration: {
            logDriver: 'awslogs',
            options: { 'awslogs-group': '/ecs/staging/web', 'awslogs-region': 'us-east-1' }
          }
        }
      ]
    })
  )
  await ecs.send(
    new UpdateServiceCommand({ cluster: 'prod', service: 'web', taskDefinition: taskDefinition!.taskDefinitionArn })
  )
  await advance(20_000)
  const virginia = new CloudWatchLogsClient({ ...config, region: 'us-east-1' })
  const { events } = await virginia.send(
    new FilterLogEventsCommand({
      logGroupName: '/ecs/staging/web',
      startTime,
      filterPattern: 'ECONNREFUSED'
    })
  )
  t.ok(events!.length >= 3, 'in another region, where its log configuration sends it')
  t.match(events![0]!.logStreamName, /^[0-9a-f]{32}-\d+$/, 'without a prefix the stream has the runtime id')
})

t.test('live tail', async (t) => {
  const { config } = await setUp(t, {})
  const logs = new CloudWatchLogsClient({ ...config, disableHostPrefix: true })
  const group = 'arn:aws:logs:eu-west-1:123456789012:log-group:/ecs/prod/web'
  const { responseStream } = await logs.send(new StartLiveTailCommand({ logGroupIdentifiers: [group] }))
  let started = false
  let events = 0
  for await (const event of responseStream!) {
    if (event.sessionStart) started = event.sessionStart.sessionId !== undefined
    if (!event.sessionUpdate) continue
    t.match(event.sessionUpdate.sessionMetadata, { sampled: false })
    events += event.sessionUpdate.sessionResults!.length
    if (events >= 2) break
  }
  t.ok(started)
  await t.rejects(logs.send(new StartLiveTailCommand({ logGroupIdentifiers: [] })), {
    name: 'InvalidParameterException'
  })
})
