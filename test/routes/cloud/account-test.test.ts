import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
const [account] = (await call('GET', '/cloud/accounts')).json().items
const run = async (id = account.id) => (await call('POST', `/cloud/accounts/${id}/test`)).json()
const role = 'arn:aws:iam::210987654321:role/StewardAccess'

interface Check { action: string, region: string, outcome: string, aws_code: string | null }

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('an account with all permissions passes, and nothing has changed', async (t) => {
  const { now: _before, counts: _earlier, ...before } = await sandbox.call('GET', '/state')
  const test = await run()
  t.same(test.checks.filter(({ outcome }: Check) => outcome === 'denied' || outcome === 'error'), [])
  t.match(test, {
    status: 'passed',
    identity: { account: '123456789012', arn: /^arn:aws:iam::123456789012:/ },
    missing_permissions: [],
    policy_to_add: null,
    warnings: []
  })
  const here: Check[] = test.checks.filter(({ region }: Check) => region === 'eu-west-1')
  const actions = new Set(here.map(({ action }) => action))
  for (const action of ['ecs:ListClusters', 'ecs:DescribeClusters', 'ecs:ListServices', 'ecs:DescribeServices',
    'ecs:ListTasks', 'ecs:DescribeTasks', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments',
    'ecs:DescribeServiceDeployments', 'ecs:DescribeServiceRevisions',
    'ecs:UpdateService', 'ecs:RegisterTaskDefinition', 'ecs:TagResource', 'iam:PassRole',
    'lambda:ListFunctions', 'lambda:GetFunctionConfiguration', 'lambda:GetFunction',
    'lambda:InvokeFunction', 'lambda:UpdateFunctionCode', 'logs:FilterLogEvents',
    'ce:GetCostAndUsage', 'ce:GetCostForecast', 'ce:GetAnomalies', 'ce:GetTags',
    'application-autoscaling:DescribeScalableTargets', 'application-autoscaling:RegisterScalableTarget']) {
    t.ok(actions.has(action), action)
  }
  const outcome = (action: string) => test.checks.find((check: Check) => check.action === action).outcome
  for (const action of ['ecs:UpdateService', 'ce:GetCostAndUsage', 'ecs:RegisterTaskDefinition', 'iam:PassRole',
    'ecs:TagResource', 'lambda:InvokeFunction', 'lambda:UpdateFunctionCode', 'ce:GetAnomalies',
    'ce:GetTags', 'application-autoscaling:RegisterScalableTarget', 'logs:FilterLogEvents']) {
    t.equal(outcome(action), 'inferred', action)
  }
  t.notOk(test.checks.some((check: Check) => check.outcome === 'skipped'), 'every action is tried')
  const { now: _now, counts: _counts, ...later } = await sandbox.call('GET', '/state')
  t.same(later, before)
  const after = (await call('GET', `/cloud/accounts/${account.id}`)).json()
  t.match(after, {
    status: 'connected',
    last_test: { status: 'passed' },
    capabilities: {
      costs: 'ok',
      containers_read: 'ok',
      containers_write: 'ok',
      serverless_read: 'ok',
      serverless_invoke: 'ok',
      logs: 'ok'
    }
  })
})

t.test('each missing permission is named, and an error is not a denial', async (t) => {
  await sandbox.call('PUT', '/denials', [
    { action: 'ecs:ListServices' }, { action: 'lambda:InvokeFunction', cause: 'scp' }, { action: 'ce:GetCostForecast' }
  ])
  await sandbox.fault({ kind: 'error_500', operation: 'FilterLogEvents', times: 0 })
  const test = await run()
  t.equal(test.status, 'partial')
  const actions = test.missing_permissions.map(({ action }: Check) => action)
  t.same(new Set(actions), new Set(['ecs:ListServices', 'lambda:InvokeFunction', 'ce:GetCostForecast']))
  const invoke = test.missing_permissions.find(({ action }: Check) => action === 'lambda:InvokeFunction')
  t.match(invoke, { cause: 'scp', resource: /^arn:aws:lambda:/, breaks: ['serverless_invoke'] })
  t.match(test.policy_to_add, {
    Statement: [{ Effect: 'Allow', Action: ['ce:GetCostForecast', 'ecs:ListServices', 'lambda:InvokeFunction'] }]
  })
  const logs = test.checks.find(({ action }: Check) => action === 'logs:FilterLogEvents')
  t.match(logs, { outcome: 'error' })
  const after = (await call('GET', `/cloud/accounts/${account.id}`)).json()
  t.match(after, {
    status: 'degraded',
    capabilities: { costs: 'denied', containers_read: 'denied', serverless_invoke: 'denied', logs: 'unknown' }
  })
})

t.test('registering, passing a role and tagging are tried, and leave nothing behind', async (t) => {
  const deniable = ['iam:PassRole', 'ecs:TagResource', 'application-autoscaling:RegisterScalableTarget',
    'lambda:GetFunction', 'ecs:DescribeServiceRevisions', 'ecs:DescribeServiceDeployments', 'ce:GetAnomalies',
    'ce:GetTags']
  await sandbox.deny(...deniable)
  const test = await run()
  const missing = test.missing_permissions.map(({ action }: Check) => action)
  t.same([...new Set(missing)].sort(), deniable.toSorted())
  const passed = test.checks.find(({ action }: Check) => action === 'iam:PassRole')
  t.match(passed, {
    outcome: 'denied',
    resource: /^arn:aws:iam::123456789012:role\/steward-probe-[0-9a-f]{32}$/,
    detail: /which does not exist: a policy that names its resources may allow it on those$/
  })
  await sandbox.deny('ecs:RegisterTaskDefinition')
  const { checks } = await run()
  t.match(checks.find(({ action }: Check) => action === 'iam:PassRole'),
    { outcome: 'skipped', detail: 'Needs ecs:RegisterTaskDefinition to be tried' })
  const { accounts } = await sandbox.call('GET', '/state')
  t.notMatch(JSON.stringify(accounts), /steward-probe/)
})

t.test('a role whose trust policy ignores the ExternalId is warned of', async (t) => {
  const made = (await call('POST', '/cloud/accounts',
    { name: 'Role', regions: ['eu-west-1'], auth: { type: 'assume_role', role_arn: role } })).json()
  const early = await run(made.id)
  t.match(early, { status: 'failed', identity: null, checks: [{ action: 'sts:GetCallerIdentity', outcome: 'error' }] })
  t.equal((await call('GET', `/cloud/accounts/${made.id}`)).json().status, 'failed')
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: made.auth.external_id })
  t.match(await run(made.id), { status: 'passed', identity: { account: '210987654321' }, warnings: [] })
  await sandbox.call('PUT', '/roles', { role_arn: role, enforce_external_id: false })
  t.same((await run(made.id)).warnings, ['external_id_not_enforced'])
})

t.test('keys of another account, and old ones, are warned of', async (t) => {
  const keys = { access_key_id: 'AKIATESTTESTTEST0009', secret_access_key: 'a-very-secret-key' }
  const arn = 'arn:aws:iam::210987654321:root'
  await sandbox.call('PUT', '/credentials', { ...keys, account_id: '210987654321', arn })
  const made = (await call('POST', '/cloud/accounts',
    { name: 'Keys', regions: ['eu-west-1'], auth: { type: 'access_keys', ...keys } })).json()
  await app.db.updateTable('cloud_account').set({
    aws_account_id: '123456789012',
    auth: JSON.stringify({ type: 'access_keys', access_key_id_hint: '0009', rotated_at: '2026-01-01T00:00:00.000Z' })
  }).where('id', '=', made.id).execute()
  const test = await run(made.id)
  t.equal(test.status, 'failed')
  t.same(test.warnings, ['keys_older_than_90_days', 'wrong_account', 'root_credentials'])
  t.equal((await call('GET', `/cloud/accounts/${made.id}`)).json().aws_account_id, '123456789012')
})

t.test('an unknown account is a 404', async (t) => {
  t.match(await run('01890000-0000-7000-8000-000000000000'), { status: 404, code: 'cloud_account_not_found' })
})
