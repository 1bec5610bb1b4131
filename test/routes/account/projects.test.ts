import t from '../../tap.js'
import { assistantOf, shownOf } from '../../plan.js'
import { asAdmin, workspace } from '../../app.js'
import { createTool, updateTool, archiveTool } from '../../../routes/account/lib/settings/project-tools.js'
import { makePerson, problemOf } from './actors.js'

const app = await workspace(t)
const missing = '01900000-0000-7000-8000-000000000000'

const create = (payload: object, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url: '/account/projects', headers, payload })
const read = (path: string) => app.inject({ url: path, headers: asAdmin })
const post = (path: string) => app.inject({ method: 'POST', url: path, headers: asAdmin })
const patch = (id: string, payload: object, headers: object = {}) =>
  app.inject({ method: 'PATCH', url: `/account/projects/${id}`, headers: { ...asAdmin, ...headers }, payload })

t.test('a project is created, read, changed, archived and brought back', async (t) => {
  const created = await create({ name: 'Shop', description: 'The web shop' })
  const project = created.json()
  t.equal(created.statusCode, 201)
  t.equal(created.headers.etag, '"r1"')
  t.equal(created.headers.location, `/account/projects/${project.id}`)
  t.same(project, {
    id: project.id,
    name: 'Shop',
    description: 'The web shop',
    revision: 1,
    created_by: app.home.admin_id,
    created_at: project.created_at,
    updated_at: project.created_at,
    archived_at: null
  })
  t.match(project.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const found = await read(`/account/projects/${project.id}`)
  t.same(found.json(), project)
  t.match(String(found.headers.etag), /^"r1\.[\w-]{22}"$/)

  const changed = await patch(project.id, { description: null }, { 'if-match': '"r1"' })
  const second = { ...project, description: null, revision: 2, updated_at: changed.json().updated_at }
  t.same([changed.statusCode, changed.json(), changed.headers.etag], [200, second, '"r2"'])

  const archived = await post(`/account/projects/${project.id}/archive`)
  const third = archived.json()
  t.same(third, { ...second, revision: 3, updated_at: third.updated_at, archived_at: third.updated_at })
  t.same((await post(`/account/projects/${project.id}/archive`)).json(), third, 'again = the same answer')
  const back = await post(`/account/projects/${project.id}/unarchive`)
  t.same(back.json(), { ...third, revision: 4, updated_at: back.json().updated_at, archived_at: null })
  t.same((await post(`/account/projects/${project.id}/unarchive`)).json(), back.json())
})

t.test('a stale revision is a 412 with the current one, and nothing is written', async (t) => {
  const project = (await create({ name: 'Stale' })).json()
  const changed = (await patch(project.id, { name: 'Stale 2' }, { 'if-match': '*' })).json()
  for (const header of ['"r1"', 'W/"r2"', 'nonsense', '"r0", "r7"', '"r99999999999999"', '']) {
    const stale = await patch(project.id, { name: 'Lost' }, { 'if-match': header })
    t.same([stale.statusCode, problemOf(stale), stale.headers.etag], [412, {
      type: 'urn:steward:error:stale_revision',
      title: 'The record has changed since that revision',
      status: 412,
      detail: 'The current revision is 2',
      code: 'stale_revision',
      current: changed
    }, '"r2"'], header)
  }
  t.equal((await patch(project.id, { name: 'Stale 3' }, { 'if-match': '"r1", "r2"' })).statusCode, 200)
})

t.test('of two changes of one revision, one wins', async (t) => {
  const project = (await create({ name: 'Race' })).json()
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => patch(project.id, { name }, { 'if-match': '"r1"' })))
  t.same(answers.map((answer) => answer.statusCode).sort(), [200, 412, 412])
})

t.test('a name is unique, in any case, among the projects in use', async (t) => {
  const first = (await create({ name: 'Unique' })).json()
  const problem = {
    type: 'urn:steward:error:project_name_taken',
    title: 'Another project has this name',
    status: 409,
    detail: 'Another project has this name',
    code: 'project_name_taken'
  }
  t.same(problemOf(await create({ name: 'uNIQUE' })), problem)
  const other = (await create({ name: 'Other' })).json()
  t.same(problemOf(await patch(other.id, { name: 'Unique' })), problem)
  await post(`/account/projects/${first.id}/archive`)
  t.equal((await create({ name: 'Unique' })).statusCode, 201, 'an archived project gives its name free')
  t.same(problemOf(await post(`/account/projects/${first.id}/unarchive`)), problem)
  const racers = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Racers' })))
  t.same(racers.map((answer) => answer.statusCode).sort(), [201, 409, 409, 409, 409])
})

t.test('the list is paged, newest first, filtered by state and name', async (t) => {
  for (const name of ['Page 1', 'Page 2', 'Page 100%', 'PAGE_4']) await create({ name })
  const names = async (query: string) => {
    const answer = (await read(`/account/projects?${query}`)).json()
    const found: string[] = answer.items.map((project: { name: string }) => project.name)
    return { names: found, next: answer.next_cursor as string | null }
  }
  const first = await names('q=page&limit=3')
  t.same(first.names, ['PAGE_4', 'Page 100%', 'Page 2'])
  const second = await names(`q=page&limit=3&cursor=${first.next}`)
  t.same(second, { names: ['Page 1'], next: null })
  t.same((await names('q=0%25')).names, ['Page 100%'], 'a percent sign is a percent sign')
  t.same((await names('q=E_')).names, ['PAGE_4'])
  const archived = (await names('archived=true')).names
  t.same(archived, ['Unique'])
  const all = (await names('archived=all&limit=100')).names.length
  t.equal(all, (await names('limit=100')).names.length + archived.length)
  for (const query of [`q=other&cursor=${first.next}`, `archived=all&q=page&cursor=${first.next}`, 'cursor=x']) {
    t.match((await read(`/account/projects?${query}`)).json(), { status: 400, code: 'invalid_cursor' }, query)
  }
})

t.test('bad input writes nothing', async (t) => {
  const before = (await read('/account/projects?archived=all&limit=100')).json().items.length
  const cases: [object, string, string][] = [
    [{}, 'invalid_request', '/name'],
    [{ name: '' }, 'invalid_request', '/name'],
    [{ name: '   ' }, 'invalid_request', '/name'],
    [{ name: 7 }, 'invalid_request', '/name'],
    [{ name: 'x'.repeat(101) }, 'invalid_request', '/name'],
    [{ name: 'x', description: false }, 'invalid_request', '/description'],
    [{ name: 'x', created_by: missing }, 'unknown_field', '/created_by'],
    [{ name: 'x', workspace_id: missing }, 'unknown_field', '/workspace_id'],
    [{ name: 'a\0b' }, 'invalid_text', '/name'],
    [{ name: 'a\ud800b' }, 'invalid_text', '/name']
  ]
  for (const [payload, code, pointer] of cases) {
    const answer = await create(payload)
    t.match(answer.json(), { status: 400, code, errors: [{ pointer }] }, JSON.stringify(payload))
  }
  t.match((await patch(missing, {})).json(), { status: 400, code: 'invalid_request' })
  for (const query of ['limit=0', 'limit=101', 'archived=maybe', 'q=%00']) {
    t.equal((await read(`/account/projects?${query}`)).statusCode, 400, query)
  }
  for (const id of ['1', 'x', '%00', '..%2f..']) {
    t.equal((await read(`/account/projects/${id}`)).statusCode, 400, id)
  }
  const after = (await read('/account/projects?archived=all&limit=100')).json().items.length
  t.equal(after, before)
})

t.test('a missing project is a 404 everywhere', async (t) => {
  const problem = {
    type: 'urn:steward:error:not_found',
    title: 'There is nothing here',
    status: 404,
    detail: 'There is nothing here',
    code: 'not_found'
  }
  t.same(problemOf(await read(`/account/projects/${missing}`)), problem)
  t.same(problemOf(await patch(missing, { name: 'x' })), problem)
  t.same(problemOf(await patch(missing, { name: 'x' }, { 'if-match': '"r1"' })), problem)
  t.same(problemOf(await post(`/account/projects/${missing}/archive`)), problem)
  t.same(problemOf(await post(`/account/projects/${missing}/unarchive`)), problem)
})

t.test('a viewer reads projects and changes none', async (t) => {
  const viewer = await makePerson(app, 'Vera', 'viewer')
  t.equal((await app.inject({ url: '/account/projects', headers: viewer.headers })).statusCode, 200)
  const refused = await create({ name: 'Not mine' }, viewer.headers)
  t.match(refused.json(), { status: 403, code: 'insufficient_role', role: 'approver' })
})

t.test('summary and preview come from code and the live state', async (t) => {
  const project = (await create({ name: 'Tools', description: 'Old' })).json()
  const reader = app.tools.reader(assistantOf(app))
  const args = { project_id: project.id, description: 'New' }
  t.same(await shownOf(app, 'createProject', { name: 'Tools 2' }),
    { summary: 'Create project Tools 2', preview: [{ label: 'name', before: null, after: 'Tools 2' }] })
  t.equal(await createTool.reconcile?.({ name: 'Tools 2' }, reader), 'not_done')
  t.equal(await createTool.reconcile?.({ name: 'Tools', description: 'Old' }, reader), 'done')
  t.equal(await createTool.reconcile?.({ name: 'Tools', description: 'Else' }, reader), 'unclear')
  t.same(await shownOf(app, 'updateProject', args), {
    summary: 'Change project Tools: description', preview: [{ label: 'description', before: 'Old', after: 'New' }]
  })
  t.equal(await updateTool.reconcile?.(args, reader), 'unclear')
  t.same(await shownOf(app, 'archiveProject', { project_id: project.id }),
    { summary: 'Archive project Tools', preview: [{ label: 'status', before: 'in use', after: 'archived' }] })
  t.equal(await archiveTool.reconcile?.(args, reader), 'not_done')
})

t.test('the assistant may touch projects, and nothing else of the area', async (t) => {
  const person = { workspace_id: app.home.workspace_id, user_id: app.home.admin_id, name: 'Administrator' }
  const tools = app.tools.list(
    { ...person, role: 'admin', bindings: null, scopes: null, via: 'assistant', via_id: null })
  const area = Object.entries(app.swagger().paths ?? {}).filter(([path]) => path.startsWith('/account/'))
    .flatMap(([, methods]) => Object.values(methods as Record<string, { operationId: string }>))
    .map(({ operationId }) => operationId)
  t.same(tools.map((tool) => tool.name).filter((name) => area.includes(name)),
    [
      'archiveProject',
      'createProject',
      'getAuditWrite',
      'getProject',
      'listAuditEntries',
      'listBindings',
      'listGroups',
      'listProjects',
      'updateProject'
    ])
})

t.test('members archive and bring back their own projects, admins any', async (t) => {
  const [ada, max] = [await makePerson(app, 'Ada Project', 'member'), await makePerson(app, 'Max Project', 'member')]
  const { id } = (await create({ name: 'Ada\'s' }, ada.headers)).json()
  const move = (to: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: `/account/projects/${id}/${to}`, headers })
  const refused = { status: 403, code: 'not_owner', owner_id: ada.id }
  t.match((await move('archive', max.headers)).json(), refused)
  t.match((await move('archive', ada.headers)).json(), { archived_at: String })
  t.match((await move('unarchive', max.headers)).json(), refused)
  t.match((await move('unarchive', asAdmin)).json(), { archived_at: null })
})
