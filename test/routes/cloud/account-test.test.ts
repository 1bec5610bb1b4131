import t from 'tap'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await buildApp(t)
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
    'ecs:UpdateService', 'ecs:RegisterTaskDefinition', 'iam:PassRole',
    'lambda:ListFunctions', 'lambda:GetFunctionConfiguration',
    'lambda:InvokeFunction', 'lambda:UpdateFunctionCode', 'logs:DescribeLogGroups', 'logs:FilterLogEvents',
    'ce:GetCostAndUsage', 'ce:GetCostForecast', 'application-autoscaling:DescribeScalableTargets']) {
    t.ok(actions.has(action), action)
  }
  const outcome = (action: string) => test.checks.find((check: Check) => check.action === action).outcome
  t.same([outcome('ecs:UpdateService'), outcome('ce:GetCostAndUsage'), outcome('ecs:RegisterTaskDefinition')],
    ['inferred', 'inferred', 'skipped'])
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
  await sandbox.fault({ kind: 'error_500', operation: 'DescribeLogGroups', times: 0 })
  const test = await run()
  t.equal(test.status, 'partial')
  const actions = test.missing_permissions.map(({ action }: Check) => action)
  t.same(new Set(actions), new Set(['ecs:ListServices', 'lambda:InvokeFunction', 'ce:GetCostForecast']))
  const invoke = test.missing_permissions.find(({ action }: Check) => action === 'lambda:InvokeFunction')
  t.match(invoke, { cause: 'scp', resource: /^arn:aws:lambda:/, breaks: ['serverless_invoke'] })
  t.match(test.policy_to_add, {
    Statement: [{ Effect: 'Allow', Action: ['ce:GetCostForecast', 'ecs:ListServices', 'lambda:InvokeFunction'] }]
  })
  const logs = test.checks.find(({ action }: Check) => action === 'logs:DescribeLogGroups')
  t.match(logs, { outcome: 'error' })
  const after = (await call('GET', `/cloud/accounts/${account.id}`)).json()
  t.match(after, {
    status: 'degraded',
    capabilities: { costs: 'denied', containers_read: 'denied', serverless_invoke: 'denied', logs: 'unknown' }
  })
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
