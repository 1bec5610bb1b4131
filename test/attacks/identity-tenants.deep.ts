import t from '../tap.js'
import { asAdmin } from '../app.js'
import {
  addProvider, Browser, buildWithProviders, changeProvider, startSandbox
} from '../routes/account/identity-browser.js'

/** One provider for many companies, as Entra ID is: one key, one client, an issuer for each company. */
const app = await buildWithProviders(t)
const sandbox = await startSandbox(t)
const at = (tenant: string) => ({ issuer: sandbox.issuerOf(tenant), client: sandbox.client })
const rules = { just_in_time: true, joins_by_email: true, domains: ['acme.example'] }
const acme = await addProvider(app, at('acme'), { name: 'Acme', ...rules })
const evil = await addProvider(app, at('evil'), { name: 'Evil', just_in_time: true })

const person = (tid: string) =>
  ({ sub: 'ada', tid, sid: 'one', name: `Ada of ${tid}`, email: 'ada@acme.example', email_verified: true })
/** Entra ID names no issuer on the way back. */
const silent = { authorization_response_iss_parameter_supported: undefined }

t.beforeEach(async () => {
  sandbox.reset()
  Object.assign(sandbox.behaviour, { iss: null, metadata: silent, person: person('acme') })
  // The document is read anew.
  for (const id of [acme, evil]) await changeProvider(app, id, { enabled: true })
})

const count = async () => (await app.db.selectFrom('account_user').select('id').execute()).length

const logOut = async (provider: string, token: string): Promise<string> => {
  const answer = await app.inject({
    method: 'POST',
    url: `/identity/${app.home.workspace_id}/${provider}/logout`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `logout_token=${token}`
  })
  return answer.statusCode === 204 ? 'ended' : answer.json().code
}

t.test('who is of the company comes in, and its issuer is theirs', async (t) => {
  const ada = new Browser(app)
  t.equal((await ada.signIn(acme)).statusCode, 302)
  t.match(await ada.me(), { user: { name: 'Ada of acme' } })
  t.match((await ada.open('/account/identities')).json().items, [{ issuer: sandbox.issuerOf('acme'), subject: 'ada' }])
})

t.test('a person of another company does not, though the key, the client, the subject and the address are the same',
  async (t) => {
    const before = await count()
    for (const behaviour of [{ iss: null, metadata: silent }, { iss: undefined, metadata: {} },
      // The browser says the right one, and the token does not.
      { iss: sandbox.issuerOf('acme'), metadata: {} }]) {
      Object.assign(sandbox.behaviour, { ...behaviour, person: person('evil') })
      await changeProvider(app, acme, { enabled: true })
      const browser = new Browser(app)
      t.match((await browser.signIn(acme)).json(), { status: 400, code: 'identity_exchange_failed' })
      t.match(await browser.me(), { code: 'unauthenticated' })
    }
    t.equal(await count(), before)
  })

t.test('a code that was given for another company\'s sign-in is worth nothing at this one\'s callback', async (t) => {
  sandbox.behaviour.person = person('evil')
  const browser = new Browser(app)
  const begun = new URL(await browser.begin(acme))
  // The page of the other company, with this one's client, state and challenge.
  begun.pathname = new URL(`${sandbox.issuerOf('evil')}/authorize`).pathname
  t.match((await browser.open(await browser.visit(begun.href))).json(), { code: 'identity_exchange_failed' })
  t.match(await browser.me(), { code: 'unauthenticated' })
})

t.test('two companies with the same subject are two people, and one signs the other out of nothing', async (t) => {
  const ada = new Browser(app)
  await ada.signIn(acme)
  sandbox.behaviour.person = { ...person('evil'), email: 'ada@evil.example' }
  const other = new Browser(app)
  t.equal((await other.signIn(evil)).statusCode, 302)
  t.not((await other.me()).user.id, (await ada.me()).user.id)
  const token = (tenant: string) =>
    sandbox.logoutToken({ iss: sandbox.issuerOf(tenant), sub: 'ada', sid: 'one' })
  t.equal(await logOut(acme, token('evil')), 'logout_token_refused')
  t.equal(await logOut(evil, token('acme')), 'logout_token_refused')
  t.equal(await logOut(acme, sandbox.logoutToken({ iss: sandbox.issuerOf('{tenantid}'), sub: 'ada' })),
    'logout_token_refused')
  t.match([await ada.me(), await other.me()], [{ via: 'browser' }, { via: 'browser' }])
  t.equal(await logOut(evil, token('evil')), 'ended')
  t.match([await ada.me(), await other.me()], [{ via: 'browser' }, { code: 'unauthenticated' }])
})

t.test('a company that renews the tokens of another vouches for nobody', async (t) => {
  const ada = new Browser(app)
  await changeProvider(app, acme, { scopes: ['offline_access'] })
  await ada.signIn(acme)
  sandbox.behaviour.forged = { iss: sandbox.issuerOf('evil'), tid: 'evil' }
  const old = new Date(Date.now() - 71 * 60_000)
  await app.db.updateTable('account_identity_session').set({ answered_at: old }).execute()
  await app.db.updateTable('account_session').set({ check_at: new Date(0) }).where('check_at', 'is not', null).execute()
  t.match(await ada.me(), { code: 'unauthenticated' }, 'after the grace, as with any answer that cannot be believed')
})

t.test('an issuer of many companies lets nobody in, and says why', async (t) => {
  const detail = 'The issuer there is shared by many companies: enter that of your own'
  const before = await count()
  for (const tenant of ['common', 'organizations', '{tenantid}']) {
    const id = await addProvider(app, at(tenant), { name: tenant, just_in_time: true })
    // What stands in the document is what an admin might copy.
    sandbox.behaviour.metadata = { ...silent, issuer: sandbox.issuerOf('{tenantid}') }
    const test = await app.inject({ method: 'POST', url: `/account/identity-providers/${id}/test`, headers: asAdmin })
    t.same(test.json(), { passed: false, checks: [{ check: 'issuer', outcome: 'failed', detail }] }, tenant)
    const browser = new Browser(app)
    t.match((await browser.open(`/identity/${id}/authorize`)).json(),
      { status: 502, code: 'identity_unavailable', detail }, tenant)
    t.equal(await logOut(id, sandbox.logoutToken({ iss: sandbox.issuerOf('acme'), sub: 'ada' })),
      'logout_token_refused')
  }
  t.equal(await count(), before)
})
