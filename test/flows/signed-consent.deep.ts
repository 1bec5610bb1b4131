import t from '../tap.js'
import { verifyText } from '../../lib/record/verify-file.js'
import { asAdmin, buildApp } from '../app.js'
import type { Authenticator, Deviation } from '../authenticator.js'
import { makePasskey, offerAnotherPasskey, offerSignature, passkeySite } from '../passkeys.js'
import { enablePolicies } from '../policies.js'
import { makeToken } from '../routes/account/actors.js'
import { accountOf, input } from '../routes/deployments/actors.js'
import { confirmationOf, countProjects, decideAs, endOf, makePeople, proposeProject, type Person, type Proposed } from
  './voting.js'

const app = await buildApp(t, passkeySite)
const [ada, ben, mia] = await makePeople(app, ['Ada', 'Ben', 'Mia'])
if (!ada || !ben || !mia) throw new Error('Three people are made')

/** Projects whose name begins so are grave: one signs, or two do. */
await enablePolicies(app, `
@id("grave") @outcome("approve") @signed("true")
permit (principal, action == Action::"createProject", resource)
when { context.args has name && context.args.name like "grave*" };
@id("two") @outcome("approve") @approvals("2") @signed("true")
permit (principal, action == Action::"createProject", resource)
when { context.args has name && context.args.name like "two*" };`)

// Made before the passkey: another is signed with it.
const token = await makeToken(app, ada.headers, ['agent:read', 'agent:write', 'account:write', 'approvals:write'])
const adas = await makePasskey(app, ada.headers)
const bens = await makePasskey(app, ben.headers, -8)
const mias = await makePasskey(app, mia.headers, -257)

const optionsOf = async ({ headers }: Person, { confirmation }: Proposed) => {
  const answer = await offerSignature(app, headers, confirmation.id, confirmation.input_digest)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json()
}
const signed = async (person: Person, device: Authenticator, asked: Proposed, deviation?: Deviation) =>
  device.sign(await optionsOf(person, asked), deviation)

/** Approves what was shown, with whatever stands for a signature. */
const approve = (person: Pick<Person, 'headers'>, asked: Proposed, signature?: object, more: object = {}) =>
  decideAs(app, person, asked, true, { input_digest: asked.confirmation.input_digest, signature, ...more })

const exported = async (): Promise<string[]> =>
  (await app.inject({ url: '/account/audit/export', headers: asAdmin })).payload.trim().split('\n')
const keys = async () => (await app.inject('/.well-known/steward-audit-keys.json')).json().keys
const verify = async (lines: string[]) => verifyText([`${lines.join('\n')}\n`], { keys: await keys() })

t.test('an approval without a signature is refused with where it belongs, and nothing is decided', async (t) => {
  const asked = await proposeProject(app, ada.headers, 'grave nothing')
  const question = await confirmationOf(app, ada, asked.confirmation.id)
  t.match(question, { status: 'pending', requirement: { approvals: 1, signed: true, policies: ['grave'] } })
  for (const headers of [ada.headers, token.headers]) {
    const refused = await approve({ headers }, asked)
    t.match([refused.statusCode, refused.json()], [403, {
      code: 'consent_signature_required',
      title: 'It is approved with a passkey: open the card to sign',
      errors: [{ pointer: '/signature', code: 'consent_signature_required' }]
    }])
  }
  const several = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/confirmations/decide',
    headers: ada.headers,
    payload: {
      decisions: [{
        session_id: asked.session_id,
        confirmation_id: asked.confirmation.id,
        input_digest: asked.confirmation.input_digest,
        approved: true
      }]
    }
  })
  t.match(several.json().items, [{ result: null, problem: { code: 'consent_signature_required' } }])
  const direct = await app.inject({
    method: 'POST', url: '/account/projects', headers: ada.headers, payload: { name: 'grave nothing' }
  })
  t.match([direct.statusCode, direct.json().code], [403, 'approval_required'])
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', votes: [] })
  t.equal(await countProjects(app, 'grave nothing'), 0)
  const rejected = await decideAs(app, ada, asked, false)
  t.match([rejected.statusCode, rejected.json().status], [200, 'rejected'], 'a rejection needs none')
})

t.test('a signed approval runs, and the record proves it offline', async (t) => {
  const asked = await proposeProject(app, ada.headers, 'grave signed')
  const options = await optionsOf(ada, asked)
  t.match(options, {
    rpId: 'steward.example',
    userVerification: 'required',
    allowCredentials: [{ id: adas.device.credentialId }],
    statement: {
      purpose: 'consent',
      user_id: ada.id,
      plans: [{ tool_call_id: asked.tool_call_id, input_digest: asked.confirmation.input_digest }]
    }
  })
  const answer = await approve(ada, asked, adas.device.sign(options))
  t.match([answer.statusCode, answer.json().status], [200, 'approved'])
  t.match(await endOf(app, ada.headers, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'grave signed'), 1)
  const again = await approve(ada, asked)
  t.match([again.statusCode, again.json().already_decided], [200, true])
  const [entry] = (await app.inject({
    url: `/account/audit/writes/${asked.tool_call_id}`, headers: asAdmin
  })).json().entries.filter(({ kind }: { kind: string }) => kind === 'decided')
  t.match(entry.body.consent, {
    credential_id: adas.device.credentialId,
    algorithm: -7,
    statement: { origin: 'https://steward.example', nonce: /^[\w-]{22}$/ },
    plan: { summary: 'Create project grave signed', digest: asked.confirmation.input_digest }
  })
  t.match(await verify(await exported()), { problems: [], signatures: 1 })
})

t.test('no other signature approves it', async (t) => {
  const asked = await proposeProject(app, ada.headers, 'grave attacked')
  const other = await proposeProject(app, ada.headers, 'grave other')
  const refused = async (signature: object, code: string, why = code, person: Person = ada) => {
    const answer = await approve(person, asked, signature)
    t.match([answer.statusCode, answer.json().code, answer.json().errors], [422, 'signature_invalid', [{ code }]], why)
  }
  const { device } = adas
  await refused(await signed(ada, device, asked, { origin: 'https://evil.example' }), 'origin')
  await refused(await signed(ada, device, asked, { crossOrigin: true }), 'origin', 'in a frame of another site')
  await refused(await signed(ada, device, asked, { rpId: 'evil.example' }), 'rp_id')
  await refused(await signed(ada, device, asked, { challenge: 'A'.repeat(43) }), 'challenge')
  await refused(await signed(ada, device, asked, { flags: 0x01 }), 'user_verification')
  await refused(await signed(ada, device, asked, { type: 'webauthn.create' }), 'type')
  await refused(await signed(ada, bens.device, asked), 'credential', 'another person\'s key')
  await refused(await signed(ada, bens.device, asked, { credentialId: device.credentialId }), 'signature',
    'another key under the name of mine')
  await refused(await signed(ada, device, other), 'statement', 'of another plan')
  await refused(device.sign(await optionsOf(ben, await shared())), 'challenge', 'of another person\'s challenge')
  const registration = await offerAnotherPasskey(app, ada.headers, device)
  await refused(device.sign({ ...registration, rpId: registration.rp.id }), 'statement', 'of a registration')
  const { counter } = device
  await refused(await signed(ada, device, asked, { counter: 0 }), 'counter', 'a counter of zero')
  device.counter = counter
  const last = await app.db.selectFrom('account_passkey').select('counter').where('id', '=', adas.id)
    .executeTakeFirst()
  await refused(await signed(ada, device, asked, { counter: Number(last?.counter) }), 'counter', 'the counter again')
  const whole = await signed(ada, device, asked)
  const flip = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  await refused({ ...whole, signature: flip(whole.signature) }, 'signature')
  await refused({ ...whole, authenticator_data: flip(whole.authenticator_data) }, 'rp_id', 'data changed')
  await refused({ ...whole, authenticator_data: whole.authenticator_data.slice(0, 8) }, 'form')
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', votes: [] })
  t.equal((await approve(ada, asked, whole)).statusCode, 200, 'and the signature itself is good')
  t.equal((await endOf(app, ada.headers, asked)).status, 'succeeded')
})

/** A question that two people have to sign. */
let pairs = 0
const shared = () => proposeProject(app, ada.headers, `two ${++pairs}`)

t.test('a signature is used once: not for the same question again, not for another, not later', async (t) => {
  const first = await shared()
  const signature = await signed(ada, adas.device, first)
  t.match((await approve(ada, first, signature)).json(), { status: 'pending', missing: 1 })
  t.match((await approve(ada, first)).json(), { already_decided: true }, 'the same person again says nothing new')
  const second = await shared()
  t.match((await approve(ada, second, signature)).json().errors, [{ code: 'challenge' }])
  const late = await signed(ada, adas.device, second)
  await app.db.updateTable('account_challenge').set({ expires_at: new Date(0) }).execute()
  t.match((await approve(ada, second, late)).json().errors, [{ code: 'challenge' }])
  t.match((await approve(ada, second, {})).json(), { status: 400, code: 'invalid_request' })
  const rejecting = await decideAs(app, ada, second, false, { signature: late })
  t.match(rejecting.json(), { status: 400, code: 'invalid_request', detail: '/signature is only for approved: true' })
})

t.test('each of several signs with their own passkey, and the record proves both', async (t) => {
  const asked = await shared()
  t.match((await approve(ada, asked, await signed(ada, adas.device, asked))).json(), { status: 'pending', missing: 1 })
  t.match((await approve(ben, asked)).json(), { code: 'consent_signature_required' })
  t.match((await approve(ben, asked, await signed(ben, bens.device, asked))).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, asked), { status: 'succeeded' })
  t.match(await verify(await exported()), { problems: [], signatures: 5 })
})

t.test('a vote without a signature counts nothing where the rules ask for one by now', async (t) => {
  const asked = await shared()
  const { id } = asked.confirmation
  await app.db.updateTable('agent_confirmation').set({
    requirement: JSON.stringify({
      approvals: 2, groups: [], exclude_requester: false, escalate: null, policy_version: null, policies: []
    })
  }).where('id', '=', id).execute()
  await app.db.insertInto('agent_vote').values({
    workspace_id: app.home.workspace_id,
    confirmation_id: id,
    user_id: ben.id,
    for_user_id: ben.id,
    decision: 'approve',
    reason: null,
    input_digest: asked.confirmation.input_digest,
    via: 'browser',
    via_id: null
  }).execute()
  t.match((await approve(ada, asked)).json(), { code: 'consent_signature_required' })
  t.match(await confirmationOf(app, ada, id), {
    status: 'pending', missing: 2, requirement: { signed: true }, votes: [{ person: { id: ben.id }, counts: false }]
  }, 'what the rules ask for by now stays with the question')
})

t.test('edited arguments are another plan, which is signed as such', async (t) => {
  const asked = await proposeProject(app, mia.headers, 'grave draft')
  const edit = { name: 'grave edited' }
  const planned = await app.inject({
    method: 'POST',
    url: `/api/v1/agent/confirmations/${asked.confirmation.id}/plan`,
    headers: mia.headers,
    payload: { arguments: edit }
  })
  const { input_digest } = planned.json()
  const decision = { arguments: edit, input_digest }
  const original = await signed(mia, mias.device, asked)
  t.match((await approve(mia, asked, original, decision)).json().errors, [{ code: 'statement' }])
  const options = await offerSignature(app, mia.headers, asked.confirmation.id, input_digest)
  const answer = await approve(mia, asked, mias.device.sign(options.json()), decision)
  t.match([answer.statusCode, answer.json().status], [200, 'approved'])
  t.match(await endOf(app, mia.headers, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'grave edited'), 1)
  const unknown = await offerSignature(app, mia.headers, asked.confirmation.id, input_digest)
  t.match(unknown.json(), { code: 'confirmation_closed' })
  const open = await proposeProject(app, mia.headers, 'grave stale')
  t.match((await offerSignature(app, mia.headers, open.confirmation.id, 'sha256:0')).json(), { code: 'stale_preview' })
})

t.test('what deploys by itself later is signed, whoever proposes it, though no policy says so', async (t) => {
  const target = { kind: 'ecs_service', service_id: `${await accountOf(app)}~eu-west-1~prod~web`, container: 'web' }
  const proposeApp = async (name: string, args: object) => (await app.inject({
    method: 'POST', url: '/api/v1/agent/tool-calls', headers: ada.headers, payload: { name, arguments: args }
  })).json<Proposed>()
  const auto_deploy = { enabled: true, branch: 'main', paths: [] }
  const asked = await proposeApp('createApp', { ...input('By itself', { target }), auto_deploy })
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { requirement: { signed: true } })
  const refused = await approve(ada, asked)
  t.match([refused.statusCode, refused.json().code], [403, 'consent_signature_required'])
  t.equal((await approve(ada, asked, await signed(ada, adas.device, asked))).statusCode, 200)
  const end = await endOf(app, ada.headers, asked)
  t.match(end, { status: 'succeeded', result: { auto_deploy: { enabled: true } } })
  const { id } = end.result as { id: string }
  const renamed = await proposeApp('updateApp', { app_id: id, name: 'By name' })
  t.notOk((await confirmationOf(app, ada, renamed.confirmation.id)).requirement?.signed, 'a name makes no way in')
  const image = await proposeApp('updateApp', { app_id: id, image: 'registry/other:{sha}' })
  t.match(await confirmationOf(app, ada, image.confirmation.id), { requirement: { signed: true } })
})
