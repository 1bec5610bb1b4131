import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs'
import {
  DescribeServicesCommand, ECSClient, ListClustersCommand, RegisterTaskDefinitionCommand, UpdateServiceCommand
} from '@aws-sdk/client-ecs'
import { GetFunctionConfigurationCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { fromTemporaryCredentials } from '@aws-sdk/credential-providers'
import t from '../../../test/tap.js'
import {
  buildAwsSandbox, SANDBOX_CREDENTIALS, SANDBOX_ROLE_ARN, SANDBOX_SECOND_ACCOUNT_ID, startAwsSandbox
} from '../src/aws/index.js'
import { setUp } from './aws-setup.js'

t.test('it listens on loopback only', async (t) => {
  await t.rejects(startAwsSandbox({ host: '0.0.0.0' }), /loopback only/)
  const sandbox = await startAwsSandbox()
  t.match(sandbox.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  await sandbox.close()
  const app = buildAwsSandbox({ controlToken: 'mine' })
  t.equal((await app.inject('/__sandbox/mine/state')).statusCode, 200)
  await app.close()
})

t.test('the same seed every time', async (t) => {
  const readState = async () => {
    const app = buildAwsSandbox({ controlToken: 'mine', frozen: true, startAt: Date.UTC(2026, 5, 15, 12) })
    const body = (await app.inject('/__sandbox/mine/state')).body
    await app.close()
    return body.replace(/2026-06-15T12:00:00\.\d+Z/, 'start').replace(/(\d{10})(\.\d+)?/g, '$1')
  }
  t.equal((await readState()).length > 1000, true)
  t.equal(await readState(), await readState())
})

t.test('identity', async (t) => {
  const { config } = await setUp(t)
  const sts = new STSClient(config)
  t.match(await sts.send(new GetCallerIdentityCommand({})), {
    Account: '123456789012',
    Arn: 'arn:aws:iam::123456789012:user/steward',
    UserId: /^AIDA/
  })
  const unknown = { accessKeyId: 'AKIAUNKNOWN0000000000', secretAccessKey: 'x' }
  const wrong = { ...SANDBOX_CREDENTIALS, secretAccessKey: 'wrong' }
  const ecs = (credentials: typeof unknown) =>
    new ECSClient({ ...config, credentials }).send(new ListClustersCommand({}))
  const caller = (credentials: typeof unknown) =>
    new STSClient({ ...config, credentials }).send(new GetCallerIdentityCommand({}))
  const list = (credentials: typeof unknown) =>
    new LambdaClient({ ...config, credentials }).send(new ListFunctionsCommand({}))
  await t.rejects(ecs(unknown), { name: 'UnrecognizedClientException', $metadata: { httpStatusCode: 400 } })
  await t.rejects(list(unknown), { name: 'UnrecognizedClientException', $metadata: { httpStatusCode: 403 } })
  await t.rejects(caller(unknown), { name: 'InvalidClientTokenId', $metadata: { httpStatusCode: 403 } })
  await t.rejects(ecs(wrong), { name: 'InvalidSignatureException' })
  await t.rejects(caller(wrong), { name: 'SignatureDoesNotMatch' })
})

t.test('the signature of every kind of request is verified', async (t) => {
  const { config } = await setUp(t)
  const lambda = new LambdaClient(config)
  await lambda.send(new ListFunctionsCommand({ MaxItems: 2, Marker: undefined }))
  const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:order-webhook'
  const { Version } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: arn, Qualifier: 'live' }))
  t.equal(Version, '2')
})

t.test('requests that are not signed', async (t) => {
  const { sandbox } = await setUp(t)
  const bare = await fetch(sandbox.url, {
    method: 'POST',
    body: '{}',
    headers: { 'x-amz-target': 'AmazonEC2ContainerServiceV20141113.ListClusters' }
  })
  t.equal(bare.status, 400)
  t.ok(bare.headers.get('x-amzn-requestid'))
  t.same(await bare.json(), {
    __type: 'MissingAuthenticationTokenException',
    message: 'Missing Authentication Token'
  })
  const broken = await fetch(sandbox.url, {
    method: 'POST',
    body: 'Action=X',
    headers: { authorization: 'AWS4 nonsense' }
  })
  t.equal(broken.status, 403)
  t.match(await broken.text(), /<Type>Sender<\/Type><Code>IncompleteSignature<\/Code>/)
})

t.test('AssumeRole asks for the right ExternalId', async (t) => {
  const { config, ask, advance } = await setUp(t)
  const sts = new STSClient(config)
  const assume = (ExternalId?: string, more = {}) =>
    sts.send(new AssumeRoleCommand({ RoleArn: SANDBOX_ROLE_ARN, RoleSessionName: 'steward-7', ExternalId, ...more }))
  const refused = {
    name: 'AccessDenied',
    message:
      'User: arn:aws:iam::123456789012:user/steward is not authorized to perform: ' +
      `sts:AssumeRole on resource: ${SANDBOX_ROLE_ARN}`,
    $metadata: { httpStatusCode: 403 }
  }
  await t.rejects(assume('any'), refused, 'no trust policy yet')
  await ask('PUT', '/roles', { role_arn: SANDBOX_ROLE_ARN, external_id: 'right' })
  await t.rejects(assume('wrong'), refused)
  await t.rejects(assume(), refused)
  await t.rejects(assume('right', { DurationSeconds: 60 }), { name: 'ValidationError' })
  await t.rejects(assume('right', { DurationSeconds: 7200 }), { name: 'ValidationError' })
  const { AssumedRoleUser, Credentials } = await assume('right', { DurationSeconds: 900 })
  t.equal(AssumedRoleUser?.Arn, `arn:aws:sts::${SANDBOX_SECOND_ACCOUNT_ID}:assumed-role/StewardAccess/steward-7`)
  t.ok(Credentials!.Expiration! > new Date())
  const credentials = {
    accessKeyId: Credentials!.AccessKeyId!,
    secretAccessKey: Credentials!.SecretAccessKey!,
    sessionToken: Credentials!.SessionToken!
  }
  const ecs = new ECSClient({ ...config, credentials })
  t.same((await ecs.send(new ListClustersCommand({}))).clusterArns, [
    `arn:aws:ecs:eu-west-1:${SANDBOX_SECOND_ACCOUNT_ID}:cluster/analytics`
  ])
  const tampered = new ECSClient({ ...config, credentials: { ...credentials, sessionToken: 'other' } })
  await t.rejects(tampered.send(new ListClustersCommand({})), { name: 'UnrecognizedClientException' })
  await advance(901_000)
  await t.rejects(ecs.send(new ListClustersCommand({})), { name: 'ExpiredTokenException' })
})

t.test('a role that does not ask for the ExternalId', async (t) => {
  const { config, ask, calls } = await setUp(t)
  await ask('PUT', '/roles', { role_arn: SANDBOX_ROLE_ARN, enforce_external_id: false })
  const credentials = fromTemporaryCredentials({
    params: { RoleArn: SANDBOX_ROLE_ARN, RoleSessionName: 'steward' },
    masterCredentials: SANDBOX_CREDENTIALS,
    clientConfig: { endpoint: config.endpoint, region: 'eu-west-1' }
  })
  const ecs = new ECSClient({ ...config, credentials })
  await ecs.send(new ListClustersCommand({}))
  await ecs.send(new ListClustersCommand({}))
  t.equal(await calls('AssumeRole'), 1)
})

t.test('access keys come and go', async (t) => {
  const { config, ask } = await setUp(t)
  const key = { access_key_id: 'AKIASANDBOX1111111111', secret_access_key: 'second' }
  const credentials = { accessKeyId: key.access_key_id, secretAccessKey: key.secret_access_key }
  const sts = new STSClient({ ...config, credentials })
  await ask('PUT', '/credentials', { ...key, account_id: '123456789012', arn: 'arn:aws:iam::123456789012:root' })
  t.equal((await sts.send(new GetCallerIdentityCommand({}))).Arn, 'arn:aws:iam::123456789012:root')
  await ask('DELETE', `/credentials/${key.access_key_id}`)
  await t.rejects(sts.send(new GetCallerIdentityCommand({})), { name: 'InvalidClientTokenId' })
})

t.test("denials speak in AWS's words", async (t) => {
  const { config, ask } = await setUp(t)
  const ecs = new ECSClient(config)
  const user = 'User: arn:aws:iam::123456789012:user/steward is not authorized to perform:'
  const update = () => ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 3 }))
  const deny = (denial: object) => ask('PUT', '/denials', [{ action: 'ecs:UpdateService', ...denial }])
  const web = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
  await deny({})
  await t.rejects(update(), {
    name: 'AccessDeniedException',
    message: `${user} ecs:UpdateService on resource: ${web} ` +
      'because no identity-based policy allows the ecs:UpdateService action'
  })
  await deny({ cause: 'scp', resource: 'arn:aws:ecs:*:service/prod/*' })
  await t.rejects(update(), {
    message: `${user} ecs:UpdateService on resource: ${web} with an explicit deny in a service control policy`
  })
  await deny({ resource: 'arn:aws:ecs:*:service/prod/api' })
  await update()
  await deny({ principal: 'AKIAOTHER00000000000' })
  await update()
  await ask('PUT', '/denials', [{ action: 'iam:PassRole' }])
  await t.rejects(
    ecs.send(
      new RegisterTaskDefinitionCommand({
        family: 'x',
        executionRoleArn: 'arn:aws:iam::123456789012:role/r',
        containerDefinitions: [{ name: 'a', image: 'b', memory: 64 }]
      })
    ),
    { name: 'AccessDeniedException', message: /iam:PassRole on resource: arn:aws:iam::123456789012:role\/r/ }
  )
  await ask('PUT', '/denials', [{ action: '*' }])
  await new STSClient(config).send(new GetCallerIdentityCommand({}))
  await t.rejects(new LambdaClient(config).send(new ListFunctionsCommand({})), {
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 403 }
  })
  await t.rejects(new CloudWatchLogsClient(config).send(new DescribeLogGroupsCommand({})), {
    name: 'AccessDeniedException'
  })
})

t.test('the journal proves what was called, and how', async (t) => {
  const { config, ask, post } = await setUp(t)
  const ecs = new ECSClient(config)
  await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 4 }))
  await t.rejects(ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'nope', desiredCount: 4 })))
  const { count, calls, counts } = await ask('GET', '/calls?service=ecs&operation=UpdateService')
  t.equal(count, 2)
  t.same(counts, { 'ecs:UpdateService': 2 })
  t.match(calls, [
    {
      sequence: 1,
      account_id: '123456789012',
      region: 'eu-west-1',
      access_key_id: 'AKIASANDBOX0000000000',
      params: { cluster: 'prod', service: 'web', desiredCount: 4 },
      executed: true,
      status: 200,
      error: null
    },
    { sequence: 2, executed: false, status: 400, error: 'ServiceNotFoundException' }
  ])
  await post('/reset')
  t.equal((await ask('GET', '/calls'))['count'], 0)
  const { services } = await ecs.send(new DescribeServicesCommand({ cluster: 'prod', services: ['web'] }))
  t.equal(services?.[0]?.desiredCount, 2)
})

t.test('the clock stands still, moves, and runs', async (t) => {
  const { ask, post } = await setUp(t)
  const now = async () => Date.parse((await ask('GET', '/clock'))['now'] ?? '')
  const start = await now()
  await post('/clock', { advance_ms: 60_000 })
  t.equal(await now(), start + 60_000)
  await post('/clock', { frozen: false })
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.ok((await now()) > start + 60_000)
  await post('/clock', { frozen: true, advance_ms: 1000 })
  t.equal(await now(), await now())
})

t.test('an operation that the sandbox does not know', async (t) => {
  const { sandbox, config } = await setUp(t)
  const ecs = new ECSClient(config)
  ecs.middlewareStack.add(
    (next) => async (args) => {
      // The SDK's own request, renamed before it is signed.
      const request = args.request as { headers: Record<string, string> }
      request.headers['x-amz-target'] = 'AmazonEC2ContainerServiceV20141113.Nonsense'
      return next(args)
    },
    { step: 'build' }
  )
  await t.rejects(ecs.send(new ListClustersCommand({})), { name: 'UnknownOperationException' })
  t.equal((await fetch(sandbox.controlUrl + '/faults', { method: 'POST' })).status, 400)
})
