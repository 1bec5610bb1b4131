import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { accountOf, actor, keepRolling, makeApp, registry, sha, until } from './actors.js'

// The whole thing as it is started: jobs, sweeps and leases by themselves.
const app = await buildApp(t, { LIMITS: '{"lease_ms":3000,"requests_per_minute":100000}' })
const { post, json } = actor(app)
await accountOf(app)
await app.jobs.start()

const status = (path: string, expected: string) => until(() => json(path), (build) => build.status === expected, 60_000)

t.test('what is asked for is done, one after the other, beyond the length of a lease', async (t) => {
  const stop = keepRolling(t, app, 3_000)
  const shop = await makeApp(app, 'By itself')
  const builds = []
  for (const digit of ['1', '2']) {
    builds.push((await post(`/apps/${shop.id}/deploy`, { commit: sha(digit) })).json())
  }
  const [first, second] = await Promise.all(builds.map(({ id }) =>
    status(`/apps/${shop.id}/builds/${id}`, 'succeeded')))
  t.ok(Date.parse(second?.started_at) >= Date.parse(first?.finished_at))
  t.equal(second?.image, `${registry}/web:${sha('2')}`)
  await stop()
})

t.test('a cancel reaches the worker by itself', async (t) => {
  const shop = await makeApp(app, 'Cancelled')
  const { id } = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:5-slow` })).json()
  const path = `/apps/${shop.id}/builds/${id}`
  await until(() => json(path), ({ deployment_id }) => deployment_id !== null)
  t.equal((await post(`${path}/cancel`)).statusCode, 202)
  const stop = keepRolling(t, app, 3_000)
  await status(path, 'cancelled')
  await stop()
})

t.test('a job that comes twice, late, or for nothing does no harm', async (t) => {
  const shop = await makeApp(app, 'Twice')
  const key = { workspace_id: app.home.workspace_id, app_id: shop.id }
  for (let i = 0; i < 3; i++) await app.jobs.enqueue(app.db, 'deployments.build', key)
  const { id } = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:6` })).json()
  for (let i = 0; i < 3; i++) await app.jobs.enqueue(app.db, 'deployments.build', key)
  const stop = keepRolling(t, app, 3_000)
  await status(`/apps/${shop.id}/builds/${id}`, 'succeeded')
  for (let i = 0; i < 3; i++) await app.jobs.enqueue(app.db, 'deployments.build', key)
  await app.jobs.drain()
  t.equal((await json(`/apps/${shop.id}/builds`)).items.length, 1)
  const made = await app.db.selectFrom('service_deployment').select('id')
    .where('comment', '=', `Build 1 (${id})`).execute()
  t.equal(made.length, 1)
  await stop()
})

t.test('a push that the code host\'s area reports by a job starts a build', async (t) => {
  const stop = keepRolling(t, app, 3_000)
  const shop = await makeApp(app, 'Push', {
    auto_deploy: { enabled: true, branch: 'main', paths: [] }
  })
  await app.jobs.enqueue(app.db, 'deployments.push', {
    workspace_id: app.home.workspace_id,
    repo: shop.source.repo,
    branch: 'main',
    commit: sha('7'),
    message: null,
    paths: null
  })
  const { items: [build] } = await until(() => json(`/apps/${shop.id}/builds`), ({ items }) => items.length > 0)
  t.match(build, { trigger: 'push', commit: sha('7') })
  await status(`/apps/${shop.id}/builds/${build.id}`, 'succeeded')
  await stop()
})

t.test('a worker that died is noticed by itself: its build goes on here, and then what waited', async (t) => {
  const stop = keepRolling(t, app, 3_000)
  const shop = await makeApp(app, 'Died')
  const { id } = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:7` })).json()
  await app.db.updateTable('deployment_build').set({
    status: 'running',
    lease_owner: '01900000-0000-4000-8000-000000000009',
    lease_epoch: 99,
    lease_until: new Date(Date.now() - 1_000)
  }).where('id', '=', id).execute()
  const { id: next } = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:8` })).json()
  await app.db.updateTable('deployment_build').set({ lease_until: new Date(Date.now() - 1_000) })
    .where('id', '=', id).execute()
  t.match(await status(`/apps/${shop.id}/builds/${id}`, 'succeeded'), { status_reason: null })
  await status(`/apps/${shop.id}/builds/${next}`, 'succeeded')
  await stop()
})
