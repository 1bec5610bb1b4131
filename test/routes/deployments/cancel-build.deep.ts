import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { keepAdvancing } from '../../keep-advancing.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, runnerOf, keepRolling, makeApp, registry, run, until } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const sandbox = steer(app)
const { post, json } = actor(app)

type Row = Record<string, unknown> & { name: string, status: string, text: string, error: string | null }

const service = async () =>
  (await app.inject({ url: '/infrastructure/containers/services/web', headers: asAdmin })).json()
const deployment = async (id: string) => (await app.inject({
  url: `/infrastructure/containers/services/web/deployments/${id}`, headers: asAdmin
})).json()
const linesOf = async (path: string): Promise<string> =>
  (await json(`${path}/logs`)).items.map(({ text }: Row) => text).join('\n')
const writes = async () => ({
  registrations: await sandbox.calls('RegisterTaskDefinition'),
  updates: await sandbox.calls('UpdateService'),
  stops: await sandbox.calls('StopServiceDeployment')
})

/** A build whose deployment is written down. */
const deploying = async (name: string, image: string) => {
  const shop = await makeApp(app, name)
  const { path, taken } = await run(app, shop.id, { image: `${registry}/${image}` })
  const { deployment_id: id } = await until(() => json(path), ({ deployment_id: id }) => id !== null)
  return { path, taken, id: id as string }
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
  await sandbox.call('DELETE', '/calls')
})

t.test('a build cancelled before AWS was asked changes nothing there', async (t) => {
  const before = await service()
  const { path, taken, id } = await deploying('Early', 'web:5')
  t.equal((await post(`${path}/cancel`)).statusCode, 202)
  runnerOf(app).reconcileSoon()
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'cancelled', status_reason: 'user_cancel' })
  t.match(build.steps.find(({ name }: Row) => name === 'deploy'), {
    status: 'cancelled', error: 'Cancelled by Administrator before ECS was asked to change the service'
  })
  t.match(await deployment(id), { status: 'stopped', cancelled_by: 'Administrator', aws_deployment_id: null })
  t.same(await writes(), { registrations: 0, updates: 0, stops: 0 })
  const after = await service()
  t.same(after.deployments, before.deployments, 'no task was restarted')
})

t.test('a build cancelled while ECS deploys stops that service deployment, and starts no other', async (t) => {
  const before = (await service()).task_definition.arn
  const { path, taken, id } = await deploying('Late', 'web:6-slow')
  const stop = keepRolling(t, app, 100)
  await until(() => deployment(id), ({ status }) => status === 'in_progress')
  await stop()
  t.equal((await post(`${path}/cancel`)).statusCode, 202)
  runnerOf(app).reconcileSoon()
  await until(() => linesOf(path), (text) => text.includes('ECS stops deployment'))
  const again = keepRolling(t, app)
  await taken?.ended
  await again()
  const build = await json(path)
  t.match(build, { status: 'cancelled', status_reason: 'user_cancel' })
  t.equal(build.steps.find(({ name }: Row) => name === 'deploy').error, `The service is back at ${before}`)
  t.match(await deployment(id), { status: 'rolled_back', cancelled_by: 'Administrator' })
  t.same(await writes(), { registrations: 1, updates: 1, stops: 1 })
  t.equal((await service()).task_definition.arn, before)
})

t.test('a cancel that AWS does not answer is asked again', async (t) => {
  const { path, taken, id } = await deploying('Again', 'web:7-slow')
  const stop = keepRolling(t, app, 100)
  await until(() => deployment(id), ({ status }) => status === 'in_progress')
  await stop()
  await sandbox.fault({ kind: 'error_500', operation: 'DescribeServices', times: 2 })
  await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  await until(() => deployment(id), ({ cancelled_by: by }) => by !== null)
  const again = keepRolling(t, app)
  await taken?.ended
  await again()
  t.match(await json(path), { status: 'cancelled' })
  t.match(await deployment(id), { status: 'rolled_back' })
})

t.test('what AWS refuses to stop goes on, and the build says so', async (t) => {
  const { path, taken, id } = await deploying('Denied', 'web:8-slow')
  const stop = keepRolling(t, app, 100)
  await until(() => deployment(id), ({ status }) => status === 'in_progress')
  await stop()
  await sandbox.deny('ecs:StopServiceDeployment')
  await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  await until(() => linesOf(path), (text) =>
    /The cancel was refused, so the deployment goes on: aws_permission_denied: .*StopServiceDeployment/.test(text))
  const again = keepRolling(t, app)
  await taken?.ended
  await again()
  t.match(await json(path), { status: 'succeeded', status_reason: 'cancelled_too_late' })
  t.match(await deployment(id), { status: 'succeeded', cancelled_by: null })
})

t.test('a build cancelled while its function takes the same image over undoes nothing', async (t) => {
  const target = { kind: 'lambda', function_id: 'pdf-render' }
  const shop = await makeApp(app, 'Same', { target, image: null })
  const made = async () => (await app.inject({
    url: '/infrastructure/serverless/functions/pdf-render', headers: asAdmin
  })).json()
  const { image } = await made()
  const { path, taken } = await run(app, shop.id, { image })
  await until(() => sandbox.calls('UpdateFunctionCode'), (count) => count === 1)
  await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  const stopTicking = keepAdvancing(t, () => sandbox.advance(1_000))
  await taken?.ended
  await stopTicking()
  t.match(await json(path), { status: 'cancelled' })
  t.equal(await sandbox.calls('UpdateFunctionCode'), 1)
})
