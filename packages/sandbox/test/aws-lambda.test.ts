import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs'
import {
  GetAliasCommand, GetFunctionCommand, GetFunctionConfigurationCommand, InvokeCommand, LambdaClient,
  ListAliasesCommand, ListFunctionsCommand, ListTagsCommand, ListVersionsByFunctionCommand, PublishVersionCommand,
  UpdateAliasCommand, UpdateFunctionCodeCommand
} from '@aws-sdk/client-lambda'
import t from '../../../test/tap.js'
import { setUp } from './aws-setup.js'

const ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:'

t.test('functions are listed, without their state', async (t) => {
  const { config } = await setUp(t)
  const lambda = new LambdaClient(config)
  const { Functions, NextMarker } = await lambda.send(new ListFunctionsCommand({}))
  t.same(
    Functions!.map((one) => one.FunctionName),
    [
      'echo',
      'order-webhook',
      'image-resizer',
      'nightly-report',
      'catalog-export',
      'legacy-sync',
      'pdf-render',
      'paused-import'
    ]
  )
  t.equal(NextMarker, undefined)
  t.match(Functions![0], {
    FunctionArn: `${ARN}echo`,
    Runtime: 'nodejs22.x',
    Version: '$LATEST',
    PackageType: 'Zip',
    LastModified: /\+0000$/,
    LoggingConfig: { LogGroup: '/aws/lambda/echo' }
  })
  t.equal(Functions![0]!.State, undefined)
  const first = await lambda.send(new ListFunctionsCommand({ MaxItems: 5 }))
  const second = await lambda.send(new ListFunctionsCommand({ MaxItems: 5, Marker: first.NextMarker }))
  t.same([first.Functions!.length, second.Functions!.length], [5, 3])
  t.equal(
    (await lambda.send(new ListFunctionsCommand({ FunctionVersion: 'ALL', MaxItems: 10_000 }))).Functions!.length,
    13
  )
  await t.rejects(lambda.send(new ListFunctionsCommand({ Marker: 'x' })), { name: 'InvalidParameterValueException' })
})

t.test('one function, by name, ARN and qualifier', async (t) => {
  const { config } = await setUp(t)
  const lambda = new LambdaClient(config)
  const read = (FunctionName: string, Qualifier?: string) =>
    lambda.send(new GetFunctionConfigurationCommand({ FunctionName, Qualifier }))
  t.match(await read('echo'), { State: 'Active', LastUpdateStatus: 'Successful', RevisionId: String })
  t.equal((await read('order-webhook', 'live')).Version, '2')
  t.equal((await read(`${ARN}order-webhook:3`)).Version, '3')
  t.equal((await read('123456789012:function:order-webhook', 'canary')).Version, '3')
  const missing = { name: 'ResourceNotFoundException', $metadata: { httpStatusCode: 404 } }
  await t.rejects(read('nope'), { ...missing, message: `Function not found: ${ARN}nope` })
  await t.rejects(read('order-webhook', 'none'), {
    ...missing,
    message: `Function not found: ${ARN}order-webhook:none`
  })
  await t.rejects(read('order-webhook:1', '2'), { name: 'InvalidParameterValueException' })
  await t.rejects(read('what is this'), { name: 'ValidationException' })
  t.match(await lambda.send(new GetFunctionCommand({ FunctionName: 'order-webhook' })), {
    Configuration: { Environment: { Variables: { TABLE: 'orders' } } },
    Code: { RepositoryType: 'S3' },
    Tags: { team: 'orders' }
  })
  t.match(await lambda.send(new GetFunctionCommand({ FunctionName: 'paused-import' })), {
    Concurrency: { ReservedConcurrentExecutions: 0 }
  })
  t.match(await lambda.send(new GetFunctionCommand({ FunctionName: 'pdf-render' })), {
    Code: { RepositoryType: 'ECR' }
  })
})

t.test('versions, aliases, tags', async (t) => {
  const { config } = await setUp(t)
  const lambda = new LambdaClient(config)
  const FunctionName = 'order-webhook'
  const { Versions } = await lambda.send(new ListVersionsByFunctionCommand({ FunctionName }))
  t.same(
    Versions!.map((one) => one.Version),
    ['$LATEST', '1', '2', '3']
  )
  const { Aliases } = await lambda.send(new ListAliasesCommand({ FunctionName }))
  t.same(
    Aliases!.map((one) => [one.Name, one.FunctionVersion]),
    [
      ['live', '2'],
      ['canary', '3']
    ]
  )
  t.match((await lambda.send(new ListAliasesCommand({ FunctionName, FunctionVersion: '3' }))).Aliases, [
    { Name: 'canary' }
  ])
  await lambda.send(new UpdateAliasCommand({ FunctionName, Name: 'live', FunctionVersion: '3' }))
  t.equal((await lambda.send(new GetAliasCommand({ FunctionName, Name: 'live' }))).FunctionVersion, '3')
  await t.rejects(lambda.send(new UpdateAliasCommand({ FunctionName, Name: 'live', FunctionVersion: '9' })), {
    name: 'ResourceNotFoundException'
  })
  await t.rejects(lambda.send(new UpdateAliasCommand({ FunctionName, Name: 'none' })), {
    name: 'ResourceNotFoundException'
  })
  await t.rejects(lambda.send(new GetAliasCommand({ FunctionName, Name: 'none' })), {
    name: 'ResourceNotFoundException'
  })
  t.match((await lambda.send(new ListTagsCommand({ Resource: `${ARN}order-webhook` }))).Tags, { team: 'orders' })
})

t.test('invocations', async (t) => {
  const { config, advance } = await setUp(t, { frozen: true, slowFunctionMs: 60 })
  const lambda = new LambdaClient(config)
  const invoke = (FunctionName: string, more: object = {}) =>
    lambda.send(new InvokeCommand({ FunctionName, ...more }))
  const parse = (payload?: { transformToString(): string }) => JSON.parse(payload?.transformToString() ?? 'null')

  const echo = await invoke('echo', { Payload: '{"a":"ü"}', LogType: 'Tail' })
  t.match(echo, { StatusCode: 200, ExecutedVersion: '$LATEST', FunctionError: undefined })
  t.same(parse(echo.Payload), { a: 'ü' })
  const tail = Buffer.from(echo.LogResult!, 'base64').toString()
  t.match(
    tail,
    /^START RequestId: .*Version: \$LATEST\n.*\nEND RequestId: .*\nREPORT RequestId: .*Billed Duration: 3 ms/s
  )
  t.equal((await invoke('order-webhook', { Qualifier: 'live' })).ExecutedVersion, '2')

  const failed = await invoke('nightly-report')
  t.match(failed, { StatusCode: 200, FunctionError: 'Unhandled', LogResult: undefined })
  t.match(parse(failed.Payload), { errorType: 'TypeError', errorMessage: /total/, trace: [String, String, String] })
  t.match(parse((await invoke('legacy-sync')).Payload), { errorMessage: /Task timed out after 3\.00 seconds/ })
  t.match(parse((await invoke('pdf-render')).Payload), { errorType: 'Runtime.ExitError' })
  const start = Date.now()
  t.same(parse((await invoke('catalog-export')).Payload), { exported: 1204 })
  t.ok(Date.now() - start >= 55)

  const accepted = await invoke('echo', { InvocationType: 'Event', Payload: '{"event":1}' })
  t.match(accepted, { StatusCode: 202, FunctionError: undefined })
  t.equal((await invoke('echo', { InvocationType: 'DryRun' })).StatusCode, 204)
  await t.rejects(invoke('echo', { Payload: '{' }), { name: 'InvalidRequestContentException' })
  await t.rejects(invoke('nope'), { name: 'ResourceNotFoundException' })
  await t.rejects(invoke('paused-import'), {
    name: 'TooManyRequestsException',
    Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
    $metadata: { httpStatusCode: 429 }
  })

  await advance(1000)
  const { events } = await new CloudWatchLogsClient(config).send(
    new FilterLogEventsCommand({
      logGroupName: '/aws/lambda/echo',
      filterPattern: '"INFO {"',
      startTime: Date.now() - 60_000
    })
  )
  t.same(
    events!.map((one) => one.message),
    ['INFO {"a":"ü"}\n', 'INFO {"event":1}\n']
  )
})

t.test('payloads that are too large', async (t) => {
  const { config } = await setUp(t)
  const lambda = new LambdaClient(config)
  const payload = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
  const invoke = (bytes: number, InvocationType?: 'Event') =>
    lambda.send(new InvokeCommand({ FunctionName: 'echo', Payload: Buffer.from(payload(bytes)), InvocationType }))
  t.equal((await invoke(6_291_456)).Payload!.length, 6_291_456)
  await t.rejects(invoke(6_291_457), { name: 'RequestTooLargeException', $metadata: { httpStatusCode: 413 } })
  t.equal((await invoke(1_048_576, 'Event')).StatusCode, 202)
  await t.rejects(invoke(1_048_577, 'Event'), { name: 'RequestTooLargeException' })
})

t.test('new code', async (t) => {
  const { config, advance } = await setUp(t)
  const lambda = new LambdaClient(config)
  const update = (more: object, FunctionName = 'order-webhook') =>
    lambda.send(new UpdateFunctionCodeCommand({ FunctionName, ...more }))
  const read = (FunctionName = 'order-webhook') => lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))
  const before = await read()
  const ZipFile = Buffer.from('zip')
  await update({ ZipFile, DryRun: true })
  t.equal((await read()).CodeSha256, before.CodeSha256)
  await t.rejects(update({ ZipFile, RevisionId: 'other' }), {
    name: 'PreconditionFailedException',
    $metadata: { httpStatusCode: 412 }
  })
  await t.rejects(update({}), { name: 'InvalidParameterValueException' })
  await t.rejects(update({ ImageUri: 'a:b' }), { name: 'InvalidParameterValueException' })
  await t.rejects(update({ ZipFile }, 'pdf-render'), { name: 'InvalidParameterValueException' })
  const begun = await update({ ZipFile, RevisionId: before.RevisionId })
  t.match(begun, { LastUpdateStatus: 'InProgress', CodeSize: 3 })
  t.not(begun.CodeSha256, before.CodeSha256)
  t.not(begun.RevisionId, before.RevisionId)
  await t.rejects(update({ ZipFile }), {
    name: 'ResourceConflictException',
    message: /An update is in progress for resource/,
    $metadata: { httpStatusCode: 409 }
  })
  await advance(2000)
  t.equal((await read()).LastUpdateStatus, 'Successful')
  t.equal((await lambda.send(new PublishVersionCommand({ FunctionName: 'order-webhook' }))).Version, '4')
  t.equal(
    (await lambda.send(new PublishVersionCommand({ FunctionName: 'order-webhook' }))).Version,
    '4',
    'nothing changed'
  )
  t.match(await update({ S3Bucket: 'b', S3Key: 'k', Publish: true }), {
    Version: '5',
    FunctionArn: `${ARN}order-webhook:5`
  })
  await update({ ImageUri: 'registry/pdf:nopull' }, 'pdf-render')
  await advance(2000)
  t.match(await read('pdf-render'), { LastUpdateStatus: 'Failed', LastUpdateStatusReasonCode: 'InvalidImage' })
})
