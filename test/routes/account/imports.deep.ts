import { sql } from 'kysely'
import t from '../../tap.js'
import { makeWorlds } from '../../attacks/three-workspaces.js'
import { asAdmin, buildApp, type App } from '../../app.js'
import { until } from '../../chat.js'
import { bearer, connect, serverOf } from '../../oauth.js'
import { Visitor } from '../../visitor.js'
import { makePerson, makeToken, makeWorkspace, problemOf, signIn } from './actors.js'
import { archiveOf, exportOf, importTo, linesOf } from './archives.js'
import { everyRow } from './every-row.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000 })
const here = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const there = await buildApp(t, {
  LIMITS: limits, SECRET_KEY: 'another-secret-key-0123456789-abcdefghijkl', PUBLIC_URL: 'https://there.example'
})
const [, second, third] = (await makeWorlds(here)).map((world) => ({ ...world, id: world.app.home.workspace_id }))
if (!second || !third) throw new Error('There are three')

const keys = { type: 'access_keys', access_key_id: 'AKIAEXAMPLEEXAMPLE00', secret_access_key: 'very-secret-0123456789' }
const made = await here.inject({
  method: 'POST',
  url: '/cloud/accounts',
  headers: second.headers,
  payload: { name: 'Keys', regions: ['eu-west-1'], auth: keys }
})
if (made.statusCode !== 201) throw new Error(made.payload)

/** Ends what the second workspace has under way, so that there is nothing to end in the archive. */
const makeQuiet = async (app: App, id: string) => {
  const ends = { agent_run: 'cancelled', deployment_build: 'cancelled', service_deployment: 'stopped' }
  for (const [table, status] of Object.entries(ends)) {
    await sql`update ${sql.table(table)} set status = ${status} where workspace_id = ${id} and finished_at is null`
      .execute(app.db)
  }
  await sql`update agent_trigger set enabled = false where workspace_id = ${id}`.execute(app.db)
  await sql`update account_token set revoked_at = now() where workspace_id = ${id} and resource is not null`
    .execute(app.db)
}
await makeQuiet(here, second.id)

/** @returns the lines of an archive by the table that they are of, but the last, which counts them all */
const byTable = (body: string) => {
  const tables: Record<string, unknown[]> = {}
  let name = ''
  for (const line of linesOf(body).slice(1, -1)) {
    name = String(Object(line).table ?? name)
    tables[name] = [...tables[name] ?? [], line]
  }
  return tables
}

/** @returns the rows of a table in an archive, by the names of their columns */
const rowsIn = (body: string, table: string): Record<string, string | null>[] => {
  const [start, ...rows] = byTable(body)[table] ?? []
  const { columns } = start as { columns: string[] }
  return (rows as (string | null)[][]).map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))
}

/** Signs a new admin of a workspace in, as the installation's admin lets one in. */
const admit = async (app: App, id: string) => {
  const url = `/account/workspaces/${id}/admins`
  const made = await app.inject({ method: 'POST', url, headers: asAdmin, payload: { name: 'Let in' } })
  return (await signIn(app, made.json().link.url)).headers
}

t.test('an archive that is exported where it was imported differs in what is not believed, and in nothing else', async (t) => {
  const archive = await exportOf(here, second.id)
  const imported = await importTo(there, archive.rawPayload)
  t.equal(imported.statusCode, 201)
  const { workspace, rows, ...rest } = imported.json()
  t.match(workspace, { id: second.id, name: 'second' })
  t.equal(imported.headers.location, `/account/workspaces/${second.id}`)
  t.ok(rows > 80, `${rows} rows`)
  t.same(rest, { dropped_hosts: [], lost_secrets: 0, lost_identities: 0, ended_work: {} })
  const again = await exportOf(there, second.id)
  const [before, after] = [byTable(archive.body), byTable(again.body)]
  const differing = Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  t.same(Object.keys(after), Object.keys(before))
  t.same(differing, ['account_session', 'account_token', 'channel'])
})

t.test('who acts is made anew there: nobody is in', async (t) => {
  const { body } = await exportOf(there, second.id)
  for (const token of rowsIn(body, 'account_token')) t.ok(token.revoked_at)
  for (const session of rowsIn(body, 'account_session')) t.ok(session.ended_at)
  for (const channel of rowsIn(body, 'channel')) t.equal(channel.confirmed_at, null)
  t.match(problemOf(await there.inject({ url: '/account/me', headers: second.headers })),
    { status: 401, code: 'token_revoked' })
})

t.test('who is let in there is in it, its secrets open under the other key, and the first workspace stays the first',
  async (t) => {
    const me = await there.inject({ url: '/account/me', headers: await admit(there, second.id) })
    t.match([me.statusCode, me.json()], [200, { workspace: { id: second.id } }])
    const { id } = made.json()
    const { secret } = await there.db.selectFrom('cloud_account').select('secret')
      .where('workspace_id', '=', second.id).where('id', '=', id).executeTakeFirstOrThrow()
    t.same(JSON.parse(there.secrets.decrypt(`cloud_account|${id}|secret`, secret ?? Buffer.alloc(0))),
      { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key })
    t.throws(() => here.secrets.decrypt(`cloud_account|${id}|secret`, secret ?? Buffer.alloc(0)))
    const marked = await there.db.selectFrom('workspace').select('id').where('is_first', '=', true).execute()
    t.same(marked, [{ id: there.home.workspace_id }])
  })

t.test('a program that was let in by OAuth asks again there', async (t) => {
  const workspace = await makeWorkspace(here, 'With a program')
  const { url, server } = await serverOf(here)
  const parameters = { resource: url, scope: 'account:read' }
  const { tokens } = await connect({ server }, new Visitor(url, workspace.cookie), { parameters })
  const headers = bearer(tokens.access_token)
  t.equal((await here.inject({ url: '/account/me', headers })).statusCode, 200)
  t.equal((await importTo(there, (await exportOf(here, workspace.id)).rawPayload)).statusCode, 201)
  t.equal(problemOf(await there.inject({ url: '/account/me', headers })).status, 401)
  t.equal((await here.inject({ url: '/account/me', headers })).statusCode, 200, 'here it works on')
})

t.test('a workspace that is there already is not imported again', async (t) => {
  const before = await everyRow(there, second.id, ['rate_window'])
  const archive = await exportOf(here, second.id)
  t.match(problemOf(await importTo(there, archive.rawPayload)), { status: 409, code: 'workspace_exists' })
  t.match(problemOf(await importTo(here, archive.rawPayload)), { status: 409, code: 'workspace_exists' })
  t.same(await everyRow(there, second.id, ['rate_window']), before)
})

t.test('the passphrase must be that of the export', async (t) => {
  const { rawPayload } = await exportOf(here, third.id)
  for (const secret of [null, 'another passphrase of enough characters']) {
    t.match(problemOf(await importTo(there, rawPayload, secret)), { status: 422, code: 'archive_passphrase' })
  }
  t.same(await everyRow(there, third.id), {})
})

t.test('a damaged or foreign archive is refused with its line, and nothing is written', async (t) => {
  const { body } = await exportOf(here, third.id)
  const lines = linesOf(body).slice(0, -1)
  const at = lines.findIndex((line) => Object(line).table === 'account_user')
  const { table, columns } = lines[at] as { table: string, columns: string[] }
  const user = lines[at + 1] as string[]
  const put = (index: number, ...others: unknown[]) => archiveOf(lines.with(index, others[0]).toSpliced(index + 1, 0,
    ...others.slice(1)))
  const changed = (name: string, value: string | null) => user.with(columns.indexOf(name), value as string)
  const end = lines.length + 1
  const bad: Record<string, [archive: string, line: number]> = {
    'no archive': ['hello\n', 1],
    'nothing': ['', 1],
    'another format': [body.replace('steward-archive', 'other-archive'), 1],
    'cut off within a line': [body.slice(0, -100), end],
    'cut off after a line': [body.split('\n').slice(0, 20).join('\n') + '\n', 21],
    'without its last line end': [body.slice(0, -1), end],
    'more after its end': [`${body}[]\n`, end + 1],
    'a letter changed': [body.replace('Admin of third', 'Admin of Third'), end],
    'a row of another workspace': [put(at + 1, changed('workspace_id', second.id)), at + 2],
    'a column that is not here': [put(at, { table, columns: columns.with(0, 'unheard') }), at + 1],
    'a table that is not here': [put(at, { table: 'rate_window', columns }), at + 1],
    'a table of the system': [put(at, { table: 'pg_authid', columns }), at + 1],
    'a column too few': [put(at, { table, columns: columns.filter((name) => name !== 'name') }), at + 1],
    'a value too few': [put(at + 1, user.slice(1)), at + 2],
    'a value of another type': [put(at + 1, changed('created_at', 'no time')), at + 2],
    'a null that may not be': [put(at + 1, changed('name', null)), at + 2],
    'a role that does not exist': [put(at + 1, changed('role', 'owner')), at + 2],
    'a row twice': [put(at + 1, user, user), at + 2]
  }
  for (const [what, [archive, line]] of Object.entries(bad)) {
    const refused = await importTo(there, archive)
    t.match(problemOf(refused), { status: 422, code: 'archive_damaged', errors: [{ pointer: `/lines/${line}` }] }, what)
  }
  t.same(await everyRow(there, third.id), {})
  const later = archiveOf(lines.with(0, { ...Object(lines[0]), migration: '9999-later' }))
  t.match(problemOf(await importTo(there, later)), { status: 409, code: 'archive_newer' })
  const json = await there.inject({ method: 'POST', url: '/account/workspaces/import', headers: asAdmin, payload: {} })
  t.match(problemOf(json), { status: 415, code: 'unsupported_media_type' })
  t.same(await everyRow(there, third.id), {})
})

t.test('without a passphrase secrets are left out, and what needs them says so', async (t) => {
  const { id, headers } = await makeWorkspace(here, 'Secretive')
  const payload = { name: 'Keys', regions: ['eu-west-1'], auth: keys }
  const account = (await here.inject({ method: 'POST', url: '/cloud/accounts', headers, payload })).json()
  const { rawPayload } = await exportOf(here, id, undefined, null)
  t.match((await importTo(there, rawPayload, null)).json(), { lost_secrets: 1 })
  const row = await there.db.selectFrom('cloud_account').select(['secret', 'status'])
    .where('workspace_id', '=', id).where('id', '=', account.id).executeTakeFirst()
  t.same(row, { secret: null, status: 'unverified' })
})

t.test('host names that are taken there, or are the installation\'s, are dropped and named', async (t) => {
  await makeWorkspace(there, 'Taker', ['taken.example'])
  const { id } = await makeWorkspace(here, 'Hosted', ['free.example', 'taken.example', 'there.example'])
  const { workspace, dropped_hosts: dropped } = (await importTo(there, (await exportOf(here, id)).rawPayload)).json()
  t.same([workspace.hosts, dropped], [['free.example'], ['taken.example', 'there.example']])
})

t.test('work that was under way ends there, and none of it is done again', async (t) => {
  const dispatched = () => there.db.selectFrom('agent_tool_call').select('id').where('workspace_id', '=', third.id)
    .where('dispatched_at', 'is not', null).where('effect', '=', 'write').execute()
  const before = await here.db.selectFrom('agent_tool_call').select('id').where('workspace_id', '=', third.id)
    .where('dispatched_at', 'is not', null).where('effect', '=', 'write').execute()
  const { ended_work: ended } = (await importTo(there, (await exportOf(here, third.id)).rawPayload)).json()
  t.match(ended, { agent_run: Number, deployment_build: Number, service_deployment: 1 })
  const live = async () => {
    const found = await Promise.all([
      there.db.selectFrom('agent_run').select('status').where('workspace_id', '=', third.id)
        .where('finished_at', 'is', null).execute(),
      there.db.selectFrom('deployment_build').select('status').where('workspace_id', '=', third.id)
        .where('finished_at', 'is', null).execute(),
      there.db.selectFrom('service_deployment').select('status').where('workspace_id', '=', third.id)
        .where('finished_at', 'is', null).execute()
    ])
    return found.flat().length
  }
  await until(async () => await live() === 0)
  t.same(await dispatched(), before)
  const builds = await there.db.selectFrom('deployment_build').select(['status', 'status_reason'])
    .where('workspace_id', '=', third.id).execute()
  t.same(builds, [{ status: 'failed', status_reason: 'worker_lost' }])
  const calls = await there.db.selectFrom('agent_confirmation').select('status').where('workspace_id', '=', third.id)
    .where('status', '=', 'pending').execute()
  t.same(calls, [], 'nothing waits for an approval')
})

t.test('its triggers are off there, and what had set them off starts nothing', async (t) => {
  const { id, headers: session } = await makeWorkspace(here, 'Watchful')
  const { headers } = await makeToken(here, session, ['agent:read', 'agent:write'])
  const call = (app: App, method: 'GET' | 'POST', path: string, payload?: object) =>
    app.inject({ method, url: `/api/v1/agent${path}`, headers, ...(payload && { payload }) })
  const question = { name: 'Watch', question: 'What is wrong?' }
  const due = (await call(here, 'POST', '/triggers', { ...question, kind: 'schedule', cron: '* * * * *' })).json()
  const woken = (await call(here, 'POST', '/triggers', { ...question, kind: 'webhook', source: 'generic' })).json()
  t.equal((await call(here, 'POST', `/triggers/${due.id}/run`)).statusCode, 202)
  await sql`update agent_trigger set next_at = now() - interval '1 day' where workspace_id = ${id} and id = ${due.id}`
    .execute(here.db)
  const { ended_work: ended } = (await importTo(there, (await exportOf(here, id)).rawPayload)).json()
  t.same(ended, { agent_trigger: 2, agent_trigger_firing: 1 })
  await there.jobs.drain()
  const off = { enabled: false, off_reason: 'imported', revision: 2 }
  const triggers = await there.db.selectFrom('agent_trigger').select(['id', 'enabled', 'off_reason', 'revision'])
    .where('workspace_id', '=', id).orderBy('id', 'desc').execute()
  t.same(triggers, [{ id: woken.id, ...off }, { id: due.id, ...off }])
  const firings = await there.db.selectFrom('agent_trigger_firing').select(['status', 'reason', 'run_id'])
    .where('workspace_id', '=', id).where('trigger_id', '=', due.id).execute()
  t.same(firings, [{ status: 'skipped', reason: 'imported', run_id: null }])
  t.match((await call(here, 'GET', '/triggers')).json().items, [{ enabled: true }, { enabled: true }])
})

t.test('only an admin of the installation, without scopes, imports', async (t) => {
  const member = await makePerson(there, 'Member', 'member')
  const token = await makeToken(there, asAdmin, ['account:read', 'account:write'])
  const { rawPayload } = await exportOf(here, here.home.workspace_id)
  const tried = (headers: Record<string, string>) => importTo(there, rawPayload, undefined, headers)
  t.match(problemOf(await tried(member.headers)), { status: 403, code: 'insufficient_role' })
  t.match(problemOf(await tried(token.headers)), { status: 403, code: 'insufficient_scope' })
  t.match(problemOf(await tried(await admit(there, second.id))), { status: 404, code: 'not_found' })
  t.same(await everyRow(there, here.home.workspace_id), {})
})

t.test('each cell of JSON must be what the code takes it for, or the archive is refused with its line', async (t) => {
  const { id, headers } = await makeWorkspace(here, 'Told')
  await here.inject({
    method: 'PATCH',
    url: `/account/workspaces/${id}`,
    headers: asAdmin,
    payload: { settings: { limits: { requests_per_minute: 500 } } }
  })
  const auth = { type: 'assume_role', role_arn: 'arn:aws:iam::210987654321:role/steward' }
  const account = await here.inject({
    method: 'POST', url: '/cloud/accounts', headers, payload: { name: 'Role', regions: ['eu-west-1'], auth }
  })
  t.equal(account.statusCode, 201)
  const lines = linesOf((await exportOf(here, id)).body).slice(0, -1)
  const changed = (table: string, name: string, value: string) => {
    const at = lines.findIndex((line) => Object(line).table === table)
    const { columns } = lines[at] as { columns: string[] }
    const row = (lines[at + 1] as string[]).with(columns.indexOf(name), value)
    return { line: at + 2, archive: archiveOf(lines.with(at + 1, row)) }
  }
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const bad = {
    'settings that are null': ['workspace', 'settings', 'null'],
    'limits as text': ['workspace', 'settings', '{"limits":{"requests_per_minute":"500"}}'],
    'limits that nobody knows': ['workspace', 'settings', '{"limits":{"requests":500}}'],
    'an own setting too many': ['workspace', 'settings', '{"__proto__":{"step_up":false}}'],
    'settings without an end': ['workspace', 'settings', deep],
    'regions that are an object': ['cloud_account', 'regions', '{"0":"eu-west-1"}'],
    'an identity of no kind': ['cloud_account', 'auth', '{"type":"root"}'],
    'a role that is none': ['cloud_account', 'auth',
      '{"type":"assume_role","role_arn":"root","external_id":"x","session_seconds":900}'],
    'text that cannot be stored': ['cloud_account', 'capabilities', '{"inspect":"\\u0000"}']
  } as const
  for (const [what, [table, name, value]] of Object.entries(bad)) {
    const { archive, line } = changed(table, name, value)
    const refused = problemOf(await importTo(there, archive))
    t.match(refused, { status: 422, code: 'archive_damaged', errors: [{ pointer: `/lines/${line}` }] }, what)
    t.match(refused.detail, name)
  }
  t.same(await everyRow(there, id), {})
  const tested = changed('cloud_account', 'status', 'active').archive
  t.equal((await importTo(there, tested)).statusCode, 201)
  const { status, auth: stored } = await there.db.selectFrom('cloud_account').select(['status', 'auth'])
    .where('workspace_id', '=', id).executeTakeFirstOrThrow()
  const own = JSON.parse(rowsIn(archiveOf(lines), 'cloud_account')[0]?.auth ?? '')
  t.same([status, stored], ['unverified', { ...own, external_id: Object(stored).external_id }])
  t.match(Object(stored).external_id, /^steward-[0-9a-f]{48}$/)
  t.not(Object(stored).external_id, own.external_id)
})

t.test('settings that cannot be read harm their own workspace, and no other, nor the next start', async (t) => {
  const { id, headers } = await makeWorkspace(there, 'Broken')
  const other = await makeWorkspace(there, 'Whole')
  for (const settings of ['null', '[]', '{"limits":{"requests_per_minute":"many"}}', '{"step_up":"no"}']) {
    await sql`update workspace set settings = ${settings} where id = ${id}`.execute(there.db)
    await there.workspaces.read()
    t.equal((await there.inject({ url: '/account/me', headers: other.headers })).statusCode, 200)
    t.equal((await there.inject({ url: '/account/me', headers })).statusCode, 200)
    t.match((await there.inject({ url: '/account/workspaces', headers: asAdmin })).json().items,
      [{ id: other.id }, { id, settings: { step_up: true, sign_in: '', limits: null } }])
  }
  const payload = { settings: { limits: { requests_per_minute: 90 } } }
  const mended = await there.inject({ method: 'PATCH', url: `/account/workspaces/${id}`, headers: asAdmin, payload })
  t.match([mended.statusCode, mended.json()],
    [200, { settings: { limits: { requests_per_minute: 90 }, step_up: null, sign_in: null } }])
})

t.test('an image of an archive points nowhere, and is kept under the hash of its own bytes', async (t) => {
  const { id, headers } = await makeWorkspace(here, 'Pictures')
  const project = await here.inject({ method: 'POST', url: '/account/projects', headers, payload: { name: 'P' } })
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const added = await here.inject({
    method: 'POST', url: '/content/images', headers, payload: { project_id: project.json().id, data: png }
  })
  t.equal(added.statusCode, 201, added.payload)
  const { body } = await exportOf(here, id)
  const lines = linesOf(body).slice(0, -1)
  const at = lines.findIndex((line) => Object(line).table === 'content_image')
  const { columns } = lines[at] as { columns: string[] }
  const put = (cells: Record<string, string | null>) => archiveOf(lines.with(at + 1,
    (lines[at + 1] as (string | null)[]).map((text, index) => cells[columns[index] ?? ''] === undefined
      ? text
      : cells[columns[index] ?? ''] ?? null)))
  const html = problemOf(await importTo(there, put({ media_type: 'text/html' })))
  t.match(html, { status: 422, code: 'archive_damaged', errors: [{ pointer: `/lines/${at + 2}` }] })
  const stranger = `${there.home.workspace_id}/${id}`
  const forged = put({ hash: 'f'.repeat(64), object_key: stranger, size: '1' })
  t.equal((await importTo(there, forged)).statusCode, 201)
  const kept = await there.db.selectFrom('content_image').select(['hash', 'object_key', 'size'])
    .where('workspace_id', '=', id).execute()
  const [{ hash, size } = {}] = rowsIn(body, 'content_image')
  t.same(kept, [{ hash, object_key: null, size: Number(size) }])
})
