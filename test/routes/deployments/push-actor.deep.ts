import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { deliver, pushOf, settleHooks } from '../codehost/hooks.js'
import { accountOf, actor, makeApp, registry, input, type Row } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const { get, patch, json } = actor(app)
const auto = { enabled: true, branch: 'main', paths: [] }
const deploys = ['deployments:read', 'deployments:write', 'infrastructure:read', 'infrastructure:write']
const target = {
  kind: 'ecs_service', service_id: `${await accountOf(app)}~eu-west-1~prod~web`, container: 'web'
}
const letters = [...'123456789bcdef']

type Headers = Record<string, string>

/** Adds an app whose pushes are built as the person of the headers. */
const make = async (name: string, headers: Headers, more: object = { auto_deploy: auto }) =>
  (await actor(app, headers).post('/apps', input(name, { target, ...more }))).json()

/** Pushes another commit, through the webhook. @returns its hash */
const push = async () => {
  const after = letters.shift() ?? ''
  const at = 1_780_000_000 - letters.length
  t.equal((await deliver(app, 'push', pushOf({ after, at }))).statusCode, 202)
  await settleHooks(app)
  return after.repeat(40)
}

const builtOf = async (id: string) => (await json(`/apps/${id}/builds`)).items as Row[]

const setPerson = (id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload })

/** @returns what the app says of the push, without its time */
const refusedOf = async (id: string) => {
  const { refused_push: refused } = await json(`/apps/${id}`)
  const { at, ...rest } = refused ?? { at: null }
  if (refused) t.match(at, /^\d{4}-.*Z$/)
  return refused && rest
}

t.test('B22: a push is built with the rights of who set auto_deploy up, which the app shows', async (t) => {
  const dora = await makePerson(app, 'Dora', 'member')
  const token = await makeToken(app, dora.headers, deploys)
  const made = await make('Dora', token.headers)
  t.same([made.auto_deploy_as, made.refused_push], [{ user_id: dora.id, name: 'Dora', scopes: deploys }, null])
  const commit = await push()
  t.match(await builtOf(made.id), [{ trigger: 'push', commit, actor: 'Dora' }])
  const { principal } = await app.db.selectFrom('deployment_build').select('principal')
    .where('app_id', '=', made.id).executeTakeFirstOrThrow()
  t.same(principal, { user_id: dora.id, name: 'Dora', via: 'token', via_id: token.id, scopes: deploys })
  await patch(`/apps/${made.id}`, { auto_deploy: { ...auto, enabled: false } })
})

t.test('B22: who may not deploy cannot make pushes do it', async (t) => {
  const weak = await makeToken(app, asAdmin, ['deployments:read', 'deployments:write', 'infrastructure:read'])
  const mine = actor(app, weak.headers)
  const lacks = {
    type: 'urn:steward:error:insufficient_scope',
    title: 'The token lacks the scope of this operation',
    status: 403,
    detail: 'auto_deploy deploys as who sets it up, and Administrator lacks the scope infrastructure:write here',
    code: 'insufficient_scope',
    scope: 'infrastructure:write'
  }
  t.same(problemOf(await mine.post('/apps', input('Weak', { target, auto_deploy: auto }))), lacks)
  const quiet = await make('Quiet', weak.headers, {})
  t.same([quiet.auto_deploy.enabled, quiet.auto_deploy_as], [false, null])
  t.same(problemOf(await mine.patch(`/apps/${quiet.id}`, { auto_deploy: auto })), lacks)

  const strong = await makeApp(app, 'Strong', { auto_deploy: auto })
  const before = await json(`/apps/${strong.id}`)
  const source = { repo: 'mallory/secret', default_branch: 'main', path: '' }
  for (const change of [{ source }, { target }, { image: `${registry}/evil:{sha}` }, { auto_deploy: auto }]) {
    t.same(problemOf(await mine.patch(`/apps/${strong.id}`, change)), lacks, JSON.stringify(change))
  }
  t.same(await json(`/apps/${strong.id}`), before, 'nothing was written')
  t.equal((await mine.patch(`/apps/${strong.id}`, { name: 'Strong 2' })).statusCode, 200)
  t.same((await json(`/apps/${strong.id}`)).auto_deploy_as, before.auto_deploy_as, 'a name decides nothing')
  t.equal((await mine.patch(`/apps/${strong.id}`, { auto_deploy: { ...auto, enabled: false } })).statusCode, 200)
})

t.test('B22: rights that are lost since are lost at the next push, and the app says why', async (t) => {
  const mona = await makePerson(app, 'Mona', 'member')
  const token = await makeToken(app, mona.headers, deploys)
  const made = await make('Mona', token.headers)
  const changes: [what: string, lose: () => Promise<unknown>, refused: object | null][] = [
    ['demoted', () => setPerson(mona.id, { role: 'viewer' }),
      { code: 'insufficient_role', detail: `This needs the role approver on cloud account ${await accountOf(app)}` }],
    ['promoted', () => setPerson(mona.id, { role: 'member' }), null],
    ['disabled', () => setPerson(mona.id, { status: 'disabled' }),
      { code: 'insufficient_role', detail: 'Mona is no longer active here' }],
    ['enabled', () => setPerson(mona.id, { status: 'active' }), null],
    ['revoked', () => app.inject({ method: 'DELETE', url: `/account/tokens/${token.id}`, headers: asAdmin }),
      { code: 'insufficient_role', detail: 'The token of Mona has been revoked' }],
    ['unknown', () => app.db.updateTable('deployment_app').set({ auto_deploy_principal: null })
      .where('id', '=', made.id).execute(), {
      code: 'insufficient_scope',
      detail: 'It is not known with whose rights pushes are built: set auto_deploy again'
    }]
  ]
  let count = 0
  for (const [what, lose, refused] of changes) {
    await lose()
    const commit = await push()
    const builds = await builtOf(made.id)
    t.equal(builds.length, refused ? count : ++count, what)
    t.same(await refusedOf(made.id), refused && { commit, ...refused }, what)
  }
  t.equal((await json(`/apps/${made.id}`)).auto_deploy_as, null)
  const again = await patch(`/apps/${made.id}`, { auto_deploy: auto })
  t.match(again.json(), { refused_push: null, auto_deploy_as: { name: 'Administrator', scopes: null } })
  await push()
  t.equal((await builtOf(made.id)).length, count + 1)
  t.equal((await get(`/apps/${made.id}`)).json().refused_push, null)
})

t.test('a push that cannot be built for another reason is reported too', async (t) => {
  const made = await make('No image', asAdmin, { auto_deploy: auto, image: null })
  const commit = await push()
  t.match(await refusedOf(made.id), { commit, code: 'image_missing' })
})
