import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { Browser, startHost } from './browser.js'
import { deliver, settleHooks } from './hooks.js'

const secret = 'a secret of this test and no other'
const { environment, control } = await startHost(t)
const app = await buildApp(t, {
  ...environment,
  CODEHOST_SIGN_IN: 'larkspur=member',
  CODEHOST_WEBHOOK_SECRET: secret,
  WORKER: 'false',
  LIMITS: '{"sign_ins_per_minute":10000}'
})

const rowOf = (login: string) => app.db.selectFrom('codehost_identity').selectAll().where('login', '=', login)
  .executeTakeFirstOrThrow()
const accessOf = (userId: string) => app.db.selectFrom('codehost_repository_access').select('repo_id')
  .where('user_id', '=', userId).execute()
const connection = (browser: Browser) =>
  app.inject({ url: '/codehost/connection', headers: { cookie: browser.cookie } })
const repos = (browser: Browser) => app.inject({ url: '/codehost/repos', headers: { cookie: browser.cookie } })

const signedIn = async (login: string) => {
  await control('POST', '/users', { login })
  await control('PUT', '/members', { login, role: 'member' })
  const browser = new Browser(app)
  await browser.signIn(login)
  return browser
}

/** A body that came a while ago is no copy of it. */
const pass = () => app.db.updateTable('codehost_receipt').set({ received_at: new Date(Date.now() - 360_000) }).execute()

/** The event, as the code host sends it: who, and no more. */
const revoked = async (accountId: string, action = 'revoked') => {
  const payload = { action, sender: { id: Number(accountId), login: 'whoever' } }
  const { receipt_id: id } = (await deliver(app, 'github_app_authorization', payload, { secret })).json()
  await settleHooks(app)
  await app.jobs.drain()
  return (await app.inject({ url: `/codehost/receipts/${id}`, headers: asAdmin })).json().status
}

t.beforeEach(() => control('DELETE', '/faults'))

t.test('a grant that was revoked at the code host is dropped, and its person must connect again', async (t) => {
  const browser = await signedIn('vera')
  t.equal((await repos(browser)).statusCode, 200)
  const { account_id: account, user_id: user } = await rowOf('vera')
  t.not((await accessOf(user)).length, 0)
  await control('DELETE', '/tokens', { login: 'vera' })
  t.equal(await revoked(account), 'processed')
  t.match(await rowOf('vera'), {
    state: 'needs_reauth', access_token: null, refresh_token: null, scope: '', expires_at: null, refresh_at: null
  })
  t.same(await accessOf(user), [])
  t.match((await connection(browser)).json(), {
    status: 409,
    code: 'codehost_reauth_required',
    authorize_url: 'http://127.0.0.1:0/codehost-oauth/authorize?mode=link'
  })

  await new Browser(app).signIn('vera')
  const { generation, ...again } = await rowOf('vera')
  t.match(again, { state: 'active', access_token: Buffer })
  t.equal(await revoked(account), 'duplicate', 'a copy')
  await pass()
  t.equal(await revoked(account), 'processed', 'the same body later is processed')
  t.match(await rowOf('vera'), { state: 'active', generation }, 'and harms no newer connection')
  t.equal((await connection(browser)).statusCode, 200)

  await control('DELETE', '/tokens', { login: 'vera' })
  await pass()
  await revoked(account)
  t.match(await rowOf('vera'), { state: 'needs_reauth', access_token: null }, 'a second end is not taken for the first')
})

t.test('an event of another kind, of an unknown account, or without confirmation drops nothing', async (t) => {
  const browser = await signedIn('wilma')
  const before = await rowOf('wilma')
  t.equal(await revoked(before.account_id, 'granted'), 'processed')
  t.equal(await revoked('987654321'), 'processed')
  t.equal(await revoked(before.account_id), 'processed')
  t.same(await rowOf('wilma'), before)
  await pass()
  await control('DELETE', '/tokens', { login: 'wilma' })
  await control('POST', '/faults', { kind: 'error_500', operation: 'getAuthenticatedUser', times: 0 })
  await revoked(before.account_id)
  t.match(await rowOf('wilma'), { state: 'active', access_token: Buffer })
  await control('DELETE', '/faults')
  await pass()
  await revoked(before.account_id)
  t.match(await rowOf('wilma'), { state: 'needs_reauth', access_token: null })
  t.equal((await repos(browser)).json().code, 'codehost_reauth_required')
})
