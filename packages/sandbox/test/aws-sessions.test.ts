import { ECS } from '@aws-sdk/client-ecs'
import { Lambda } from '@aws-sdk/client-lambda'
import { STS, type AssumeRoleCommandInput } from '@aws-sdk/client-sts'
import t from '../../../test/tap.js'
import { setUp } from './aws-setup.js'

const role = 'arn:aws:iam::123456789012:role/Sessions'
const webArn = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
const policyOf = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const allow = (Action: unknown, Resource: unknown, more: object = {}) =>
  ({ Effect: 'Allow', Action, Resource, ...more })

const start = async (t: Parameters<typeof setUp>[0]) => {
  const { config, ask } = await setUp(t)
  const sts = new STS(config)
  await ask('PUT', '/roles', { role_arn: role, enforce_external_id: false })
  const assume = (input: Partial<AssumeRoleCommandInput> = {}) =>
    sts.assumeRole({ RoleArn: role, RoleSessionName: 'anna', ...input })
  const clients = async (input: Partial<AssumeRoleCommandInput> = {}) => {
    const { Credentials: keys } = await assume(input)
    const credentials = {
      accessKeyId: keys?.AccessKeyId ?? '',
      secretAccessKey: keys?.SecretAccessKey ?? '',
      sessionToken: keys?.SessionToken ?? ''
    }
    const own = { ...config, credentials }
    return { ecs: new ECS(own), lambda: new Lambda(own), sts: new STS(own) }
  }
  return { ask, assume, clients }
}
const web = { cluster: 'prod', service: 'web' }
const denial = (action: string, resource: string, why = `because no session policy allows the ${action} action`) => ({
  name: 'AccessDeniedException',
  message: 'User: arn:aws:sts::123456789012:assumed-role/Sessions/anna is not authorized to perform: ' +
    `${action} on resource: ${resource} ${why}`
})

t.test('a session may do what its policy and that of the role both allow', async (t) => {
  const { ask, clients } = await start(t)
  const { ecs, lambda } = await clients({ Policy: policyOf(allow('ecs:UpdateService', webArn)) })
  t.equal((await ecs.updateService({ ...web, desiredCount: 3 })).service?.desiredCount, 3)
  const other = webArn.replace('web', 'search')
  await t.rejects(ecs.updateService({ ...web, service: 'search' }), denial('ecs:UpdateService', other))
  await t.rejects(ecs.describeServices({ cluster: 'prod', services: ['web'] }), denial('ecs:DescribeServices', webArn))
  await t.rejects(lambda.listFunctions({}), denial('lambda:ListFunctions', '*'))
  await ask('PUT', '/roles', { role_arn: role, policy: JSON.parse(policyOf(allow('lambda:*', '*'))) })
  await t.rejects(ecs.updateService(web), denial('ecs:UpdateService', webArn,
    'because no identity-based policy allows the ecs:UpdateService action'))
  const free = await clients()
  t.ok((await free.lambda.listFunctions({})).Functions?.length)
  await t.rejects(free.ecs.listClusters({}), { name: 'AccessDeniedException' })
})

t.test('wildcards, variables, conditions and denials of a policy', async (t) => {
  const { clients } = await start(t)
  const wide = await clients({
    Policy: policyOf(
      allow(['ecs:Update*', 'ECS:describe?ervices'], 'arn:aws:ecs:*:123456789012:service/prod/*'),
      { Effect: 'Deny', Action: '*', Resource: `${webArn}*` }
    )
  })
  t.ok(await wide.ecs.updateService({ ...web, service: 'search' }))
  t.ok(await wide.ecs.describeServices({ cluster: 'prod', services: ['search'] }))
  await t.rejects(wide.ecs.updateService(web),
    denial('ecs:UpdateService', webArn, 'with an explicit deny in an identity-based policy'))
  await t.rejects(wide.ecs.updateService({ cluster: 'staging', service: 'web' }), { name: 'AccessDeniedException' })
  // As IAM writes a star that is no wildcard.
  const star = await clients({ Policy: policyOf(allow('ecs:UpdateService', webArn.replace('web', '$' + '{*}'))) })
  await t.rejects(star.ecs.updateService(web), { name: 'AccessDeniedException' })
  const family = 'arn:aws:ecs:eu-west-1:123456789012:task-definition/mine:*'
  const task = 'arn:aws:iam::123456789012:role/task'
  const passTo = (service: string) => policyOf(allow('ecs:RegisterTaskDefinition', family),
    allow('iam:PassRole', task, { Condition: { StringEquals: { 'iam:PassedToService': service } } }))
  const register = async (service: string, taskRoleArn: string) =>
    (await clients({ Policy: passTo(service) })).ecs.registerTaskDefinition({
      family: 'mine', containerDefinitions: [{ name: 'a', image: 'a:1', memory: 64 }], taskRoleArn
    })
  t.equal((await register('ecs-tasks.amazonaws.com', task)).taskDefinition?.revision, 1)
  await t.rejects(register('lambda.amazonaws.com', task), denial('iam:PassRole', task))
  await t.rejects(register('ecs-tasks.amazonaws.com', `${task}2`), denial('iam:PassRole', `${task}2`))
})

t.test('malformed and too large policies are refused as STS refuses them', async (t) => {
  const { assume } = await start(t)
  const malformed = [
    '{', '[]', '"x"', JSON.stringify({ Statement: [allow('ecs:*', '*')] }), policyOf(),
    policyOf({ Effect: 'Maybe', Action: '*', Resource: '*' }), policyOf({ Effect: 'Allow', Resource: '*' }),
    policyOf(allow('UpdateService', '*')), policyOf(allow('ecs:*', 'web')), policyOf(allow([], '*')),
    policyOf(allow('ecs:*', '*', { Principal: '*' })), policyOf(allow('ecs:*', '*', { Oops: 1 })),
    policyOf(allow('ecs:*', '*', { Condition: { StringSame: { a: 'b' } } }))
  ]
  for (const Policy of malformed) {
    await t.rejects(assume({ Policy }), { name: 'MalformedPolicyDocumentException' }, Policy)
  }
  await t.rejects(assume({ Policy: policyOf(allow('ecs:*', `arn:aws:ecs:eu-west-1:1:service/${'x'.repeat(2_048)}`)) }),
    { name: 'ValidationError' })
  const long = policyOf(allow('ecs:*', `arn:aws:ecs:eu-west-1:1:service/${'x'.repeat(1_900)}`))
  const Tags = Array.from({ length: 5 }, (_, i) => ({ Key: `k${i}`, Value: 'v'.repeat(200) }))
  t.ok(((await assume({ Policy: long })).PackedPolicySize ?? 0) > 50)
  await t.rejects(assume({ Policy: long, Tags }), { name: 'PackedPolicyTooLargeException' })
})

t.test('the journal has name, source identity and tags of the session with each call', async (t) => {
  const { ask, assume, clients } = await start(t)
  const Tags = [{ Key: 'steward:person', Value: 'p-1' }, { Key: 'steward:run', Value: 'r-1' }]
  const { ecs } = await clients({ SourceIdentity: 'p-1', Tags })
  await ecs.listClusters({})
  const { calls } = await ask('GET', '/calls?operation=ListClusters')
  t.match(calls, [{
    session: { name: 'anna', source_identity: 'p-1', tags: { 'steward:person': 'p-1', 'steward:run': 'r-1' } }
  }])
  t.match(await ask('GET', '/calls?operation=AssumeRole'), { calls: [{ session: null }] })
  const wrongs: [Partial<AssumeRoleCommandInput>, string][] = [
    [{ SourceIdentity: 'x' }, 'ValidationError'],
    [{ SourceIdentity: 'with space' }, 'ValidationError'],
    [{ Tags: [{ Key: 'a', Value: '#' }] }, 'ValidationError'],
    [{ Tags: [{ Key: 'aws:a', Value: 'b' }] }, 'ValidationError'],
    [{ Tags: [{ Key: 'a', Value: 'b' }, { Key: 'A', Value: 'c' }] }, 'InvalidParameterValue'],
    [{ Tags: Array.from({ length: 51 }, (_, i) => ({ Key: `k${i}`, Value: 'v' })) }, 'ValidationError']
  ]
  for (const [wrong, name] of wrongs) await t.rejects(assume(wrong), { name })
  await ask('PUT', '/roles', { role_arn: role, tag_session: false, set_source_identity: false })
  await t.rejects(assume({ Tags }), { name: 'AccessDenied', message: /perform: sts:TagSession on resource/ })
  await t.rejects(assume({ SourceIdentity: 'p-1' }), { name: 'AccessDenied', message: /sts:SetSourceIdentity/ })
  t.ok(await assume())
})
