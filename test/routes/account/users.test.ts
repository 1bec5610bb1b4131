import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, makeToken, problemOf, signIn } from './actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })
const missing = '01900000-0000-7000-8000-000000000000'
const admin = app.home.admin_id

type Headers = Record<string, string>
const read = (url: string, headers: Headers = asAdmin) => app.inject({ url, headers })
const create = (payload: object, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: '/account/users', headers, payload })
const patch = (id: string, payload: object, headers: Headers = {}) =>
  app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: { ...asAdmin, ...headers }, payload })
const renew = (id: string, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: `/account/users/${id}/link`, headers })
const lastAdmin = {
  type: 'urn:steward:error:last_admin',
  title: 'The last active admin cannot be demoted or disabled',
  status: 409,
  detail: 'The last active admin cannot be demoted or disabled',
  code: 'last_admin'
}

t.test('the last active admin stays one', async (t) => {
  const before = (await read(`/account/users/${admin}`)).json()
  for (const payload of [{ role: 'member' }, { role: 'viewer' }, { status: 'disabled' }]) {
    t.same(problemOf(await patch(admin, payload)), lastAdmin, JSON.stringify(payload))
  }
  t.same((await read(`/account/users/${admin}`)).json(), before, 'nothing was written')
  const second = await makePerson(app, 'Second', 'admin')
  const answers = await Promise.all([patch(admin, { role: 'member' }), patch(second.id, { role: 'member' })])
  t.same(answers.map((answer) => answer.statusCode).sort(), [200, 409], 'two cannot go at once')
  const me = (await read('/account/me')).json()
  t.same([me.user.role, me.user.status], ['admin', 'active'], 'ADMIN_TOKEN acts for an admin that there is')
  await patch(admin, { role: 'admin' })
  await patch(second.id, { role: 'member' })
})

t.test('a user is invited, signs in, is changed, disabled and enabled', async (t) => {
  const invited = await create({ name: 'Grace', email: 'Grace@Example.org', role: 'member' })
  const { user, link } = invited.json()
  t.same([invited.statusCode, invited.headers['cache-control'], invited.headers.location],
    [201, 'no-store', `/account/users/${user.id}`])
  t.same(user, {
    id: user.id,
    name: 'Grace',
    email: 'Grace@Example.org',
    role: 'member',
    status: 'active',
    revision: 1,
    first_sign_in_at: null,
    created_at: user.created_at,
    updated_at: user.created_at
  })
  t.same(Object.keys(link), ['url', 'expires_at'])
  t.equal(Date.parse(link.expires_at) - Date.parse(user.created_at), 7 * 86_400_000)

  const { answer, headers } = await signIn(app, link.url)
  const seen = answer.json().user
  t.same(answer.json(), { user: { ...user, first_sign_in_at: seen.first_sign_in_at } })
  const token = await makeToken(app, headers, ['account:read'])

  const promoted = await patch(user.id, { name: 'Grace H.', role: 'viewer' }, { 'if-match': '"r1"' })
  const second = { ...seen, name: 'Grace H.', role: 'viewer', revision: 2, updated_at: promoted.json().updated_at }
  t.same([promoted.json(), promoted.headers.etag], [second, '"r2"'])
  const stale = await patch(user.id, { role: 'admin' }, { 'if-match': '"r1"' })
  t.match(stale.json(), { status: 412, code: 'stale_revision', current: second })
  t.equal(stale.headers.etag, '"r2"')

  const pending = (await renew(user.id)).json()
  await patch(user.id, { status: 'disabled' })
  t.equal((await read('/account/me', headers)).statusCode, 401)
  t.match((await read('/account/me', token.headers)).json(), { status: 401, code: 'token_revoked' })
  t.match((await signIn(app, pending.url)).answer.json(), { status: 410, code: 'link_used' }, 'links end too')
  t.match((await renew(user.id)).json(), { status: 409, code: 'user_disabled' })
  const back = await patch(user.id, { status: 'active' })
  t.equal(back.json().revision, 4)
  t.equal((await read('/account/me', headers)).statusCode, 401, 'an ended session stays ended')
  t.equal((await read('/account/me', token.headers)).statusCode, 200)
})

t.test('a new link ends the older ones', async (t) => {
  const { user, link } = (await create({ name: 'Linus', role: 'viewer' })).json()
  const made = await renew(user.id)
  t.same([made.statusCode, made.headers['cache-control']], [201, 'no-store'])
  t.match((await signIn(app, link.url)).answer.json(), { status: 410, code: 'link_used' })
  t.equal((await signIn(app, made.json().url)).answer.statusCode, 200)
  t.equal((await renew(missing)).statusCode, 404)
})

t.test('an address belongs to one user, in any case', async (t) => {
  t.equal((await create({ name: 'A', role: 'viewer', email: 'same@example.org' })).statusCode, 201)
  t.same(problemOf(await create({ name: 'B', role: 'viewer', email: 'SAME@example.org' })), {
    type: 'urn:steward:error:email_taken',
    title: 'Another user has this e-mail address',
    status: 409,
    detail: 'Another user has this e-mail address',
    code: 'email_taken'
  })
})

t.test('only admins see and change users', async (t) => {
  for (const role of ['viewer', 'member'] as const) {
    const { id, headers } = await makePerson(app, role, role)
    const write = (method: 'POST' | 'PATCH', url: string) => app.inject({ method, url, headers, payload: {} })
    for (const answer of [
      await read('/account/users', headers),
      await read(`/account/users/${id}`, headers),
      await read(`/account/users/${missing}`, headers),
      await write('POST', '/account/users'),
      await write('POST', `/account/users/${id}/link`),
      await write('PATCH', `/account/users/${id}`),
      await write('PATCH', '/account/workspace')
    ]) t.match(answer.json(), { status: 403, code: 'insufficient_role', role: 'admin' })
  }
})

t.test('B23: a scoped token hands out no link: the session would hold more than the token', async (t) => {
  const { headers } = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  const before = (await read('/account/users?limit=100')).json().items.length
  t.match((await create({ name: 'Eve', role: 'admin' }, headers)).json(), { status: 403, code: 'insufficient_scope' })
  t.match((await renew(admin, headers)).json(), { status: 403, code: 'insufficient_scope' })
  t.equal((await read('/account/users?limit=100')).json().items.length, before)
})

t.test('B23: a scoped token changes no role or status, its owner\'s neither', async (t) => {
  const { headers } = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  const { id } = await makePerson(app, 'Eve', 'member')
  const before = (await read('/account/users?limit=100')).json()
  for (const payload of [{ role: 'admin' }, { status: 'disabled' }, { name: 'E', role: 'viewer' }]) {
    for (const whom of [id, admin, missing]) {
      t.same(problemOf(await patch(whom, payload, headers)), {
        type: 'urn:steward:error:insufficient_scope',
        title: 'The token lacks the scope of this operation',
        status: 403,
        detail: 'Role and status decide what a person may do without a limit of scopes: use a browser session or ' +
          'ADMIN_TOKEN for this',
        code: 'insufficient_scope'
      }, JSON.stringify(payload))
    }
  }
  t.same((await read('/account/users?limit=100')).json(), before, 'nothing was written')
  t.match((await patch(id, { name: 'Eva' }, headers)).json(), { name: 'Eva', role: 'member' }, 'a name is no right')
})

t.test('bad input is refused with a pointer', async (t) => {
  const cases: [object, string, string][] = [
    [{ name: 'x' }, 'invalid_request', '/role'],
    [{ name: 'x', role: 'owner' }, 'invalid_request', '/role'],
    [{ name: 'x', role: 'viewer', email: 'nobody' }, 'invalid_request', '/email'],
    [{ name: 'x', role: 'viewer', status: 'active' }, 'unknown_field', '/status'],
    [{ name: 'x', role: 'viewer', workspace_id: missing }, 'unknown_field', '/workspace_id']
  ]
  for (const [payload, code, pointer] of cases) {
    t.match((await create(payload)).json(), { status: 400, code, errors: [{ pointer }] }, JSON.stringify(payload))
  }
  t.match((await patch(admin, {})).json(), { status: 400, code: 'invalid_request' })
  t.match((await patch(admin, { email: 'x@example.org' })).json(), { status: 400, code: 'unknown_field' })
  t.equal((await patch(missing, { name: 'x' })).statusCode, 404)
  t.equal((await read(`/account/users/${missing}`)).statusCode, 404)
})

t.test('the list is paged, newest first', async (t) => {
  const names: string[] = []
  let cursor: string | null = ''
  do {
    const page: { items: { name: string }[], next_cursor: string | null } =
      (await read(`/account/users?limit=3${cursor && `&cursor=${cursor}`}`)).json()
    names.push(...page.items.map((user) => user.name))
    cursor = page.next_cursor
  } while (cursor)
  t.equal(names.at(-1), 'Administrator')
  t.same(names, (await read('/account/users?limit=100')).json().items.map((user: { name: string }) => user.name))
})

t.test('everybody reads themselves and the workspace, and changes their own name', async (t) => {
  const { id, headers } = await makePerson(app, 'Ivy', 'viewer')
  const me = (await read('/account/me', headers)).json()
  const workspace = (await read('/account/workspace')).json()
  t.match(me, { user: { id, name: 'Ivy', role: 'viewer' }, role: 'viewer', groups: [], via: 'browser', scopes: null })
  const fields = ['user', 'role', 'rights', 'groups', 'workspace', 'via', 'scopes', 'assistant']
  t.same([Object.keys(me).toSorted(), me.workspace], [fields.toSorted(), workspace])
  const rename = (url: string, by: Headers, more: Headers = {}) =>
    app.inject({ method: 'PATCH', url, headers: { ...by, ...more }, payload: { name: 'Renamed' } })
  const renamed = await rename('/account/me', headers)
  t.same(renamed.json(), { ...me.user, name: 'Renamed', revision: 2, updated_at: renamed.json().updated_at })
  t.equal((await rename('/account/me', headers, { 'if-match': '"r1"' })).statusCode, 412)
  const token = await makeToken(app, headers, ['account:read'])
  t.match((await read('/account/me', token.headers)).json(), { via: 'token', scopes: ['account:read'] })

  t.equal(workspace.revision, 1)
  const changed = await rename('/account/workspace', asAdmin, { 'if-match': '"r1"' })
  t.same([changed.json(), changed.headers.etag],
    [{ ...workspace, name: 'Renamed', revision: 2, updated_at: changed.json().updated_at }, '"r2"'])
  const stale = await rename('/account/workspace', asAdmin, { 'if-match': '"r1"' })
  t.match(stale.json(), { status: 412, code: 'stale_revision', current: changed.json() })
})

t.test('whoever may propose reads the names of active people, and nothing more of them', async (t) => {
  const [seen, gone] = [await makePerson(app, 'Named', 'operator'), await makePerson(app, 'Gone', 'member')]
  await patch(gone.id, { status: 'disabled' })
  const { items } = (await read('/account/people?limit=100', seen.headers)).json()
  t.same(items[0], { id: seen.id, name: 'Named' })
  t.notOk(items.some(({ id }: { id: string }) => id === gone.id))
  const first = (await read('/account/people?limit=1', seen.headers)).json()
  const next = await read(`/account/people?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`, seen.headers)
  t.same([...first.items, ...next.json().items], items.slice(0, 2))
  const found = async (path: string, q: string) => {
    const { items } = (await read(`${path}?limit=100&q=${encodeURIComponent(q)}`, asAdmin)).json()
    return items.map(({ name }: { name: string }) => name)
  }
  t.same([await found('/account/people', 'nAmE'), await found('/account/people', 'gone')], [['Named', 'Renamed'], []])
  t.same([await found('/account/users', 'GON'), await found('/account/users', '%')], [['Gone'], []],
    'admins find disabled ones, and nothing in it is a pattern')
  t.equal((await read('/account/people?q=', seen.headers)).statusCode, 400)
  const other = await read(`/account/people?limit=1&q=a&cursor=${encodeURIComponent(first.next_cursor)}`, seen.headers)
  t.match(other.json(), { code: 'invalid_cursor' })
  const viewer = await makePerson(app, 'Viewer', 'viewer')
  t.match([(await read('/account/people', viewer.headers)).json().code], ['insufficient_role'])
})

t.test('nobody makes a link for a colleague who comes in without one', async (t) => {
  const admin = await makePerson(app, 'Ines', 'admin')
  const person = await makePerson(app, 'Signed in', 'member')
  const renewAs = (id: string) => renew(id, admin.headers)
  t.match((await renewAs(person.id)).json(), { status: 409, code: 'user_can_sign_in', way: 'session' })
  const sessions = (await app.inject({ url: '/account/sessions', headers: person.headers })).json().items
  await app.inject({ method: 'DELETE', url: `/account/sessions/${sessions[0].id}`, headers: person.headers })
  t.equal((await renewAs(person.id)).statusCode, 201, 'who has lost the last way in gets one')
  const { workspace_id } = app.home
  await app.db.insertInto('account_passkey').values({
    workspace_id,
    id: randomUUID(),
    user_id: person.id,
    name: 'Key',
    credential_id: randomUUID(),
    public_key: Buffer.alloc(1),
    algorithm: -7,
    counter: 0,
    transports: '[]',
    rp_id: 'localhost',
    backed_up: false
  }).execute()
  t.match((await renewAs(person.id)).json(), { status: 409, code: 'user_can_sign_in', way: 'passkey' })
  await app.db.deleteFrom('account_passkey').where('workspace_id', '=', workspace_id).execute()
  t.equal((await renewAs(admin.id)).statusCode, 201, 'for oneself')
  t.equal((await renew(admin.id)).statusCode, 201, 'by the installation')
})
