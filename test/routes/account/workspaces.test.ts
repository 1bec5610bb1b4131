import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { makePerson, makeToken, makeWorkspace, problemOf, signIn } from './actors.js'

const app = await buildApp(t, { SANDBOX: 'off', PUBLIC_URL: 'https://steward.example/base' })

const send = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url: `/account/workspaces${path}`, headers: { ...headers }, ...(payload && { payload }) })

t.test('an admin of the installation makes a workspace, and its first admin signs in to it', async (t) => {
  const made = await send('POST', '', { name: 'Harbour', hosts: ['Harbour.Example.'], admin: { name: 'Grace' } })
  t.equal(made.statusCode, 201)
  const { workspace, admin, link } = made.json()
  t.same(workspace, {
    id: workspace.id,
    name: 'Harbour',
    hosts: ['harbour.example'],
    settings: {
      limits: null, retention: null, sign_in: null, step_up: null, model: null, has_model_api_key: false
    },
    revision: 1,
    created_at: workspace.created_at,
    updated_at: workspace.updated_at
  })
  t.match([made.headers.location, made.headers.etag, made.headers['cache-control']],
    [`/account/workspaces/${workspace.id}`, '"r1"', 'no-store'])
  t.match(admin, { name: 'Grace', role: 'admin', status: 'active' })
  t.match(link.url, /^https:\/\/harbour\.example\/base\/setup#token=stw_link_/)
  const { answer, cookie } = await signIn(app, link.url)
  t.equal(answer.statusCode, 200)
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const me = (await app.inject({ url: '/account/me', headers })).json()
  t.match(me, { user: { id: admin.id }, workspace: { id: workspace.id, name: 'Harbour' } })
  const users = (await app.inject({ url: '/account/users', headers })).json()
  t.same(users.items.map(({ name }: { name: string }) => name), ['Grace'], 'and nobody of another workspace is there')
})

t.test('the workspace\'s own audit says that the installation made an admin there', async (t) => {
  const { id } = (await send('POST', '', { name: 'Quay' })).json().workspace
  const { user } = (await send('POST', `/${id}/admins`, { name: 'Linus', email: 'linus@quay.example' })).json()
  const rows = await fromRecord(app).select(['via', 'operation', 'target', 'outcome'])
    .where('workspace_id', '=', id).execute()
  t.same(rows, [{ via: 'system', operation: 'createWorkspaceAdmin', target: user.id, outcome: 'succeeded' }])
  const again = await send('POST', `/${id}/admins`, { name: 'Other', email: 'linus@quay.example' })
  t.match(problemOf(again), { status: 409, code: 'email_taken' })
})

t.test('workspaces are listed newest first, read, and changed under their revision', async (t) => {
  const { id } = (await send('POST', '', { name: 'Pier' })).json().workspace
  const names = (await send('GET', '?limit=1')).json()
  t.match([names.items[0].name, typeof names.next_cursor], ['Pier', 'string'])
  const second = (await send('GET', `?limit=100&cursor=${names.next_cursor}`)).json()
  t.notOk(second.items.some((one: { id: string }) => one.id === id))
  t.ok(second.items.some((one: { id: string }) => one.id === app.home.workspace_id), 'the first one is a workspace too')

  const changed = await send('PATCH', `/${id}`, { name: 'Pier 2', hosts: ['bücher.example', 'pier.example'] },
    { ...asAdmin, 'if-match': '"r1"' })
  t.match([changed.statusCode, changed.headers.etag, changed.json()],
    [200, '"r2"', { name: 'Pier 2', hosts: ['xn--bcher-kva.example', 'pier.example'], revision: 2 }])
  t.same((await send('GET', `/${id}`)).json(), changed.json())
  const stale = await send('PATCH', `/${id}`, { name: 'Pier 3' }, { ...asAdmin, 'if-match': '"r1"' })
  t.match(problemOf(stale), { status: 412, code: 'stale_revision' })
  const gone = await send('PATCH', '/01900000-0000-7000-8000-000000000000', { name: 'Pier 3' })
  t.match(problemOf(gone), { status: 404, code: 'not_found' })
})

t.test('a host name is of one workspace, and the one of PUBLIC_URL of the first', async (t) => {
  const { id } = (await send('POST', '', { name: 'One', hosts: ['one.example'] })).json().workspace
  for (const hosts of [['one.example'], ['ONE.example.'], ['steward.example']]) {
    const taken = await send('POST', '', { name: 'Two', hosts })
    t.match(problemOf(taken), { status: 409, code: 'host_taken' }, hosts.join())
  }
  t.equal((await send('PATCH', `/${id}`, { hosts: ['one.example', 'uno.example'] })).statusCode, 200)
  const own = await send('PATCH', `/${app.home.workspace_id}`, { hosts: ['steward.example'] })
  t.equal(own.statusCode, 200)
  await send('PATCH', `/${app.home.workspace_id}`, { hosts: [] })
  t.equal((await send('PATCH', `/${id}`, { hosts: [] })).statusCode, 200)
  const free = await send('POST', '', { name: 'Two', hosts: ['one.example'] })
  t.equal(free.statusCode, 201, 'what was given up is free')
})

t.test('what is no host name is refused, with its place', async (t) => {
  const wrong = ['127.0.0.1', '0x7f.1', '[::1]', 'a.example:80', 'a.example/x', 'a b', '-a.example', 'a..example']
  for (const host of wrong) {
    const refused = await send('POST', '', { name: 'No', hosts: ['fine.example', host] })
    t.match(problemOf(refused), { status: 400, code: 'invalid_request', errors: [{ pointer: '/hosts/1' }] }, host)
  }
})

t.test('of twenty who give one name to twenty workspaces at once, one does', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) =>
    send('POST', '', { name: `Race ${i}`, hosts: ['race.example'] })))
  t.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 19)
})

t.test('for the admins of other workspaces there are no workspaces', async (t) => {
  const other = await makeWorkspace(app, 'Other')
  const missing = [
    await send('GET', '', undefined, other.headers),
    await send('GET', `/${other.id}`, undefined, other.headers),
    await send('POST', '', { name: 'Mine' }, other.headers),
    await send('PATCH', `/${app.home.workspace_id}`, { name: 'Mine' }, other.headers),
    await send('POST', `/${app.home.workspace_id}/admins`, { name: 'Mallory' }, other.headers)
  ]
  for (const answer of missing) t.match(problemOf(answer), { status: 404, code: 'not_found' })
})

t.test('a member, and a token with scopes, make no links', async (t) => {
  const member = await makePerson(app, 'Member', 'member')
  t.match(problemOf(await send('GET', '', undefined, member.headers)), { status: 403, code: 'insufficient_role' })
  const token = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  t.equal((await send('GET', '', undefined, token.headers)).statusCode, 200)
  const { workspace } = (await send('POST', '', { name: 'By token' }, token.headers)).json()
  t.equal(workspace.name, 'By token')
  const tries = { '': { name: 'X', admin: { name: 'Y' } }, [`/${workspace.id}/admins`]: { name: 'Y' } }
  for (const [path, payload] of Object.entries(tries)) {
    const refused = await send('POST', path, payload, token.headers)
    t.match(problemOf(refused), { status: 403, code: 'insufficient_scope' })
  }
})
