import t from '../tap.js'
import { verifyText } from '../../lib/record/verify-file.js'
import { asAdmin, buildApp } from '../app.js'
import { Authenticator, type Deviation } from '../authenticator.js'
import { makePasskey, passkeySite, signRequest, type Change } from '../passkeys.js'
import { enableDraft, putPolicies, replayPolicies } from '../policies.js'
import { makePerson, problemOf } from '../routes/account/actors.js'

const app = await buildApp(t, passkeySite)
const eve = await makePerson(app, 'Eve', 'admin')
const ada = await makePerson(app, 'Ada', 'admin')
const { device } = await makePasskey(app, eve.headers)

type Headers = Record<string, string>

const signatureFor = async (change: Change, headers = eve.headers, by = device, deviation?: Deviation) =>
  (await signRequest(app, headers, by, change, deviation))['x-steward-signature'] ?? ''
const send = (change: Change, signature?: string, headers: Headers = eve.headers) => app.inject({
  ...change, headers: { ...headers, ...(signature !== undefined && { 'x-steward-signature': signature }) }
})

const group: Change = { method: 'POST', url: '/account/groups', payload: { name: 'On call' } }

t.test('whoever has a passkey signs each change of people and policies, and others do not have to', async (t) => {
  const id = app.home.admin_id
  const { id: passkey } = await makePasskey(app, ada.headers).then(async (made) => {
    await app.inject({ method: 'DELETE', url: `/account/passkeys/${made.id}`, headers: asAdmin })
    return made
  })
  const changes: Change[] = [
    group,
    { method: 'PATCH', url: `/account/groups/${id}`, payload: { name: 'x' } },
    { method: 'DELETE', url: `/account/groups/${id}` },
    { method: 'POST', url: '/account/users', payload: { name: 'New', role: 'viewer' } },
    { method: 'PATCH', url: `/account/users/${id}`, payload: { role: 'viewer' } },
    { method: 'POST', url: `/account/users/${id}/link` },
    { method: 'POST', url: '/account/bindings', payload: {} },
    { method: 'PATCH', url: `/account/bindings/${id}`, payload: { role: 'viewer' } },
    { method: 'DELETE', url: `/account/bindings/${id}` },
    { method: 'POST', url: '/account/policies/enable', payload: { digest: 'x' } },
    { method: 'PATCH', url: `/account/workspaces/${id}`, payload: { settings: { step_up: null } } },
    { method: 'POST', url: `/account/workspaces/${id}/admins`, payload: {} },
    { method: 'POST', url: `/account/workspaces/${id}/archive` },
    { method: 'DELETE', url: `/account/workspaces/${id}?name=x` },
    { method: 'POST', url: '/account/delegations', payload: { to: id, until: '2030-01-01T00:00:00Z' } },
    { method: 'POST', url: '/account/tokens', payload: { name: 'Script', scopes: ['agent:read'], expires_in_days: 1 } },
    { method: 'POST', url: '/codehost/connection', payload: {} },
    { method: 'POST', url: '/codehost/invitations', payload: { login: 'x', role: 'viewer' } },
    { method: 'POST', url: '/account/channels', payload: { kind: 'slack', name: 'Slack' } },
    { method: 'PATCH', url: `/account/channels/${id}`, payload: { enabled: true } },
    { method: 'POST', url: '/api/v1/agent/triggers', payload: {} },
    { method: 'PATCH', url: `/api/v1/agent/triggers/${id}`, payload: { enabled: true } },
    { method: 'POST', url: '/api/v1/agent/grants', payload: {} },
    { method: 'POST', url: '/deployments/apps', payload: { auto_deploy: { enabled: true } } },
    { method: 'PATCH', url: `/deployments/apps/${id}`, payload: { auto_deploy: { enabled: true } } },
    { method: 'PATCH', url: `/deployments/apps/${id}`, payload: { image: 'registry/web:{sha}' } },
    { method: 'POST', url: '/tool-servers', payload: {} },
    { method: 'PATCH', url: `/tool-servers/${id}/tools/x`, payload: { mode: 'read' } },
    { method: 'POST', url: '/content/calendar/subscriptions', payload: {} },
    { method: 'POST', url: '/account/passkeys/options' },
    { method: 'DELETE', url: `/account/passkeys/${passkey}` }
  ]
  for (const change of changes) {
    const refused = await send(change)
    t.match([refused.statusCode, problemOf(refused)], [403, {
      code: 'operation_signature_required',
      errors: [{ pointer: '/headers/x-steward-signature', code: 'operation_signature_required' }]
    }], `${change.method} ${change.url}`)
  }
  const offs: [string, object][] = [
    [`/account/channels/${id}`, { enabled: false }], [`/api/v1/agent/triggers/${id}`, { enabled: false }],
    [`/deployments/apps/${id}`, { auto_deploy: { enabled: false, branch: 'main' } }]
  ]
  for (const [url, payload] of offs) {
    const off = await send({ method: 'PATCH', url, payload })
    t.equal(problemOf(off).status, 404, `${url}: what only turns off takes no signature`)
  }
  const linking = await app.inject({ url: '/codehost-oauth/authorize?mode=link', headers: eve.headers })
  t.match([linking.statusCode, linking.headers['x-error-code']], [403, 'operation_signature_required'])
  const open = await app.inject({ url: '/codehost-oauth/authorize?mode=link', headers: ada.headers })
  t.same(problemOf(open).code, 'codehost_not_configured', 'without a passkey as before')
  const signed: Change = { method: 'POST', url: '/codehost/connection', payload: { return_to: '/settings/connections' } }
  const connecting = await send(signed, await signatureFor(signed))
  t.equal(problemOf(connecting).code, 'codehost_not_configured', 'signed, it is looked at')
  t.equal((await send({ ...group, payload: { name: 'By Ada' } }, undefined, ada.headers)).statusCode, 201)
  t.equal((await send({ ...group, payload: { name: 'By script' } }, undefined, asAdmin)).statusCode, 201)
})

t.test('a signed change is made once, and the record proves the signature', async (t) => {
  const signature = await signatureFor(group)
  const made = await send(group, signature)
  t.equal(made.statusCode, 201)
  const again = await send(group, signature)
  t.match([again.statusCode, again.json().errors], [422, [{ code: 'challenge' }]])
  const gone: Change = { method: 'DELETE', url: `/account/groups/${made.json().id}` }
  t.equal((await send(gone, await signatureFor(gone))).statusCode, 204)
  await putPolicies(app, '', [], eve.headers)
  const { digest } = (await replayPolicies(app, {}, eve.headers)).json()
  t.match((await enableDraft(app, digest, eve.headers)).json(), { code: 'operation_signature_required' })
  const enable: Change = { method: 'POST', url: '/account/policies/enable', payload: { digest } }
  t.equal((await send(enable, await signatureFor(enable))).statusCode, 200)
  const { payload } = await app.inject({ url: '/account/audit/export', headers: asAdmin })
  const { keys } = (await app.inject('/.well-known/steward-audit-keys.json')).json()
  t.match(await verifyText([payload], { keys }), { problems: [], signatures: 4 })
})

t.test('no other signature makes the change', async (t) => {
  const refused = async (signature: string, code: string, why = code) => {
    const answer = await send(group, signature)
    t.match([answer.statusCode, answer.json().code, answer.json().errors], [422, 'signature_invalid', [{ code }]], why)
  }
  await refused(await signatureFor({ ...group, payload: { name: 'Other' } }), 'statement', 'another body')
  await refused(await signatureFor({ ...group, method: 'PUT' }), 'statement', 'another method')
  await refused(await signatureFor({ ...group, url: '/account/users' }), 'statement', 'another path')
  await refused(await signatureFor(group, ada.headers), 'challenge', 'another person\'s challenge')
  await refused(await signatureFor(group, eve.headers, device, { flags: 0x01 }), 'user_verification')
  await refused(await signatureFor(group, eve.headers, device, { origin: 'https://evil.example' }), 'origin')
  for (const text of ['', 'a.b.c', 'a.b.c.d.e', 'a.b.c.d=', 'a.b.c. d']) await refused(text, 'form', text)
  t.equal((await send(group, await signatureFor(group))).statusCode, 201)
})

t.test('another passkey is added and removed with a signature of one that is there', async (t) => {
  const url = '/account/passkeys/options'
  const change: Change = { method: 'POST', url }
  const options = await send(change, await signatureFor(change))
  t.equal(options.statusCode, 200)
  const second = new Authenticator(device.origin)
  const made = await app.inject({
    method: 'POST',
    url: '/account/passkeys',
    headers: eve.headers,
    payload: { name: 'Second', ...second.create(options.json()) }
  })
  t.equal(made.statusCode, 201)
  const remove: Change = { method: 'DELETE', url: `/account/passkeys/${made.json().id}` }
  t.equal((await send(remove, await signatureFor(remove, eve.headers, second))).statusCode, 204)
})

t.test('a workspace may demand it of everybody: who has no passkey adds one first', async (t) => {
  const settings = (step_up: boolean | null): Change => ({
    method: 'PATCH', url: `/account/workspaces/${app.home.workspace_id}`, payload: { settings: { step_up } }
  })
  const on = settings(true)
  t.match((await send(on, await signatureFor(on))).json(), { settings: { step_up: true } })
  for (const headers of [ada.headers, asAdmin]) {
    const refused = await send({ ...group, payload: { name: 'Now' } }, undefined, headers)
    t.match([refused.statusCode, refused.json().code], [403, 'operation_signature_required'])
  }
  const own = await makePasskey(app, ada.headers)
  const now: Change = { ...group, payload: { name: 'Now' } }
  t.equal((await send(now, await signatureFor(now, ada.headers, own.device), ada.headers)).statusCode, 201)
  const off = settings(null)
  t.match((await send(off, await signatureFor(off))).json(), { settings: { step_up: null } })
})

t.test('an archive is imported with a signature of the operation, and a token is made with one', async (t) => {
  const upload = { method: 'POST' as const, url: '/account/workspaces/import', payload: '{}\n' }
  const type = { 'content-type': 'application/vnd.steward.archive' }
  const unsigned = await app.inject({ ...upload, headers: { ...eve.headers, ...type } })
  t.match([unsigned.statusCode, unsigned.json().code], [403, 'operation_signature_required'])
  const signature = await signatureFor({ method: 'POST', url: upload.url })
  const signed = await app.inject({ ...upload, headers: { ...eve.headers, ...type, 'x-steward-signature': signature } })
  t.match([signed.statusCode, signed.json().code], [422, 'archive_damaged'], 'it is read')
  const payload = { name: 'Script', scopes: ['agent:read'], expires_in_days: 1 }
  const token: Change = { method: 'POST', url: '/account/tokens', payload }
  t.equal((await send(token, await signatureFor(token))).statusCode, 201)
})
