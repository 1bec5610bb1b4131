import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { makeGroup, makePerson, makeToken } from './actors.js'
import { addProvider, Browser, buildWithProviders, changeProvider, startSandbox } from './identity-browser.js'

const app = await buildWithProviders(t)
const sandbox = await startSandbox(t)
const url = '/account/identity-providers'
const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url: path, headers: { ...headers }, ...(payload && { payload }) })
const whole = () => ({ issuer: 'https://id.acme.example/tenant', name: 'Acme', client_id: 'steward' })

t.test('a provider is added, read, changed and removed; its secret is never shown', async (t) => {
  const made = await send('POST', url, { ...whole(), secret: 'the-secret-of-acme' })
  const {
    id, created_at: _, updated_at: __, callback_url: callback, logout_url: logout, ...rest
  } = made.json()
  t.equal(made.statusCode, 201, made.payload)
  t.same(rest, {
    ...whole(),
    scopes: ['profile', 'email'],
    domains: [],
    groups_claim: null,
    rules: [],
    just_in_time: false,
    joins_by_email: false,
    role: 'viewer',
    check_minutes: 10,
    grace_minutes: 60,
    enabled: true,
    has_secret: true,
    revision: 1
  })
  t.match([callback, logout],
    [new RegExp(`/identity/${id}/callback$`), new RegExp(`/identity/${app.home.workspace_id}/${id}/logout$`)])
  const row = await app.db.selectFrom('account_identity_provider').selectAll().executeTakeFirstOrThrow()
  t.notOk(JSON.stringify(row).includes('the-secret-of-acme') || row.secret?.includes('the-secret-of-acme'))
  const changed = await send('PATCH', `${url}/${id}`, { name: 'Acme 2', secret: null, check_minutes: 1 },
    { ...asAdmin, 'if-match': '"r1"' })
  t.match([changed.statusCode, changed.headers.etag, changed.json()],
    [200, '"r2"', { name: 'Acme 2', has_secret: false, check_minutes: 1 }])
  const stale = await send('PATCH', `${url}/${id}`, { name: 'Acme 3' }, { ...asAdmin, 'if-match': '"r1"' })
  t.match(stale.json(), { status: 412, code: 'stale_revision' })
  t.same((await app.inject({ url, headers: asAdmin })).json(), { items: [changed.json()] })
  t.match((await send('POST', url, { ...whole(), issuer: `${whole().issuer}/` })).json(),
    { status: 409, code: 'issuer_taken' })
  t.equal((await send('DELETE', `${url}/${id}`)).statusCode, 204)
  t.match((await send('DELETE', `${url}/${id}`)).json(), { status: 404, code: 'not_found' })
  const operations = await fromRecord(app).select(['operation', 'outcome', 'via'])
    .where('operation', 'in', ['addIdentityProvider', 'updateIdentityProvider', 'removeIdentityProvider']).execute()
  t.equal(operations.length, 6, 'the record has each change and each refusal')
})

t.test('settings that cannot be meant are refused', async (t) => {
  const group = await makeGroup(app, 'Ops', [])
  const tries: [object, string, string][] = [
    [{ issuer: 'https://id.example/.well-known/openid-configuration' }, 'invalid_request', '/issuer'],
    [{ issuer: 'https://user:pw@id.example' }, 'invalid_request', '/issuer'],
    [{ issuer: 'ftp://id.example' }, 'invalid_request', '/issuer'],
    [{ joins_by_email: true }, 'invalid_request', '/joins_by_email'],
    [{ rules: [{ value: 'a', role: 'admin' }] }, 'invalid_request', '/rules'],
    [{ groups_claim: 'groups', rules: [{ value: 'a' }] }, 'invalid_request', '/rules/0'],
    [{
      groups_claim: 'groups',
      rules: [{ value: 'a', group_id: group }, { value: 'a', group_id: app.home.workspace_id }]
    }, 'subject_unknown', '/rules/1/group_id'],
    [{ admin: true }, 'unknown_field', '/admin']
  ]
  for (const [more, code, pointer] of tries) {
    t.match((await send('POST', url, { ...whole(), ...more })).json(), { code, errors: [{ pointer }] },
      JSON.stringify(more))
  }
  t.same((await app.inject({ url, headers: asAdmin })).json(), { items: [] })
})

t.test('only admins without a limit of scopes decide whom the workspace believes, and sign it', async (t) => {
  const approver = await makePerson(app, 'Approver', 'approver')
  const scoped = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  t.match((await send('POST', url, whole(), approver.headers)).json(), { code: 'insufficient_role' })
  t.match((await send('POST', url, whole(), scoped.headers)).json(), { code: 'insufficient_scope' })
  const { id, revision } = (await app.inject({ url: '/account/workspaces', headers: asAdmin })).json().items[0]
  const step = (step_up: boolean | null) =>
    send('PATCH', `/account/workspaces/${id}`, { settings: { step_up } })
  t.ok(revision)
  await step(true)
  t.match((await send('POST', url, whole())).json(), { status: 403, code: 'operation_signature_required' })
  await app.db.updateTable('workspace').set({ settings: '{}' }).execute()
  app.workspaces.forget()
  await app.workspaces.read()
})

t.test('the test of a provider says in plain words what is wrong', async (t) => {
  const id = await addProvider(app, sandbox, { scopes: ['profile', 'email', 'offline_access'] })
  const test = async () => {
    const { passed, checks } = (await send('POST', `${url}/${id}/test`)).json()
    const wrong = checks.filter(({ outcome }: { outcome: string }) => outcome !== 'passed')
    return { passed, wrong }
  }
  t.same((await send('POST', `${url}/${id}/test`)).json(), {
    passed: true,
    checks: [
      { check: 'discovery', outcome: 'passed', detail: 'Its document can be read' },
      { check: 'issuer', outcome: 'passed', detail: `It is ${sandbox.issuer}` },
      { check: 'code', outcome: 'passed', detail: 'It offers the code flow' },
      { check: 'pkce', outcome: 'passed', detail: 'It takes PKCE with S256' },
      { check: 'keys', outcome: 'passed', detail: 'It has 1 keys that sign' },
      { check: 'clock', outcome: 'passed', detail: 'Its clock and ours agree' },
      { check: 'client', outcome: 'passed', detail: 'It knows the client' },
      { check: 'scopes', outcome: 'passed', detail: 'openid profile email offline_access are asked for' },
      { check: 'sessions', outcome: 'passed', detail: 'Sessions are checked by refresh tokens' },
      { check: 'logout', outcome: 'passed', detail: 'Back-channel logout: offered; sign-out there: offered' }
    ]
  })
  sandbox.behaviour.metadata = { code_challenge_methods_supported: undefined }
  t.match(await test(),
    { passed: true, wrong: [{ check: 'pkce', outcome: 'warning', detail: /does not say that it takes PKCE/ }] })
  sandbox.behaviour.metadata = { issuer: 'https://other.example' }
  t.same(await test(), {
    passed: false,
    wrong: [{
      check: 'issuer',
      outcome: 'failed',
      detail: 'The document there is of the issuer https://other.example: enter that one'
    }]
  })
  sandbox.reset()
  sandbox.behaviour.offS = -3_600
  t.match(await test(),
    { passed: false, wrong: [{ check: 'clock', outcome: 'failed', detail: /36\d\d seconds behind ours/ }] })
  t.match((await new Browser(app).signIn(id)).json(),
    { code: 'identity_exchange_failed', detail: /the clock there or here is off/ })
  sandbox.reset()
  sandbox.behaviour.metadata = { id_token_signing_alg_values_supported: ['HS256', 'none'] }
  t.match(await test(), { passed: false, wrong: [{ check: 'keys', detail: /shared secret or not at all/ }] })
  sandbox.reset()
  sandbox.behaviour.status = 500
  t.same((await test()).wrong, [{ check: 'discovery', outcome: 'failed', detail: 'The provider answered with 500' }])
  sandbox.reset()
  await changeProvider(app, id, { secret: 'another-secret', scopes: ['email', 'wheel'], groups_claim: 'teams' })
  sandbox.behaviour.metadata = { claims_supported: ['sub'], backchannel_logout_supported: false }
  t.same((await test()).wrong.map(({ check, outcome }: Record<string, string>) => [check, outcome]), [
    ['client', 'failed'], ['scopes', 'warning'], ['groups', 'warning'], ['sessions', 'warning'], ['logout', 'warning']
  ])
  sandbox.reset()
  await sandbox.close()
  t.match(await test(), { passed: false, wrong: [{ check: 'discovery', detail: 'The server could not be reached' }] })
})
