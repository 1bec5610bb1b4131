import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, makeWorkspace, problemOf } from './actors.js'

const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"streams_per_user":4,"requests_per_minute":1000}' })

const send = (method: 'GET' | 'PATCH', id: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url: `/account/workspaces/${id}`, headers: { ...headers }, ...(payload && { payload }) })

t.test('settings that are named are replaced, the others stay, and null is as the installation', async (t) => {
  const { id } = await makeWorkspace(app, 'Harbour')
  const nothing = (await send('GET', id)).json().settings
  const { has_model_api_key: hasKey, ...parts } = nothing
  t.equal(hasKey, false)
  t.same(Object.values(parts).filter((value) => value !== null), [], 'at first there are none')
  const limits = { budget_workspace_day_usd: 12.5, streams_per_user: 2 }
  const changed = await send('PATCH', id, { settings: { limits } })
  t.match([changed.statusCode, changed.json()], [200, { name: 'Harbour', revision: 2 }])
  t.same(changed.json().settings, { ...nothing, limits })
  t.same((await send('GET', id)).json(), changed.json())
  const renamed = (await send('PATCH', id, { name: 'Quay' })).json()
  t.same(renamed.settings, { ...nothing, limits }, 'a name changes no setting')
  const fewer = { live_runs_per_user: 1 }
  t.same((await send('PATCH', id, { settings: { limits: fewer } })).json().settings, { ...nothing, limits: fewer })
  t.same((await send('PATCH', id, { settings: { limits: null } })).json().settings, nothing)
})

t.test('a limit above the installation\'s is refused, with where it stands, and nothing is changed', async (t) => {
  const { id } = await makeWorkspace(app, 'Above')
  const limits = { streams_per_user: 5, budget_run_usd: 0.5, generation_usd: 5.01 }
  const refused = await send('PATCH', id, { name: 'Other', settings: { limits } })
  t.match(problemOf(refused), {
    status: 422,
    code: 'limit_above_installation',
    errors: [
      { pointer: '/settings/limits/streams_per_user', message: 'The installation\'s limit is 4' },
      { pointer: '/settings/limits/generation_usd', message: 'The installation\'s limit is 5' }
    ]
  })
  t.match((await send('GET', id)).json(), { name: 'Above', settings: { limits: null }, revision: 1 })
  for (const wrong of [{ limits: { live_runs_per_user: 0 } }, { limits: { lease_ms: 1 } }, { colour: 'red' }, {}]) {
    t.equal((await send('PATCH', id, { settings: wrong })).statusCode, 400, JSON.stringify(wrong))
  }
})

t.test('the settings of a workspace are no business of its own admins', async (t) => {
  const other = await makeWorkspace(app, 'Other')
  const refused = await send('PATCH', other.id, { settings: { limits: null } }, other.headers)
  t.match(problemOf(refused), { status: 404, code: 'not_found' })
  const own = await app.inject({ url: '/account/workspace', headers: other.headers })
  t.notOk('settings' in own.json())
  const member = await makePerson(app, 'Member', 'member')
  const change = await send('PATCH', other.id, { settings: { limits: null } }, member.headers)
  t.match(problemOf(change), { status: 403, code: 'insufficient_role' })
})
