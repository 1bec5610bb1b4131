import t from '../../tap.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { assistantOf, planOf, shownOf } from '../../plan.js'
import { asAdmin, buildApp } from '../../app.js'
import { accountOf, actor, makeApp, missing, registry, input, sha } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const { get, post, patch, remove, json } = actor(app)
const account = await accountOf(app)
const web = `${account}~eu-west-1~prod~web`

t.test('an app is made, read, changed and deleted', async (t) => {
  const made = await post('/apps', input('Shop'))
  const shop = made.json()
  t.equal(made.statusCode, 201)
  t.same([made.headers.etag, made.headers.location], ['"r1"', `/deployments/apps/${shop.id}`])
  t.same(shop, {
    id: shop.id,
    name: 'Shop',
    source: { repo: 'larkspur/web', default_branch: 'main', path: '' },
    target: { kind: 'ecs_service', service_id: web, container: 'web' },
    environment: null,
    read_only: false,
    image: `${registry}/web:{sha}`,
    builder: null,
    auto_deploy: { enabled: false, branch: 'main', paths: [] },
    auto_deploy_as: null,
    refused_push: null,
    status: 'never_deployed',
    live_build: null,
    latest_build: null,
    queue_length: 0,
    revision: 1,
    created_by: app.home.admin_id,
    created_at: shop.created_at,
    updated_at: shop.created_at
  })
  const read = await get(`/apps/${shop.id}`)
  t.same([read.statusCode, read.json()], [200, shop])
  t.match(String(read.headers.etag), /^"r1\.[\w-]{22}"$/)

  const auto = { enabled: true, branch: 'release', paths: ['web/**'] }
  const changed = await patch(`/apps/${shop.id}`, { name: 'Shop 2', auto_deploy: auto }, { 'if-match': '"r1"' })
  t.same([changed.statusCode, changed.headers.etag], [200, '"r2"'])
  t.same(changed.json(),
    {
      ...shop,
      name: 'Shop 2',
      auto_deploy: auto,
      auto_deploy_as: { user_id: app.home.admin_id, name: 'Administrator', scopes: null },
      revision: 2,
      updated_at: changed.json().updated_at
    })

  const stale = await remove(`/apps/${shop.id}`, { 'if-match': '"r1"' })
  t.match(stale.json(), { status: 412, code: 'stale_revision', current: { revision: 2 } })
  t.equal((await remove(`/apps/${shop.id}`, { 'if-match': '"r2"' })).statusCode, 204)
  t.equal((await get(`/apps/${shop.id}`)).statusCode, 404)
})

t.test('the list is paged, newest first', async (t) => {
  for (const name of ['One', 'Two', 'Three']) await makeApp(app, name)
  const first = await json('/apps?limit=2')
  t.same(first.items.map(({ name }: { name: string }) => name), ['Three', 'Two'])
  const second = await json(`/apps?limit=2&cursor=${first.next_cursor}`)
  t.same([second.items.map(({ name }: { name: string }) => name), second.next_cursor], [['One'], null])
  t.match(await json('/apps?cursor=x'), { status: 400, code: 'invalid_cursor' })
})

t.test('a name is taken once, in any case, by one of many at once', async (t) => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => post('/apps', input('Racer'))))
  t.same(answers.map((answer) => answer.statusCode).sort(), [201, 409, 409, 409])
  t.same(problemOf(await post('/apps', input('rACER'))), {
    type: 'urn:steward:error:app_name_taken',
    title: 'Another app has this name',
    status: 409,
    detail: 'Another app has this name',
    code: 'app_name_taken'
  })
  const other = await makeApp(app, 'Other')
  t.equal((await patch(`/apps/${other.id}`, { name: 'Racer' })).json().code, 'app_name_taken')
})

t.test('a stale revision changes nothing; of two changes of one revision, one wins', async (t) => {
  const made = await makeApp(app, 'Stale')
  const answers = await Promise.all(['a', 'b', 'c'].map((name) =>
    patch(`/apps/${made.id}`, { name: `Stale ${name}` }, { 'if-match': '"r1"' })))
  t.same(answers.map((answer) => answer.statusCode).sort(), [200, 412, 412])
  const lost = await patch(`/apps/${made.id}`, { name: 'Lost' }, { 'if-match': '"r1"' })
  t.same([lost.json().code, lost.headers.etag, lost.json().current.revision], ['stale_revision', '"r2"', 2])
})

t.test('a target is found by id, ARN or name, and must be there', async (t) => {
  const names = ['web', web, 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web']
  for (const service_id of names) {
    const target = { kind: 'ecs_service', service_id, container: 'web' }
    const made = await makeApp(app, `Target ${service_id}`, { target })
    t.equal(made.target.service_id, web)
  }
  const lambda = await makeApp(app, 'Function', { target: { kind: 'lambda', function_id: 'pdf-render' } })
  t.equal(lambda.target.function_id, `${account}~eu-west-1~pdf-render`)
  const target = (more: object) => post('/apps', input('Nowhere', { target: more }))
  t.match((await target({ kind: 'ecs_service', service_id: 'nothing', container: 'web' })).json(),
    { status: 422, code: 'target_not_found', errors: [{ pointer: '/target/service_id' }] })
  t.match((await target({ kind: 'ecs_service', service_id: `${missing}~eu-west-1~prod~web`, container: 'web' })).json(),
    { status: 422, code: 'target_not_found' })
  t.match((await target({ kind: 'ecs_service', service_id: 'web', container: 'nope' })).json(),
    { status: 422, code: 'container_unknown', containers: ['web'], errors: [{ pointer: '/target/container' }] })
  t.match((await target({ kind: 'lambda', function_id: 'order-webhook' })).json(),
    { status: 422, code: 'target_unsupported', errors: [{ pointer: '/target/function_id' }] })
  t.match((await target({ kind: 'lambda', function_id: 'nothing' })).json(),
    { status: 422, code: 'target_not_found', errors: [{ pointer: '/target/function_id' }] })
})

t.test('an account that an app uses cannot be removed', async (t) => {
  await makeApp(app, 'Holder')
  const refused = await app.inject({
    method: 'DELETE', url: `/cloud/accounts/${account}`, headers: asAdmin
  })
  t.match(refused.json(), { status: 409, code: 'cloud_account_in_use' })
})

t.test('bad input writes nothing and says where it is wrong', async (t) => {
  const before = (await json('/apps?limit=100')).items.length
  const source = { repo: 'a/b', default_branch: 'main', path: '' }
  const target = { kind: 'ecs_service', service_id: 'web', container: 'web' }
  const cases: [object, string, string][] = [
    [{}, 'invalid_request', '/name'],
    [input(' '), 'invalid_request', '/name'],
    [input('x'.repeat(101)), 'invalid_request', '/name'],
    [input('x', { surprise: 1 }), 'unknown_field', '/surprise'],
    [input('x', { source: { ...source, repo: '' } }), 'invalid_request', '/source/repo'],
    [input('x', { source: { ...source, default_branch: 'a..b' } }), 'invalid_request', '/source/default_branch'],
    [input('x', { image: 'No Image' }), 'invalid_request', '/image'],
    [input('x', { image: 'app:{secret}' }), 'invalid_request', '/image'],
    [input('x', { environment: [] }), 'unknown_field', '/environment'],
    [input('x', { auto_deploy: { enabled: 'yes' } }), 'invalid_request', '/auto_deploy/enabled'],
    [input('x', { target: { ...target, container: '' } }), 'invalid_request', '/target/container'],
    [input('a\0b'), 'invalid_text', '/name']
  ]
  for (const [payload, code, pointer] of cases) {
    const answer = (await post('/apps', payload)).json()
    t.match(answer, { status: 400, code }, JSON.stringify(payload))
    t.ok(answer.errors.some((error: { pointer: string }) => error.pointer === pointer),
      `${pointer} in ${JSON.stringify(answer.errors)}`)
  }
  const made = await makeApp(app, 'Bad changes')
  t.match((await patch(`/apps/${made.id}`, {})).json(), { status: 400, code: 'invalid_request' })
  t.match((await patch(`/apps/${made.id}`, { status: 'idle' })).json(), { status: 400, code: 'unknown_field' })
  t.equal((await json('/apps?limit=100')).items.length, before + 1)
})

t.test('a missing app is the same 404 everywhere', async (t) => {
  const problem = {
    type: 'urn:steward:error:not_found',
    title: 'There is nothing here',
    status: 404,
    detail: 'There is nothing here',
    code: 'not_found'
  }
  t.same(problemOf(await get(`/apps/${missing}`)), problem)
  t.same(problemOf(await patch(`/apps/${missing}`, { name: 'x' })), problem)
  t.same(problemOf(await remove(`/apps/${missing}`)), problem)
  t.same(problemOf(await post(`/apps/${missing}/deploy`, {})), problem)
  t.same(problemOf(await get(`/apps/${missing}/builds`)), problem)
  t.same(problemOf(await get(`/apps/${missing}/builds/${missing}`)), problem)
  t.same(problemOf(await get(`/apps/${missing}/builds/${missing}/logs`)), problem)
  t.same(problemOf(await post(`/apps/${missing}/builds/${missing}/cancel`)), problem)
  t.equal((await get('/apps/x')).statusCode, 400)
})

t.test('another workspace\'s app is as good as none', async (t) => {
  const made = await makeApp(app, 'Foreign')
  const workspace = '01900000-0000-7000-8000-00000000000f'
  await app.db.insertInto('workspace').values({ id: workspace, name: 'Other' }).execute()
  const { bringBackApp, changeApp, readApp, removeApp } = await import('../../../routes/deployments/lib/apps/change-app.js')
  await t.rejects(readApp(app, workspace, made.id), { code: 'not_found' })
  const person = { workspace_id: workspace, user_id: missing, name: 'x', role: 'admin', bindings: null } as const
  const principal = { ...person, scopes: null, via: 'token', via_id: null } as const
  await t.rejects(removeApp(app, principal, made.id), { code: 'not_found' })
  await t.rejects(bringBackApp(app, principal, made.id), { code: 'not_found' })
  await t.rejects(changeApp(app, principal, made.id, { name: 'y' }), { code: 'not_found' })
  t.equal((await get(`/apps/${made.id}`)).json().name, 'Foreign')
})

t.test('rights: nobody, viewer, scopes', async (t) => {
  t.equal((await app.inject('/deployments/apps')).json().code, 'unauthenticated')
  const viewer = actor(app, (await makePerson(app, 'Vera', 'viewer')).headers)
  t.equal((await viewer.get('/apps')).statusCode, 200)
  t.match((await viewer.post('/apps', input('Not mine'))).json(), { status: 403, code: 'insufficient_role' })
  const member = await makePerson(app, 'Max', 'member')
  const narrow = actor(app, (await makeToken(app, member.headers, ['deployments:read', 'deployments:write'])).headers)
  t.match((await narrow.post('/apps', input('Blind'))).json(),
    { status: 403, code: 'insufficient_scope', scope: 'infrastructure:read' })
})

t.test('the assistant has every operation; writes ask first, with a preview by code', async (t) => {
  const effects = ['listApps', 'getApp', 'listBuilds', 'getBuild', 'getBuildLogs', 'previewBuild', 'createApp', 'updateApp',
    'deleteApp', 'deployApp', 'cancelBuild', 'rollbackBuild'].map((name) => app.tools.find(name)?.effect)
  t.same(effects, [...Array(6).fill('read'), ...Array(6).fill('write')])
  const reader = app.tools.reader(assistantOf(app))
  const made = await makeApp(app, 'Tooled')
  const reconcile = (args: object) => app.tools.find('createApp')?.options?.reconcile?.({ ...args }, reader)
  const id = { app_id: made.id }
  t.match(await shownOf(app, 'createApp', input('X')), {
    summary: 'Create app X', preview: [{ label: 'name', before: null, after: 'X' }]
  })
  await t.rejects(planOf(app, 'createApp', input('X', { target: { ...made.target, service_id: 'nope' } })),
    { code: 'service_not_found' })
  t.equal(await reconcile({ name: 'Not there' }), 'not_done')
  t.equal(await reconcile({ name: 'Tooled' }), 'unclear')
  t.same(await shownOf(app, 'updateApp', { ...id, name: 'Y' }),
    { summary: 'Change app Tooled: name', preview: [{ label: 'name', before: 'Tooled', after: 'Y' }] })
  t.same(await shownOf(app, 'deleteApp', id), {
    summary: 'Delete app Tooled with the record of its builds; for 30 days it can be brought back',
    preview: [{ label: 'app', before: 'Tooled', after: null }]
  })
  const deployed = await shownOf(app, 'deployApp', { ...id, commit: sha('a') })
  t.match(deployed, {
    summary: `Deploy ${sha('a')} of app Tooled to service web in cluster prod (eu-west-1, account Sandbox)`,
    preview: [
      { label: 'Image', before: /web:2\.4\.0$/, after: `${registry}/web:${sha('a')}` },
      { label: 'Commit', before: 'not known: no build of this app left what runs', after: sha('a') },
      { label: 'Build', before: null, after: 'No image is built: the image given is deployed' },
      { label: 'Task definition', before: 'web:3', after: 'a revision with this image' },
      { label: 'Tasks', before: '2 of 2 running', after: 'all replaced' },
      { label: 'Digest', before: /^sha256:[0-9a-f]{64}$/, after: 'as it is pulled' }
    ]
  }, 'what runs is shown at the first deployment too')
  t.equal(deployed.preview.length, 6)
  await t.rejects(planOf(app, 'deployApp', { ...id, commit: 'a'.repeat(40) }), { code: 'codehost_not_found' })
})
