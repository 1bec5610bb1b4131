import { createPublicKey } from 'node:crypto'
import t from '../../tap.js'
import { challengeOf } from '../../../lib/passkeys/assertion.js'
import { digestOf, type Entry } from '../../../lib/record/entry.js'
import { ConsentVerifier } from '../../../lib/record/verify-consent.js'
import type { Statement } from '../../../schemas/account/passkeys.js'
import { Authenticator, type Algorithm, type Deviation } from '../../authenticator.js'

const workspace_id = '01900000-0000-7000-8000-00000000000a'
const [ada, ben] = ['01900000-0000-7000-8000-0000000000ad', '01900000-0000-7000-8000-0000000000be']
const write_id = '01900000-0000-7000-8000-00000000000c'
const input_digest = `sha256:${'a'.repeat(64)}`
const origin = 'https://steward.example'
const rp_id = 'steward.example'

const plan = { summary: 'Delete app web', risk: 'high', changes: [{ label: 'App', before: 'web', after: null }] }
const asked = { ...plan, digest: input_digest }

const entryOf = (kind: Entry['kind'], operation: string, body: Record<string, unknown>, more: object = {}): Entry => ({
  type: 'entry',
  workspace_id,
  seq: 7,
  id: write_id,
  at: '2026-11-24T12:00:00.000Z',
  kind,
  write_id,
  operation,
  target: null,
  outcome: 'approved',
  status: null,
  user_id: ada,
  via: 'browser',
  via_id: null,
  remote_address: null,
  request_id: 'r',
  body,
  previous: '',
  hash: '',
  ...more
})

const statement: Statement = {
  purpose: 'consent',
  workspace_id,
  user_id: ada,
  rp_id,
  origin,
  nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
  plans: [{ tool_call_id: write_id, input_digest, plan: digestOf(asked) }]
}

const spkiOf = (device: Authenticator): string =>
  createPublicKey(device.publicKey).export({ format: 'der', type: 'spki' }).toString('base64url')

const consentBy = (device: Authenticator, deviation: Deviation = {}, of: Statement = statement) => ({
  ...device.sign({ challenge: challengeOf(of), rpId: rp_id }, deviation),
  statement: of,
  public_key: spkiOf(device),
  algorithm: device.algorithm,
  plan: asked
})

const decided = (consent: unknown, more: object = {}) =>
  entryOf('decided', 'deleteApp', { digest: input_digest, requirement: { signed: true }, consent }, more)

const registered = (device: Authenticator, more: object = {}) => entryOf('direct', 'createPasskey',
  { passkey: { credential_id: device.credentialId, public_key: spkiOf(device) } }, more)

/** @returns what is found in the last of some entries */
const find = (...entries: Entry[]) => {
  const verifier = new ConsentVerifier()
  return entries.map((entry) => verifier.check(entry)).at(-1)
}

const device = new Authenticator(origin)
const question = entryOf('asked', 'deleteApp', { plan: asked })

t.test('a signature of each algorithm is verified with the plan that was asked', async (t) => {
  for (const algorithm of [-7, -8, -257] as Algorithm[]) {
    const own = new Authenticator(origin, algorithm)
    t.same(find(registered(own), question, decided(consentBy(own))), [])
  }
})

t.test('what was changed is named', async (t) => {
  const good = consentBy(device)
  const as = (change: object) => decided({ ...good, ...change })
  const is = (entries: Entry[], what: string) =>
    t.ok(find(...entries)?.some((found) => found.endsWith(what)), `${what}: ${JSON.stringify(find(...entries))}`)
  const planned = { ...asked, summary: 'Delete app api' }
  is([as({ plan: planned })], 'is of another plan than the one that stands beside it')
  is([entryOf('asked', 'deleteApp', { plan: planned }), as({})], 'is of another plan than was asked')
  const forged = { ...statement, plans: [{ tool_call_id: write_id, input_digest, plan: digestOf(planned) }] }
  is([as({ statement: forged, plan: planned })], 'signs another challenge')
  is([as({ signature: `${good.signature.slice(0, -4)}AAAA` })], 'is not valid')
  is([as({ client_data_json: Buffer.from('{}').toString('base64url') })], 'is not valid')
  is([as({ authenticator_data: 'AAAA' })], 'is no assertion')
  is([as({ public_key: spkiOf(new Authenticator(origin)) })], 'is not valid')
  is([as({ algorithm: -65535 })], 'is not valid')
  is([as({ statement: { ...statement, plans: [null, 7] } })], 'is of another plan')
  is([as({ signature: 7 })], 'has a signature of a passkey that cannot be read')
  is([decided(undefined)], 'is an approval without the signature that its policy asks for')
  is([decided(good, { user_id: ben })], 'is of another person')
  is([decided(good, { write_id: ben })], 'is of another plan')
  is([decided(good, { workspace_id: ben })], 'is of another person')
  is([decided(consentBy(device, { flags: 0x01 }))], 'was made without verifying the person')
  is([decided(consentBy(device, { origin: 'https://evil.example' }))], 'was made at another address')
  is([decided(consentBy(device, { rpId: 'evil.example' }))], 'is of another relying party')
  is([decided(consentBy(device, {}, { ...statement, purpose: 'operation' }))], 'is no consent')
})

t.test('a key that its person did not register is named, also where the whole consent was made anew', async (t) => {
  const forger = new Authenticator(origin)
  const consent = { ...consentBy(forger), credential_id: device.credentialId }
  t.same(find(registered(device), decided(consent)),
    ['entry 7: the signature of the passkey is of another key than the one that its person has registered'])
  t.same(find(registered(device, { user_id: ben }), decided(consentBy(device))),
    ['entry 7: the signature of the passkey is of a key of another person'])
  t.same(find(decided(consentBy(device)), decided(consent)),
    ['entry 7: the signature of the passkey is of another key than the one that its person has registered'])
})

t.test('the signature of a change of people is verified, and named where it is of another', async (t) => {
  const { plans: _, ...rest } = statement
  const stated: Statement = { ...rest, purpose: 'operation', operation: { method: 'POST', path: '/x', body: 'y' } }
  const signed = consentBy(device, {}, stated)
  const change = (body: object, more: object = {}) => entryOf('direct', 'createGroup', { ...body }, more)
  t.same(find(change({ signed })), [])
  t.same(find(change({})), [])
  const name = 'entry 7: the signature of the passkey'
  t.same(find(change({ signed }, { user_id: ben })), [`${name} is of another person`])
  const other = { ...signed, statement: { ...stated, nonce: 'B' } }
  t.same(find(change({ signed: other })), [`${name} signs another challenge`])
  t.same(find(change({ signed: consentBy(device) })), [`${name} is of another person`], 'a consent is no change')
  t.same(find(change({ signed: true })), ['entry 7 has a signature of a passkey that cannot be read'])
})
