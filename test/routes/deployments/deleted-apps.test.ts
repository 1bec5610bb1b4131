import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, problemOf } from '../account/actors.js'
import { accountOf, actor, builder, makeApp, missing, sha, input } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const admin = actor(app)
const { start } = builder(app)
const [ada, max] = [await makePerson(app, 'Ada', 'member'), await makePerson(app, 'Max', 'member')]
const [owner, colleague] = [actor(app, ada.headers), actor(app, max.headers)]

const endBuilds = (id: string) => app.db.updateTable('deployment_build')
  .set({ status: 'succeeded', finished_at: new Date() }).where('app_id', '=', id).execute()

t.test('only who added an app, or an admin, deletes it and brings it back', async (t) => {
  const target = { kind: 'ecs_service', service_id: `${await accountOf(app)}~eu-west-1~prod~web`, container: 'web' }
  const made = (await owner.post('/apps', input('Owned', { target }))).json()
  const refused = {
    type: 'urn:steward:error:not_owner',
    title: 'Only an admin may do this with a record of another person',
    status: 403,
    detail: 'Somebody else made it: ask that person, or an admin',
    code: 'not_owner',
    owner_id: ada.id
  }
  t.same(problemOf(await colleague.remove(`/apps/${made.id}`)), refused)
  t.equal((await owner.remove(`/apps/${made.id}`)).statusCode, 204)
  t.same(problemOf(await colleague.post(`/apps/${made.id}/undelete`)), refused)
  t.equal((await admin.post(`/apps/${made.id}/undelete`)).statusCode, 200)
  t.equal((await admin.remove(`/apps/${made.id}`)).statusCode, 204)
})

t.test('a deleted app is out of sight, deploys nothing, and comes back with its builds', async (t) => {
  const { id } = await makeApp(app, 'Comes back', { auto_deploy: { enabled: true, branch: 'main', paths: [] } })
  const build = await start(id, { ref: sha('a') })
  t.match((await admin.remove(`/apps/${id}`)).json(), { code: 'app_busy' })
  await endBuilds(id)
  const [before, was] = [await admin.json(`/apps/${id}`), await admin.json(`/apps/${id}/builds/${build.id}`)]
  t.equal((await admin.remove(`/apps/${id}`)).statusCode, 204)
  for (const path of [`/apps/${id}`, `/apps/${id}/builds`, `/apps/${id}/builds/${build.id}`,
    `/apps/${id}/builds/${build.id}/logs`]) {
    t.equal((await admin.get(path)).statusCode, 404, path)
  }
  t.equal((await admin.patch(`/apps/${id}`, { name: 'x' })).statusCode, 404)
  t.equal((await admin.post(`/apps/${id}/deploy`, {})).statusCode, 404)
  const { listAutoDeployed } = await import('../../../db/deployments/apps.js')
  const pushed = await listAutoDeployed(app.db, app.home.workspace_id, ['larkspur/web'])
  t.notOk(pushed.some((one) => one.id === id))

  const other = await makeApp(app, 'comes back')
  t.match((await admin.post(`/apps/${id}/undelete`)).json(), { status: 409, code: 'app_name_taken' })
  await admin.remove(`/apps/${other.id}`)
  const after = (await admin.post(`/apps/${id}/undelete`)).json()
  t.same(after, { ...before, revision: before.revision + 2, updated_at: after.updated_at })
  t.same(await admin.json(`/apps/${id}/builds/${build.id}`), was)
  t.equal((await admin.post(`/apps/${id}/undelete`)).statusCode, 404, 'what is there is not brought back')
  t.equal((await admin.post(`/apps/${missing}/undelete`)).statusCode, 404)
})

t.test('what was deleted more than 30 days ago is purged with its builds, nothing else', async (t) => {
  const ids: string[] = []
  const builds: string[] = []
  for (const name of ['Old', 'Recent', 'Live']) {
    const { id } = await makeApp(app, name)
    builds.push((await start(id, { ref: sha('b') })).id)
    await endBuilds(id)
    ids.push(id)
  }
  for (const id of ids.slice(0, 2)) await admin.remove(`/apps/${id}`)
  await app.db.updateTable('deployment_app').set({ deleted_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', ids[0] ?? '').execute()
  t.equal((await admin.post(`/apps/${ids[0]}/undelete`)).statusCode, 404)
  await app.jobs.enqueue(app.db, 'deployments.purge', {})
  await app.jobs.drain()
  const left = await app.db.selectFrom('deployment_build').select('app_id').where('app_id', 'in', ids)
    .orderBy('app_id').execute()
  t.same(left.map(({ app_id: id }) => id), ids.slice(1))
  const events = await app.db.selectFrom('stream_event').select('stream_id').distinct()
    .where('stream_id', 'in', builds).orderBy('stream_id').execute()
  t.same(events.map(({ stream_id: id }) => id), builds.slice(1))
  t.equal((await admin.post(`/apps/${ids[1]}/undelete`)).statusCode, 200)
})

t.test('where a workspace keeps for less time what was deleted, an app is purged earlier', async (t) => {
  const { id } = await makeApp(app, 'Short')
  await admin.remove(`/apps/${id}`)
  await app.db.updateTable('deployment_app').set({ deleted_at: new Date(Date.now() - 4 * 86_400_000) })
    .where('id', '=', id).execute()
  const purge = async () => {
    await app.jobs.enqueue(app.db, 'deployments.purge', {})
    await app.jobs.drain()
    return (await app.db.selectFrom('deployment_app').select('id').where('id', '=', id).execute()).length
  }
  t.equal(await purge(), 1)
  await app.inject({
    method: 'PATCH',
    url: `/account/workspaces/${app.home.workspace_id}`,
    headers: asAdmin,
    payload: { settings: { retention: { deleted_days: 3 } } }
  })
  t.equal(await purge(), 0)
})

t.test('a deleted app keeps no cloud account from being removed', async (t) => {
  const account = await accountOf(app)
  for (const { id } of (await admin.json('/apps?limit=100')).items) await admin.remove(`/apps/${id}`)
  const removal = await app.inject({ method: 'DELETE', url: `/cloud/accounts/${account}`, headers: asAdmin })
  t.equal(removal.statusCode, 204, removal.payload)
  t.same(await app.db.selectFrom('deployment_app').select('id').execute(), [])
})
