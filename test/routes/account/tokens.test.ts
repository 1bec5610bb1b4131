import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, makeToken, problemOf } from './actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })
const missing = '01900000-0000-7000-8000-000000000000'
const day = 86_400_000

type Headers = Record<string, string>
const create = (payload: object, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: '/account/tokens', headers, payload })
const list = async (headers: Headers, query = '') =>
  (await app.inject({ url: `/account/tokens${query}`, headers })).json()
const revoke = (id: string, headers: Headers) => app.inject({ method: 'DELETE', url: `/account/tokens/${id}`, headers })
const input = { name: 'Script', scopes: ['agent:read'], expires_in_days: 30 }

t.test('a token is made, shown once, listed without its secret, used and revoked', async (t) => {
  const member = await makePerson(app, 'Mia', 'member')
  const made = await create({ ...input, scopes: ['account:read', 'agent:write'] }, member.headers)
  const { token, secret } = made.json()
  t.same([made.statusCode, made.headers['cache-control']], [201, 'no-store'])
  t.match(secret, /^stw_pat_[0-9A-Za-z]{36}$/)
  t.same(token, {
    id: token.id,
    user_id: member.id,
    name: 'Script',
    prefix: secret.slice(0, 12),
    scopes: ['account:read', 'agent:write'],
    assistant: false,
    expires_at: token.expires_at,
    revoked_at: null,
    last_used_at: null,
    created_at: token.created_at
  })
  t.ok(Math.abs(Date.parse(token.expires_at) - Date.parse(token.created_at) - 30 * day) < 10_000)
  const used = await list({ authorization: `Bearer ${secret}` })
  t.same(used, { items: [{ ...token, last_used_at: used.items[0].last_used_at }], next_cursor: null })
  t.match(used.items[0].last_used_at, /Z$/)
  const row = await app.db.selectFrom('account_token').selectAll().where('id', '=', token.id).executeTakeFirstOrThrow()
  t.notMatch(JSON.stringify(row), secret.slice(12), 'only the hash is at rest')
  for (const time of ['once', 'again']) {
    const gone = await revoke(token.id, member.headers)
    t.same([gone.statusCode, gone.body], [204, ''], time)
  }
  const { items } = await list(member.headers)
  t.ok(items[0].revoked_at !== null)
})

t.test('the end is required, ahead, and at most a year away', async (t) => {
  const { expires_in_days: _, ...without } = input
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const cases: [object, string, string][] = [
    [without, '/expires_in_days', 'required'],
    [{ ...input, expires_at: at(day) }, '/expires_at', 'one_of'],
    [{ ...input, expires_in_days: 0 }, '/expires_in_days', 'minimum'],
    [{ ...input, expires_in_days: 366 }, '/expires_in_days', 'maximum'],
    [{ ...without, expires_at: at(-1000) }, '/expires_at', 'past'],
    [{ ...without, expires_at: at(366 * day) }, '/expires_at', 'too_far'],
    [{ ...without, expires_at: '2016-12-31T23:59:60Z' }, '/expires_at', 'past'],
    [{ ...without, expires_at: '0000-01-01T00:00:00Z' }, '/expires_at', 'past'],
    [{ ...without, expires_at: '9999-12-31T23:59:59Z' }, '/expires_at', 'too_far'],
    [{ ...without, expires_at: 'tomorrow' }, '/expires_at', 'format'],
    [{ ...input, scopes: [] }, '/scopes', 'minItems'],
    [{ ...input, scopes: ['agent:*'] }, '/scopes/0', 'enum'],
    [{ ...input, scopes: ['agent:read', 'agent:read'] }, '/scopes', 'uniqueItems'],
    [{ ...input, name: ' ' }, '/name', 'pattern'],
    [{ ...input, assistant: 'true' }, '/assistant', 'type']
  ]
  for (const [payload, pointer, code] of cases) {
    const answer = await create(payload)
    const expected = { status: 400, code: 'invalid_request', errors: [{ pointer, code }] }
    t.match(answer.json(), expected, JSON.stringify(payload))
  }
  t.match((await create({ ...input, user_id: missing })).json(), { status: 400, code: 'unknown_field' })
  const end = at(364 * day)
  t.equal((await create({ ...without, expires_at: end })).json().token.expires_at, end)
})

t.test('B23: an assistant\'s token never holds approvals:write, and makes no token', async (t) => {
  const scopes = ['account:write', 'approvals:write']
  const refused = await create({ ...input, scopes, assistant: true })
  t.same(problemOf(refused), {
    type: 'urn:steward:error:scope_not_allowed',
    title: 'An assistant\'s token cannot decide approvals',
    status: 422,
    detail: 'An assistant\'s token cannot decide approvals',
    code: 'scope_not_allowed',
    scope: 'approvals:write'
  })
  const assistant = await makeToken(app, asAdmin, ['account:write', 'agent:read'], { assistant: true })
  const soon = { name: 'Script', expires_at: new Date(Date.now() + 3_600_000).toISOString() }
  for (const more of [{ scopes }, { scopes: ['agent:read'] }, { scopes: ['agent:read'], assistant: true }]) {
    t.match((await create({ ...soon, ...more }, assistant.headers)).json(), { status: 403, code: 'assistant_token' })
  }
  t.same((await create({ ...input, scopes })).json().token.scopes, scopes, 'a person\'s own token may')
})

t.test('B23: nobody mints more, or longer, than they hold', async (t) => {
  const minter = await makeToken(app, asAdmin, ['account:write', 'agent:read'])
  const more = await create({ ...input, scopes: ['agent:read', 'agent:write'], expires_in_days: 1 }, minter.headers)
  t.same(problemOf(more), {
    type: 'urn:steward:error:insufficient_scope',
    title: 'The token lacks the scope of this operation',
    status: 403,
    detail: 'You do not hold the scope agent:write',
    code: 'insufficient_scope',
    scope: 'agent:write'
  })
  const longer = await create(input, minter.headers)
  t.match(longer.json(), { status: 403, detail: 'A token cannot outlive the token that makes it' })
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const { expires_in_days: _, ...without } = input
  t.equal((await create({ ...without, expires_at: soon }, minter.headers)).statusCode, 201)
})

t.test('a token can do what both the role and its scopes allow, as the role is now', async (t) => {
  const person = await makePerson(app, 'Rolf', 'member')
  const { headers } = await makeToken(app, person.headers, ['account:read', 'account:write'])
  const make = (name: string) => app.inject({ method: 'POST', url: '/account/projects', headers, payload: { name } })
  t.equal((await make('As member')).statusCode, 201)
  const payload = { role: 'viewer' }
  await app.inject({ method: 'PATCH', url: `/account/users/${person.id}`, headers: asAdmin, payload })
  t.match((await make('As viewer')).json(), { status: 403, code: 'insufficient_role', role: 'approver' })
  t.equal((await create({ ...input, expires_in_days: 1 }, person.headers)).statusCode, 201, 'viewers have tokens too')
})

t.test('admins see and revoke everybody\'s tokens, others only their own', async (t) => {
  const alice = await makePerson(app, 'Alice', 'member')
  const bob = await makePerson(app, 'Bob', 'member')
  const { id } = await makeToken(app, alice.headers, ['agent:read'])
  const ids = (page: { items: { id: string }[] }) => page.items.map((token) => token.id)
  t.same(ids(await list(asAdmin, `?user_id=${alice.id.toUpperCase()}`)), [id])
  t.same(ids(await list(alice.headers, `?user_id=${alice.id}`)), [id])
  t.ok(ids(await list(asAdmin, '?user_id=all&limit=100')).length > 5)
  for (const whose of [alice.id, 'all', missing]) {
    t.match(await list(bob.headers, `?user_id=${whose}`), { status: 403, code: 'insufficient_role' }, whose)
  }
  t.same(await list(asAdmin, `?user_id=${missing}`), { items: [], next_cursor: null })
  t.match(await list(asAdmin, '?user_id=x'), { status: 400, code: 'invalid_request' })
  t.equal((await revoke(id, bob.headers)).statusCode, 404)
  t.equal((await revoke(id, asAdmin)).statusCode, 204)
  t.ok((await list(alice.headers)).items[0].revoked_at !== null)
})

t.test('the list is paged and its cursor belongs to one caller', async (t) => {
  const person = await makePerson(app, 'Paige', 'member')
  for (const name of ['1', '2', '3']) await create({ ...input, name }, person.headers)
  const first = await list(person.headers, '?limit=2')
  const rest = await list(person.headers, `?limit=2&cursor=${first.next_cursor}`)
  t.same([...first.items, ...rest.items].map((token) => token.name), ['3', '2', '1'])
  t.equal(rest.next_cursor, null)
  const other = await list(asAdmin, `?user_id=${person.id}&cursor=${first.next_cursor}`)
  t.match(other, { status: 400, code: 'invalid_cursor' })
})
