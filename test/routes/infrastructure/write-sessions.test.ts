import t from '../../tap.js'
import { workspace } from '../../app.js'
import { readerName, roleArn, useRole } from './role-account.js'

const app = await workspace(t)
const { account, call, sandbox, trust, journal, service, lambda, policies } = await useRole(app)
const person = app.home.admin_id
const web = service('web')
const webId = decodeURIComponent(web.split('/').at(-1) ?? '')
const webArn = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
const oldWebArn = 'arn:aws:ecs:eu-west-1:123456789012:service/web'
const scale = (desired_count: number) => call('POST', `${web}/scale`, { desired_count, autoscaling: 'ignore' })
const updates = async () => (await journal('UpdateService')).length
const assumed = async () => (await journal('AssumeRole')).length
const tool = async (name: string, args: object) => {
  const proposed = (await call('POST', '/api/v1/agent/tool-calls', { name, arguments: args })).json()
  await call('POST', '/api/v1/agent/confirm',
    { session_id: proposed.session_id, confirmation_id: proposed.confirmation.id, approved: true })
  const url = `/api/v1/agent/tool-calls/${proposed.tool_call_id}?wait_s=20`
  return { proposed, ended: (await call('GET', url)).json() }
}

t.beforeEach(async () => {
  await sandbox.clear()
  await trust({ tag_session: true, set_source_identity: true })
})

t.test('an approved write has a session that may do that write alone, and says who, and why', async (t) => {
  await call('GET', web)
  const before = await assumed()
  const { proposed, ended } = await tool('scaleService', { service: webId, desired_count: 3 })
  t.equal(ended.status, 'succeeded')
  const [opened, ...others] = (await journal('AssumeRole')).slice(before)
  t.same(others, [], 'one more call of STS')
  const { Policy: policy, ExternalId: _external, ...request } = opened?.params ?? {}
  t.same(request, {
    RoleArn: roleArn,
    RoleSessionName: `steward.${person}`,
    DurationSeconds: '900',
    SourceIdentity: person,
    'Tags.member.1.Key': 'steward:person',
    'Tags.member.1.Value': person,
    'Tags.member.2.Key': 'steward:confirmation',
    'Tags.member.2.Value': proposed.confirmation.id,
    'Tags.member.3.Key': 'steward:run',
    'Tags.member.3.Value': proposed.run_id
  })
  t.same(JSON.parse(policy ?? ''), {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['ecs:DescribeServices'], Resource: [webArn, oldWebArn] },
      // AWS knows no resource of it.
      { Effect: 'Allow', Action: ['application-autoscaling:DescribeScalableTargets'], Resource: ['*'] },
      { Effect: 'Allow', Action: ['ecs:UpdateService'], Resource: [webArn, oldWebArn] }
    ]
  })
  const [update] = (await journal('UpdateService')).slice(-1)
  t.same(update?.session, {
    name: `steward.${person}`,
    source_identity: person,
    tags: {
      'steward:person': person, 'steward:confirmation': proposed.confirmation.id, 'steward:run': proposed.run_id
    }
  })
  const reads = await journal('DescribeServices')
  t.same(reads.pop()?.session, update?.session, 'the last read is of the session that writes')
  t.ok(reads.every(({ session }) => session?.name === readerName(account.id)), 'all others share a session')
})

t.test('what a person sends directly has the same session, without an approval', async (t) => {
  t.equal((await scale(4)).statusCode, 200)
  const [update] = (await journal('UpdateService')).slice(-1)
  t.same(update?.session,
    { name: `steward.${person}`, source_identity: person, tags: { 'steward:person': person } })
})

t.test('a session is of one write: equal ones at once do not share it, and none is kept', async (t) => {
  const before = await assumed()
  await Promise.all([scale(5), scale(5)])
  await scale(6)
  const sent = (await journal('UpdateService')).length
  t.ok(sent > 2)
  t.ok(await assumed() - before >= 2)
  const keys = (await sandbox.call<{ calls: { access_key_id: string }[] }>('GET', '/calls?operation=UpdateService'))
    .calls.map(({ access_key_id: key }) => key)
  t.equal(new Set(keys).size, keys.length, 'each has keys of its own')
})

t.test('an approved write that got no session was not sent: it failed, and may be sent again', async (t) => {
  await call('GET', web)
  const before = await updates()
  for (const [kind, reason] of [['throttle', 'aws_throttled'], ['error_500', 'aws_error'],
    ['drop', 'aws_unreachable']] as const) {
    await sandbox.fault({ kind, operation: 'AssumeRole', times: 0 })
    const answer = await scale(7)
    t.match(answer.json(), {
      status: 503,
      code: 'cloud_session_unavailable',
      reason,
      account_id: account.id,
      retry_after: Number,
      aws: { service: 'sts', operation: 'AssumeRole' }
    }, kind)
    t.match(answer.headers, { 'retry-after': /^\d+$/ })
    await sandbox.clear()
  }
  await sandbox.fault({ kind: 'throttle', operation: 'AssumeRole', times: 0 })
  const { ended } = await tool('scaleService', { service: webId, desired_count: 7 })
  t.match(ended, { status: 'failed', http_status: 503, result: { code: 'cloud_session_unavailable' } })
  await sandbox.clear()
  t.equal(await updates(), before)
  t.equal((await scale(7)).statusCode, 200)
})

t.test('a name with wildcards allows nothing but that name', async (t) => {
  const answer = await call('POST', `${lambda('*')}/invoke`, { mode: 'dry_run' })
  t.not(answer.statusCode, 200)
  // As IAM writes a star that is no wildcard.
  // eslint-disable-next-line no-template-curly-in-string
  const Resource = ['arn:aws:lambda:eu-west-1:123456789012:function:${*}']
  t.same((await policies()).at(-1).Statement, [
    {
      Effect: 'Allow',
      Action: ['lambda:GetFunction', 'lambda:GetFunctionConfiguration', 'lambda:ListAliases'],
      Resource
    },
    { Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource }
  ])
})

t.test('a role that may not do it is a refusal that names the action, and no session policy widens it', async (t) => {
  await trust({
    policy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'ecs:Describe*', Resource: '*' }] }
  })
  t.match((await scale(12)).json(), {
    status: 403,
    code: 'aws_permission_denied',
    missing_permission: { action: 'ecs:UpdateService', resource: webArn, cause: 'identity_policy' }
  })
  await trust({ policy: null })
})
