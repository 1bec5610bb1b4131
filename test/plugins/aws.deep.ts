import t from '../tap.js'
import { missingPermission, redact, toAwsError } from '../../lib/aws/errors.js'
import { asAdmin, buildApp } from '../app.js'
import { steer } from '../routes/infrastructure/sandbox.js'

const target = { account_id: 'a', region: 'eu-west-1', service: 'ecs', operation: 'UpdateService' }
const thrown = (name: string, httpStatusCode = 400, message = 'said so') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode, requestId: 'r-1' } })

t.test('I62: every failure of AWS has a code of ours, and none is a bare 500', (t) => {
  const cases: [Error, number, string][] = [
    [thrown('AccessDeniedException'), 403, 'aws_permission_denied'],
    [thrown('UnauthorizedOperation', 403), 403, 'aws_permission_denied'],
    [thrown('ExpiredTokenException'), 424, 'cloud_account_unusable'],
    [thrown('UnrecognizedClientException'), 424, 'cloud_account_unusable'],
    [thrown('InvalidSignatureException'), 424, 'cloud_account_unusable'],
    [thrown('CredentialsProviderError', 0), 424, 'cloud_account_unusable'],
    [thrown('ClusterNotFoundException'), 404, 'aws_resource_not_found'],
    [thrown('ResourceNotFoundException', 404), 404, 'aws_resource_not_found'],
    [thrown('ClientException', 400, 'Unable to describe task definition.'), 404, 'aws_resource_not_found'],
    [thrown('ServiceNotActiveException'), 409, 'aws_conflict'],
    [thrown('ResourceConflictException', 409), 409, 'aws_conflict'],
    [thrown('UpdateInProgressException'), 409, 'aws_conflict'],
    [thrown('InvalidParameterException'), 422, 'aws_rejected'],
    [thrown('ValidationException'), 422, 'aws_rejected'],
    [thrown('ClientException'), 422, 'aws_rejected'],
    [thrown('NobodyKnowsThisException'), 422, 'aws_rejected'],
    [thrown('RequestTooLargeException', 413), 413, 'aws_too_large'],
    [thrown('OptInRequired'), 409, 'unsupported'],
    [thrown('UnsupportedFeatureException'), 409, 'unsupported'],
    [thrown('ThrottlingException'), 503, 'aws_throttled'],
    [thrown('TooManyRequestsException', 429), 503, 'aws_throttled'],
    [thrown('LimitExceededException'), 503, 'aws_throttled'],
    [thrown('ServerException', 500), 502, 'aws_error'],
    [thrown('SyntaxError', 503), 502, 'aws_error'],
    [thrown('SyntaxError', 200), 502, 'aws_error'],
    [thrown('SyntaxError', 404), 409, 'unsupported'],
    [thrown('UnknownOperationException'), 409, 'unsupported'],
    [thrown('InternalFailure', 501), 409, 'unsupported'],
    [thrown('TimeoutError', 0), 504, 'aws_outcome_unknown'],
    [Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 504, 'aws_outcome_unknown'],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 502, 'aws_unreachable'],
    [Object.assign(new Error('dns'), { code: 'ENOTFOUND' }), 502, 'aws_unreachable'],
    [new Error('whatever'), 502, 'aws_error']
  ]
  for (const [error, status, code] of cases) {
    const answer = toAwsError(error, target)
    t.same([answer.statusCode, answer.code], [status, code], `${error.name} ${error.message}`)
    t.match(answer.members,
      { account_id: 'a', region: 'eu-west-1', aws: { service: 'ecs', operation: 'UpdateService' } })
  }
  const reading = { ...target, operation: 'DescribeServices' }
  for (const [error, status, code] of [
    [thrown('TimeoutError', 0), 504, 'aws_timeout'],
    [Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 502, 'aws_unreachable']
  ] as const) {
    const answer = toAwsError(error, reading)
    t.same([answer.statusCode, answer.code], [status, code], 'a read changes nothing')
  }
  t.match(toAwsError(thrown('ThrottlingException'), target), { headers: { 'retry-after': '5' } })
  t.match(toAwsError(thrown('InvalidSignatureException', 403, 'Signature expired: 2026'), target).message, /clock/)
  t.end()
})

t.test('a refusal names the action, the resource and the cause', (t) => {
  const denied = 'User: arn:aws:iam::1:user/x is not authorized to perform: ecs:UpdateService on resource: ' +
    'arn:aws:ecs:x'
  const causes = {
    ' because no identity-based policy allows the ecs:UpdateService action': 'identity_policy',
    ' with an explicit deny in a service control policy': 'scp',
    ' with an explicit deny in an identity-based policy': 'explicit_deny',
    ' because no permissions boundary allows the action': 'boundary',
    ' because no session policy allows the action': 'session_policy',
    '': 'unknown'
  }
  for (const [text, cause] of Object.entries(causes)) {
    t.same(missingPermission(denied + text, 'x'), { action: 'ecs:UpdateService', resource: 'arn:aws:ecs:x', cause })
  }
  t.same(missingPermission('Access denied', 'ce:GetCostAndUsage'),
    { action: 'ce:GetCostAndUsage', resource: null, cause: 'unknown' })
  t.notMatch(redact('key AKIAIOSFODNN7EXAMPLE is bad'), /IOSFODNN/)
  t.end()
})

t.test('I62: reads are repeated, writes are not; throttled writes were not carried out and are', async (t) => {
  const app = await buildApp(t)
  const sandbox = steer(app)
  const scale = (count: number) => app.inject({
    method: 'POST',
    url: '/infrastructure/containers/services/web/scale',
    headers: asAdmin,
    payload: { desired_count: count }
  })
  await sandbox.fault({ kind: 'error_500', operation: 'ListClusters', times: 2 })
  t.equal((await app.inject({ url: '/infrastructure/containers/clusters', headers: asAdmin })).json().partial, false)
  for (const [kind, status, code] of [['error_500', 502, 'aws_error'], ['html_503', 502, 'aws_error']] as const) {
    const before = await sandbox.calls('UpdateService')
    await sandbox.fault({ kind, operation: 'UpdateService', times: 1 })
    const answer = await scale(9)
    t.same([answer.statusCode, answer.json().code], [status, code], kind)
    t.equal(await sandbox.calls('UpdateService') - before, 1, kind)
  }
  await sandbox.fault({ kind: 'throttle', operation: 'UpdateService', times: 1 })
  t.equal((await scale(3)).statusCode, 200)
})

t.test('a message says what happened, where, and what to do', (t) => {
  const messageOf = (error: Error, operation = 'UpdateService') => {
    const { message, members } = toAwsError(error, { ...target, operation })
    return [message, (members.aws as { code: unknown }).code]
  }
  const cut = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  t.same(messageOf(cut), ['ecs:UpdateService was sent to eu-west-1, and no answer came: it may have been done. ' +
    'Read what it changes before sending it again', 'ECONNRESET'])
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  t.same(messageOf(away), ['AWS could not be reached for ecs:UpdateService in eu-west-1; nothing was done',
    'ECONNREFUSED'])
  t.same(messageOf(thrown('TimeoutError', 0), 'ListClusters'),
    ['AWS did not answer ecs:ListClusters in eu-west-1 in time; ask again', 'TimeoutError'])
  t.same(messageOf(thrown('SyntaxError', 404, 'Unexpected token <'), 'ListClusters'),
    ['ecs:ListClusters in eu-west-1 was answered with a page, not as AWS answers (HTTP 404): the endpoint lacks it. ' +
      'Look at AWS_ENDPOINT_URL', null])
  t.same(messageOf(thrown('SyntaxError', 503, 'Unexpected token <'), 'ListClusters'),
    ['ecs:ListClusters in eu-west-1 was answered with a page, not as AWS answers (HTTP 503): a proxy may stand ' +
      'before AWS. Look at AWS_ENDPOINT_URL and at the network', null])
  t.end()
})

t.test('an endpoint that does not listen is reported as unreachable', async (t) => {
  const app = await buildApp(t, { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' })
  await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Dead', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  })
  const answer = await app.inject({ url: '/infrastructure/containers/clusters', headers: asAdmin })
  t.same([answer.statusCode, answer.json().code], [502, 'aws_unreachable'])
})
