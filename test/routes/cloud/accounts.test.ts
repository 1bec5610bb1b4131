import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers = {}) =>
  app.inject({ method, url, headers: { ...asAdmin, ...headers }, ...(payload && { payload }) })
const role = 'arn:aws:iam::210987654321:role/StewardAccess'
const keys = { access_key_id: 'AKIATESTTESTTEST0001', secret_access_key: 'a-very-secret-key' }

t.test('the sandbox is registered from the start', async (t) => {
  const answer = await call('GET', '/cloud/accounts')
  t.equal(answer.statusCode, 200)
  const [{ id, created_at: created, updated_at: updated, created_by: by, ...rest }] = answer.json().items
  t.ok(id && created && updated && by)
  t.same(rest, {
    name: 'Sandbox',
    provider: 'aws',
    aws_account_id: '123456789012',
    partition: 'aws',
    regions: ['eu-west-1', 'us-east-1'],
    default_region: 'eu-west-1',
    auth: { type: 'ambient' },
    status: 'unverified',
    capabilities: {
      costs: 'unknown',
      containers_read: 'unknown',
      containers_write: 'unknown',
      serverless_read: 'unknown',
      serverless_invoke: 'unknown',
      logs: 'unknown'
    },
    last_test: null,
    credential_version: 1,
    environment: null,
    read_only: false,
    sessions: {
      narrowed: false,
      reason: 'The identity of the server itself is used as it is: whatever is sent may do all that it may. Use a ' +
        'role instead',
      tags: false,
      source_identity: false
    },
    sandbox: true,
    revision: 1
  })
})

t.test('a role: the server makes the ExternalId and the policies, and uses them', async (t) => {
  const made = await call('POST', '/cloud/accounts',
    { name: 'Data', regions: ['eu-west-1'], auth: { type: 'assume_role' } })
  t.equal(made.statusCode, 201)
  const { id, auth, setup } = made.json()
  t.match(auth, { type: 'assume_role', role_arn: null, external_id: /^steward-[0-9a-f]{48}$/, session_seconds: 3600 })
  t.match(setup.trust_policy.Statement[0], {
    Principal: { AWS: /^arn:aws:iam::123456789012:/ },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': auth.external_id } }
  })
  t.match(setup.trust_policy.Statement[1], {
    Principal: { AWS: /^arn:aws:iam::123456789012:/ }, Action: ['sts:TagSession', 'sts:SetSourceIdentity']
  })
  t.same(made.json().sessions, { narrowed: true, reason: null, tags: null, source_identity: null })
  t.same(Object.keys(setup.policies), ['read', 'costs', 'deploy', 'build', 'invoke', 'logs'])
  const again = await call('GET', `/cloud/accounts/${id}/setup`)
  t.same([again.statusCode, again.json()], [200, setup], 'the same can be read again')
  const unknown = await call('GET', '/cloud/accounts/01890000-0000-7000-8000-000000000000/setup')
  t.same([unknown.statusCode, unknown.json().code], [404, 'cloud_account_not_found'])

  const early = await call('PATCH', `/cloud/accounts/${id}`, { auth: { type: 'assume_role', role_arn: role } })
  t.match(early.json(), { status: 424, code: 'cloud_account_unusable', account_id: id })
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: auth.external_id })
  const changed = await call('PATCH', `/cloud/accounts/${id}`, { auth: { type: 'assume_role', role_arn: role } })
  t.match(changed.json(), {
    aws_account_id: '210987654321', auth: { role_arn: role, external_id: auth.external_id }, credential_version: 2
  })
  const clusters = await call('GET', `/infrastructure/containers/clusters?account_id=${id}`)
  t.same(clusters.json().items.map(({ name }: { name: string }) => name), ['analytics'])
  await call('GET', `/infrastructure/containers/clusters/${id}~eu-west-1~analytics/services`)
  t.equal(await sandbox.calls('AssumeRole'), 3, 'one refused, one to prove, one for all reads')
})

t.test('expired credentials of a role are renewed once and the call repeated', async (t) => {
  app.aws.inventory.forget('')
  await sandbox.fault({ kind: 'expired_token', service: 'ecs', times: 1 })
  const { items } = (await call('GET', '/cloud/accounts')).json()
  const account = items.find(({ name }: { name: string }) => name === 'Data')
  const clusters = await call('GET', `/infrastructure/containers/clusters?account_id=${account.id}`)
  t.equal(clusters.statusCode, 200)
  t.equal(await sandbox.calls('AssumeRole'), 4)
})

t.test('keys are encrypted, never returned, and replaced only by ones that work', async (t) => {
  await sandbox.call('PUT', '/credentials', { ...keys, account_id: '123456789012' })
  const made = await call('POST', '/cloud/accounts',
    { name: 'Keys', regions: ['eu-west-1'], auth: { type: 'access_keys', ...keys } })
  t.equal(made.statusCode, 201)
  t.notMatch(made.body, /very-secret|AKIATESTTESTTEST0001/)
  const { id, auth } = made.json()
  t.match(auth, { type: 'access_keys', access_key_id_hint: '0001', has_secret: true, age_days: 0 })
  const row = await app.db.selectFrom('cloud_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  t.notMatch(JSON.stringify(row) + row.secret?.toString('latin1'), /very-secret/)
  t.equal((await call('GET', `/infrastructure/containers/clusters?account_id=${id}`)).statusCode, 200)

  const wrong = { type: 'access_keys', access_key_id: 'AKIAWRONGWRONGWRONG1', secret_access_key: 'wrong-wrong' }
  const refused = await call('PATCH', `/cloud/accounts/${id}`, { auth: wrong })
  t.match(refused.json(), { status: 424, code: 'cloud_account_unusable' })
  t.notMatch(refused.body, /AKIAWRONG/)
  const still = await call('GET', `/infrastructure/containers/clusters?account_id=${id}`)
  t.equal(still.statusCode, 200, 'the old ones stay')
  const later = { access_key_id: 'AKIATESTTESTTEST0002', secret_access_key: 'another-secret' }
  await sandbox.call('PUT', '/credentials', { ...later, account_id: '123456789012' })
  const rotated = await call('PATCH', `/cloud/accounts/${id}`, { auth: { type: 'access_keys', ...later } })
  t.match(rotated.json(),
    { auth: { access_key_id_hint: '0002' }, credential_version: 2, aws_account_id: '123456789012' })
  await sandbox.call('PUT', '/credentials',
    { access_key_id: 'AKIATESTTESTTEST0003', secret_access_key: 'of-another-account', account_id: '210987654321' })
  const foreign = await call('PATCH', `/cloud/accounts/${id}`, {
    auth: { type: 'access_keys', access_key_id: 'AKIATESTTESTTEST0003', secret_access_key: 'of-another-account' }
  })
  t.match(foreign.json(), { status: 409, code: 'cloud_account_mismatch' })
})

t.test('bad input is refused with a pointer and writes nothing', async (t) => {
  const before = (await call('GET', '/cloud/accounts')).json().items.length
  const base = { name: 'Bad', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  const cases: [object, number, string, string][] = [
    [{ ...base, name: 'sandbox' }, 409, 'cloud_account_name_taken', ''],
    [{ ...base, regions: ['eu-nowhere-9'] }, 422, 'region_unknown', '/regions/0'],
    [{ ...base, regions: ['eu-west-1', 'cn-north-1'] }, 422, 'region_unknown', '/regions'],
    [{ ...base, default_region: 'us-east-1' }, 422, 'region_unknown', '/default_region'],
    [{ ...base, regions: [] }, 400, 'invalid_request', '/regions'],
    [{ ...base, auth: { type: 'assume_role', external_id: 'mine' } }, 400, 'unknown_field', '/auth/external_id'],
    [{ ...base, auth: { type: 'access_keys' } }, 400, 'invalid_request', '/auth/access_key_id'],
    [{ ...base, auth: { type: 'ambient', role_arn: role } }, 400, 'invalid_request', '/auth/role_arn'],
    [{ ...base, auth: { type: 'assume_role', role_arn: 'arn:evil' } }, 400, 'invalid_request', '/auth/role_arn']
  ]
  for (const [payload, status, code, pointer] of cases) {
    const problem = (await call('POST', '/cloud/accounts', payload)).json()
    const seen = [problem.status, problem.code, problem.errors?.[0].pointer ?? '']
    t.same(seen, [status, code, pointer], JSON.stringify(payload))
  }
  t.equal((await call('GET', '/cloud/accounts')).json().items.length, before)
})

t.test('If-Match guards a change and a removal', async (t) => {
  const made = await call('POST', '/cloud/accounts',
    { name: 'Short', regions: ['eu-west-1'], auth: { type: 'ambient' } })
  const url = `/cloud/accounts/${made.json().id}`
  t.equal(made.headers.etag, '"r1"')
  const renamed = await call('PATCH', url, { name: 'Shorter' }, { 'if-match': '"r1"' })
  t.same([renamed.statusCode, renamed.headers.etag, renamed.json().name], [200, '"r2"', 'Shorter'])
  const stale = await call('PATCH', url, { name: 'Late' }, { 'if-match': '"r1"' })
  t.same([stale.statusCode, stale.json().code, stale.headers.etag], [412, 'stale_revision', '"r2"'])
  t.equal((await call('DELETE', url, undefined, { 'if-match': '"r1"' })).statusCode, 412)
  t.equal((await call('DELETE', url, undefined, { 'if-match': '"r2"' })).statusCode, 204)
  for (const method of ['GET', 'DELETE'] as const) {
    const gone = await call(method, url)
    t.same([gone.statusCode, gone.json().code], [404, 'cloud_account_not_found'])
  }
  t.equal((await call('PATCH', url, { name: 'Gone' })).statusCode, 404)
})

t.test('a disabled account is asked no more', async (t) => {
  const made = await call('POST', '/cloud/accounts', { name: 'Off', regions: ['us-east-1'], auth: { type: 'ambient' } })
  const { id } = made.json()
  t.equal((await call('PATCH', `/cloud/accounts/${id}`, { disabled: true })).json().status, 'disabled')
  const clusters = (await call('GET', '/infrastructure/containers/clusters')).json()
  t.notOk(clusters.items.some(({ account_id: account }: Record<string, string>) => account === id))
  const asked = await call('GET', `/infrastructure/containers/clusters?account_id=${id}`)
  t.match(asked.json(), { status: 424, code: 'cloud_account_unusable' })
})
