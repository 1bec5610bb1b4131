import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { makeGroup, makePerson } from './actors.js'
import { addProvider, Browser, buildWithProviders } from './identity-browser.js'
import { startPeer } from './openid-peer.js'

const app = await buildWithProviders(t)
const peer = await startPeer(t)
const onCall = await makeGroup(app, 'On call', [])
const provider = await addProvider(app, peer, {
  scopes: ['profile', 'email', 'groups', 'offline_access'],
  domains: ['acme.example'],
  groups_claim: 'groups',
  rules: [{ value: 'leads', role: 'approver' }, { value: 'ops', group_id: onCall }, { value: 'owners', role: 'admin' }],
  just_in_time: true,
  joins_by_email: true
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
const { callback_url: callback, logout_url: logoutUrl } = (await app.inject({
  url: `/account/identity-providers/${provider}`, headers: asAdmin
})).json()
const logout = `${address}${new URL(logoutUrl).pathname}`
peer.register(`http://localhost/identity/${provider}/callback`, logout, 'http://localhost/sign-in')
peer.people.ada = { name: 'Ada', email: 'Ada@acme.example', email_verified: true, groups: ['leads', 'ops'] }
peer.people.linus = { name: 'Linus', email: 'linus@acme.example', email_verified: true }
peer.people.grace = { name: 'Grace', email: 'grace@acme.example', email_verified: true }
peer.people.mallory = { name: 'Mallory', email: 'grace@acme.example', email_verified: false }

const membersOf = async () => (await app.inject({ url: `/account/groups/${onCall}`, headers: asAdmin })).json().members
const due = (id?: string) => app.db.updateTable('account_session').set({ check_at: new Date(0) })
  .$if(id !== undefined, (query) => query.where('user_id', '=', String(id))).where('check_at', 'is not', null).execute()

t.test('the browser is sent away with state, nonce and a PKCE challenge, and keeps none of them', async (t) => {
  const browser = new Browser(app)
  const url = new URL(await browser.begin(provider))
  t.equal(url.origin, peer.issuer)
  const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(url.searchParams)
  t.match([state, nonce, challenge], [/^[\w-]{43}$/, /^[\w-]{43}$/, /^[\w-]{43}$/])
  t.same(rest, {
    client_id: 'steward',
    redirect_uri: `http://localhost/identity/${provider}/callback`,
    response_type: 'code',
    scope: 'openid profile email groups offline_access',
    code_challenge_method: 'S256',
    prompt: 'consent'
  })
  t.match([...browser.cookies.keys()], [/^steward-identity-[0-9a-f]{12}$/])
  const row = await app.db.selectFrom('account_identity_attempt').selectAll().executeTakeFirstOrThrow()
  t.notOk(JSON.stringify(row).includes(String(state)), 'the state is kept as a hash')
  t.match(callback, new RegExp(`/identity/${provider}/callback$`))
})

t.test('a new person comes in with the role and groups of the rules, and is found again by the subject', async (t) => {
  const ada = new Browser(app)
  const back = await ada.signIn(provider, '?return_to=/setup')
  t.same([back.statusCode, back.headers.location], [302, 'http://localhost/setup'], back.payload)
  const me = await ada.me()
  t.match(me,
    { via: 'browser', user: { name: 'Ada', email: 'Ada@acme.example', role: 'approver' }, groups: [{ id: onCall }] })
  const url = `/account/users/${me.user.id}/identities`
  const { items: [identity] } = (await app.inject({ url, headers: asAdmin })).json()
  const { id, last_sign_in_at: at, ...shown } = identity
  t.same(shown, {
    provider_id: provider,
    provider: 'Acme',
    issuer: peer.issuer,
    subject: 'ada',
    email: 'Ada@acme.example',
    joined_by: 'rule',
    rule_role: 'approver',
    groups: [{ id: onCall, name: 'On call' }]
  })
  t.same((await ada.open('/account/identities')).json().items, [identity])
  peer.people.ada = { ...peer.people.ada, email: 'ada.l@acme.example', groups: [] }
  const again = new Browser(app)
  await again.signIn(provider)
  t.match(await again.me(), { user: { id: me.user.id, role: 'viewer' }, groups: [] }, 'the rules hold at each sign-in')
  t.same(await membersOf(), [])
  const audit = await fromRecord(app).select(['operation', 'via', 'target', 'outcome', 'status'])
    .where('user_id', '=', me.user.id).where('operation', '=', 'completeIdentitySignIn').executeTakeFirst()
  t.same(audit, {
    operation: 'completeIdentitySignIn',
    via: 'browser',
    target: `identity:${provider}:ada`,
    outcome: 'succeeded',
    status: 302
  })
})

t.test('a verified address leads to who was invited, whose role the rules change while they give one', async (t) => {
  const payload = { name: 'Grace H', email: 'grace@acme.example', role: 'operator' }
  const { user } = (await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload })).json()
  peer.next = 'mallory'
  const refused = await new Browser(app).signIn(provider)
  t.match(refused.json(), { status: 403, code: 'identity_not_allowed' }, 'an address that is not verified is none')
  peer.next = 'grace'
  const grace = new Browser(app)
  await grace.signIn(provider)
  t.match(await grace.me(), { user: { id: user.id, name: 'Grace H', role: 'operator' } })
  peer.people.grace = { ...peer.people.grace, groups: ['leads'] }
  await new Browser(app).signIn(provider)
  t.match(await grace.me(), { user: { role: 'approver' } }, 'while a rule gives one, that is the role')
  peer.people.grace = { ...peer.people.grace, groups: [] }
  await new Browser(app).signIn(provider)
  t.match(await grace.me(), { user: { role: 'operator' } }, 'and then it is that of before')
})

t.test('what the provider says at the next look holds at once, and a session that it ended ends here', async (t) => {
  peer.next = 'ada'
  peer.people.ada = { ...peer.people.ada, groups: ['ops', 'leads'] }
  const ada = new Browser(app)
  await ada.signIn(provider)
  const { user } = await ada.me()
  peer.people.ada = { ...peer.people.ada, groups: ['ops'] }
  t.match(await ada.me(), { role: 'approver' }, 'the word of the provider is ten minutes old at most')
  await due(user.id)
  t.match(await ada.me(), { role: 'viewer', groups: [{ id: onCall }] })
  await due(user.id)
  const [first, second] = await Promise.all([ada.me(), ada.me()])
  t.same([first.user.id, second.user.id], [user.id, user.id], 'two requests at once ask once: the token rotates')
  const { tokens } = await app.db.selectFrom('account_identity_session as s')
    .innerJoin('account_identity as i', 'i.id', 's.identity_id').select(['s.tokens', 's.id'])
    .where('i.user_id', '=', user.id).orderBy('s.created_at', 'desc').executeTakeFirstOrThrow()
  t.ok(tokens && !tokens.toString('latin1').includes('refresh'), 'tokens are encrypted')
  const { ada: before } = peer.people
  delete peer.people.ada
  t.match(await ada.me(), { user: { id: user.id } })
  await due(user.id)
  const ended = await Promise.all([ada.me(), ada.me()])
  t.match(ended, [{ status: 401, code: 'unauthenticated' }, { status: 401, code: 'unauthenticated' }])
  const audit = await fromRecord(app).select(['via', 'target', 'outcome', 'status'])
    .where('operation', '=', 'checkIdentitySession').executeTakeFirst()
  t.same(audit, { via: 'system', target: `identity:${provider}:ada`, outcome: 'refused', status: 401 })
  peer.people.ada = { ...before }
})

t.test('signing out leads to the provider, whose back-channel logout ends the other sessions at once', async (t) => {
  peer.next = 'linus'
  const [here, there] = [new Browser(app), new Browser(app)]
  await here.signIn(provider)
  there.shareProvider(here)
  await there.signIn(provider)
  t.equal((await there.me()).user.name, 'Linus')
  const answer = await here.post('/account/identity-sign-out')
  const url = new URL(String(answer.json().url))
  t.same([url.origin, url.pathname, url.searchParams.get('post_logout_redirect_uri')],
    [peer.issuer, '/session/end', 'http://localhost/sign-in'])
  t.match(await here.me(), { code: 'unauthenticated' })
  t.match(await there.me(), { user: { name: 'Linus' } })
  t.equal(await here.confirmLogout(url.href), 'http://localhost/sign-in')
  t.match(await there.me(), { code: 'unauthenticated' })
  const audit = await fromRecord(app).select(['via', 'target', 'outcome', 'status'])
    .where('operation', '=', 'receiveIdentityLogout').executeTakeFirst()
  t.same(audit, { via: 'system', target: `identity:${provider}:linus`, outcome: 'succeeded', status: 200 })
  const { headers } = await makePerson(app, 'Nobody of theirs', 'viewer')
  const plain = await app.inject({ method: 'POST', url: '/account/identity-sign-out', headers, payload: {} })
  t.same([plain.statusCode, plain.json()], [200, { url: null }], 'who signed in with a link is just signed out')
})

t.test('a person connects an account, and the last admin stays one', async (t) => {
  const payload = { name: 'Root', role: 'admin' }
  const { user, link } = (await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload })).json()
  const root = new Browser(app)
  await root.post('/account/sign-in', { token: new URL(link.url).hash.replace('#token=', '') })
  peer.next = 'root'
  peer.people.root = { name: 'Root', email: 'root@acme.example', email_verified: true, groups: ['owners'] }
  const begun = await root.post('/account/identities', { provider_id: provider, return_to: '/setup' })
  const back = await root.open(await root.visit(begun.json().url))
  t.same([back.statusCode, back.headers.location], [302, 'http://localhost/setup'], back.payload)
  t.match((await root.open('/account/identities')).json(),
    { items: [{ subject: 'root', joined_by: 'link', groups: [] }] })
  const again = new Browser(app)
  await again.signIn(provider)
  t.match(await again.me(), { user: { id: user.id, role: 'admin' } })
  const other = (await app.inject({ url: '/account/users', headers: asAdmin })).json().items
    .filter(({ role, id }: { role: string, id: string }) => role === 'admin' && id !== user.id)
  for (const { id } of other) {
    await app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload: { role: 'viewer' } })
  }
  await app.db.updateTable('account_identity').set({ joined_by: 'rule' }).where('user_id', '=', user.id).execute()
  peer.people.root = { ...peer.people.root, groups: ['leads'] }
  await new Browser(app).signIn(provider)
  t.match(await again.me(), { user: { id: user.id, role: 'admin' } }, 'no rule takes the last one away')
  const identities = (await again.open('/account/identities')).json().items
  const url = `/account/users/${user.id}/identities/${identities[0].id}`
  const removed = await app.inject({ method: 'DELETE', url, headers: asAdmin })
  t.equal(removed.statusCode, 204)
  t.match(await again.me(), { code: 'unauthenticated' }, 'the sessions that hang on it end')
  t.match(await root.me(), { user: { id: user.id } }, 'and no other does')
})
