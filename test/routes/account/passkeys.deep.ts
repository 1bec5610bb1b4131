import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { Authenticator } from '../../authenticator.js'
import {
  makePasskey, offerAnotherPasskey, offerPasskey, passkeyOrigin, passkeySite, signRequest
} from '../../passkeys.js'
import { makePerson, makeStranger, makeToken, problemOf } from './actors.js'

const app = await buildApp(t, passkeySite)
const ada = await makePerson(app, 'Ada', 'member')
const ben = await makePerson(app, 'Ben', 'member')

const create = (headers: Record<string, string>, payload: object) =>
  app.inject({ method: 'POST', url: '/account/passkeys', headers, payload })
const list = (headers: Record<string, string>, query = '') => app.inject({ url: `/account/passkeys${query}`, headers })
const remove = (headers: Record<string, string>, id: string) =>
  app.inject({ method: 'DELETE', url: `/account/passkeys/${id}`, headers })
const removeSigned = async (headers: Record<string, string>, device: Authenticator, id: string) => {
  const change = { method: 'DELETE' as const, url: `/account/passkeys/${id}` }
  return app.inject({ ...change, headers: { ...headers, ...await signRequest(app, headers, device, change) } })
}

/** @returns what the record says of passkeys, oldest first */
const recorded = async () => (await app.inject({ url: '/account/audit/export', headers: asAdmin })).payload.trim()
  .split('\n').map((line) => JSON.parse(line))
  .filter(({ operation, outcome }) => outcome === 'succeeded' && /^(create|delete)Passkey$/.test(operation))

t.test('a person registers, names and removes a passkey of each algorithm, and the record has its key', async (t) => {
  for (const algorithm of [-7, -8, -257] as const) {
    const { id, device } = await makePasskey(app, ada.headers, algorithm)
    const [first] = (await list(ada.headers)).json().items
    t.match(first, {
      id, user_id: ada.id, name: 'Laptop', rp_id: 'steward.example', backed_up: false, last_used_at: null
    })
    const renamed = await app.inject({
      method: 'PATCH', url: `/account/passkeys/${id}`, headers: ada.headers, payload: { name: 'Phone' }
    })
    t.match(renamed.json(), { id, name: 'Phone' })
    t.equal((await removeSigned(ada.headers, device, id)).statusCode, 204)
    t.equal((await remove(ada.headers, id)).statusCode, 404)
    const kept = (await recorded()).slice(-2).toReversed()
    t.match(kept, [
      { operation: 'deletePasskey', target: ada.id, body: { passkey: { credential_id: device.credentialId } } },
      {
        operation: 'createPasskey',
        user_id: ada.id,
        body: { passkey: { credential_id: device.credentialId, algorithm, public_key: /^[\w-]+$/ } }
      }
    ])
  }
  t.same((await list(ada.headers)).json().items, [])
})

t.test('what the browser is given says what the passkey has to be', async (t) => {
  const { id, device } = await makePasskey(app, ben.headers)
  const offered = await offerAnotherPasskey(app, ben.headers, device)
  t.match(offered, {
    challenge: /^[\w-]{43}$/,
    rp: { id: 'steward.example', name: 'Steward' },
    user: { id: Buffer.from(ben.id).toString('base64url'), name: 'Ben', displayName: 'Ben' },
    pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
    excludeCredentials: [{ type: 'public-key', id: device.credentialId, transports: ['internal'] }],
    authenticatorSelection: { userVerification: 'required' }
  })
  const again = await create(ben.headers, { name: 'Again', ...device.create(offered) })
  t.match([again.statusCode, again.json().code], [409, 'passkey_known'])
  await removeSigned(ben.headers, device, id)
})

t.test('a passkey that was made elsewhere, for another, or without verifying the person is refused', async (t) => {
  const device = new Authenticator(passkeyOrigin)
  const refused = async (payload: object, pointer: string, code: string, headers = ada.headers) => {
    const answer = await create(headers, { name: 'Evil', ...payload })
    t.match([answer.statusCode, answer.json().code, answer.json().errors],
      [422, 'signature_invalid', [{ pointer, code }]], code)
  }
  const attestation = '/attestation_object'
  for (const deviation of [
    { origin: 'https://evil.example' }, { rpId: 'evil.example' }, { flags: 0x01 }, { flags: 0x04 },
    { type: 'webauthn.get' }
  ]) {
    await refused(device.create(await offerPasskey(app, ada.headers), deviation), attestation, 'attestation')
  }
  const challenge = Buffer.alloc(32).toString('base64url')
  await refused(device.create({ challenge, rp: { id: 'steward.example' } }), '/client_data_json', 'challenge')
  const offered = await offerPasskey(app, ada.headers)
  await refused(device.create(offered), '/client_data_json', 'challenge', ben.headers)
  await refused({ client_data_json: 'bm9uZQ', attestation_object: 'bm9uZQ' }, '/client_data_json', 'challenge')
  t.equal((await create(ada.headers, { name: 'Once', ...device.create(offered) })).statusCode, 201)
  await refused(new Authenticator(passkeyOrigin).create(offered), '/client_data_json', 'challenge')
  const late = await offerAnotherPasskey(app, ada.headers, device)
  await app.db.updateTable('account_challenge').set({ expires_at: new Date(0) }).execute()
  await refused(new Authenticator(passkeyOrigin).create(late), '/client_data_json', 'challenge')
  const [{ id }] = (await list(ada.headers)).json().items
  await removeSigned(ada.headers, device, id)
})

t.test('no token registers or removes a passkey, and each person sees their own', async (t) => {
  const { id } = await makePasskey(app, ada.headers)
  const token = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  for (const headers of [token.headers, asAdmin]) {
    const options = await app.inject({ method: 'POST', url: '/account/passkeys/options', headers })
    t.match([options.statusCode, options.json().code], [403, 'insufficient_scope'])
  }
  t.match((await remove(token.headers, id)).json(), { code: 'insufficient_scope' })
  t.equal((await remove(ben.headers, id)).statusCode, 404)
  t.same((await list(ben.headers)).json().items, [])
  t.match(problemOf(await list(ben.headers, `?user_id=${ada.id}`)), { status: 404, code: 'not_found' })
  t.match((await list(asAdmin, `?user_id=${ada.id}`)).json().items, [{ id }])
  const stranger = await makeStranger(app)
  t.same((await list(stranger, `?user_id=${ada.id}`)).json().items, [])
  t.equal((await remove(asAdmin, id)).statusCode, 204, 'an admin removes what was lost')
})

t.test('an address that browsers make no passkeys for is named, with the one to open', async (t) => {
  const local = await buildApp(t, { PORT: '7201' })
  const { headers } = await makePerson(local, 'Eve', 'member')
  const at = (host: string) => local.inject({
    method: 'POST', url: '/account/passkeys/options', headers: { ...headers, host }
  })
  t.match((await at('127.0.0.1:7201')).json(), {
    status: 409, code: 'passkeys_unavailable', detail: /Open http:\/\/localhost:7201$/
  })
  t.match((await at('localhost:7201')).json(), { rp: { id: 'localhost' } })
})
