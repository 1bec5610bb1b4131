import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { planOf } from '../../plan.js'
import { CodeBuild } from '@aws-sdk/client-codebuild'
import { aws } from '../../consent/infrastructure.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, builder, claimNext, keepRolling, makeApp, registry, run, runnerOf, sha, until } from './actors.js'

const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"lease_ms":6000}' })
const sandbox = steer(app)
const { json, post } = actor(app)
const by = (project: string) => ({ builder: { kind: 'codebuild', project } })
const textOf = async (path: string): Promise<string> =>
  (await json(`${path}/logs?limit=1000`)).items.map(({ text }: { text: string }) => text).join('\n')
const begun = (path: string) => until(() => json(path), ({ run: found }) => found?.id != null)
const advance = () => sandbox.advance(30_000)

t.beforeEach(async () => {
  await sandbox.call('DELETE', '/calls')
  await sandbox.clear()
  await sandbox.deny()
})

t.test('a project is started from the commit, its log passed on, and the digest that it exports deployed', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'By CodeBuild', by('web-image'))
  const { preview, facts } = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('a') })
  const shown = preview.map(({ label, after }) => `${label}: ${after}`).join('\n')
  t.match(shown, `Build: Project web-image of CodeBuild (eu-west-1, account Sandbox) builds ${sha('a')}. It has to push ` +
    `${registry}/web:${sha('a')}`)
  t.match(shown, 'May cost: Up to 60 min of BUILD_GENERAL1_SMALL: no build of the project has succeeded yet')
  const { path, taken, build } = await run(app, shop.id, { commit: sha('a'), expected: facts })
  const running = await begun(path)
  t.match(running, { builder: 'codebuild', run: { id: /^web-image:[0-9a-f-]{36}$/, url: /^https:\/\/console\.aws\.amazon\.com\// } })
  await taken?.ended
  const ended = await json(path)
  t.match(ended, { status: 'succeeded', image: /\/web@sha256:[0-9a-f]{64}$/ })
  const text = await textOf(path)
  t.match(text, 'PROVISIONING: SUCCEEDED, 2 s')
  t.match(text, `#5 naming to ${registry}/web:${sha('a')} done`)
  t.equal(text.split('Entering phase BUILD').length, 2, 'no line is told twice')
  const client = new CodeBuild(aws(app))
  const { builds: [made] = [] } = await client.batchGetBuilds({ ids: [running.run.id] })
  const environmentVariables = [{ name: 'STEWARD_BUILD', value: build.id }, { name: 'IMAGE' }]
  t.match(made, { sourceVersion: sha('a'), environment: { environmentVariables } })
  t.equal(await sandbox.calls('StartBuild'), 1)
  const after = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('b') })
  t.match(JSON.stringify(after.preview), /About 1 min of BUILD_GENERAL1_SMALL: the longest of the last 1 builds that succeeded/)
  await stop()
})

t.test('a build that fails is named by its phase', async (t) => {
  const shop = await makeApp(app, 'Broken', by('web-image-broken'))
  const { path, taken } = await run(app, shop.id, { commit: sha('b') })
  const { run: { id } } = await begun(path)
  await advance()
  await taken?.ended
  const ended = await json(path)
  t.match(ended, { status: 'failed', image: null, deployment_id: null })
  t.equal(ended.steps[1].error, `Build ${id} ended as FAILED: phase BUILD, Error while executing command: docker build -t $IMAGE .. ` +
    'Reason: exit status 1')
  t.match(await textOf(path), 'ERROR: failed to solve: "/app/dist": not found')
})

t.test('a build that somebody else stops says so; a cancel here stops it there', async (t) => {
  const shop = await makeApp(app, 'Stuck', by('web-image-stuck'))
  const client = new CodeBuild(aws(app))
  const first = await run(app, shop.id, { commit: sha('c') })
  const { run: { id } } = await begun(first.path)
  await client.stopBuild({ id })
  await first.taken?.ended
  t.match((await json(first.path)).steps[1].error, `Build ${id} was stopped at AWS, and not from here`)
  const second = await run(app, shop.id, { commit: sha('d') })
  const { run: { id: other } } = await begun(second.path)
  t.equal((await post(`${second.path}/cancel`)).statusCode, 202)
  runnerOf(app).reconcileSoon()
  await second.taken?.ended
  t.match(await json(second.path), { status: 'cancelled', status_reason: 'user_cancel', deployment_id: null })
  t.match(await client.batchGetBuilds({ ids: [other] }), { builds: [{ buildStatus: 'STOPPED' }] })
})

t.test('a build that never ends is stopped when its time is over', async (t) => {
  const shop = await makeApp(app, 'Never ends', by('web-image-stuck'))
  const started = await builder(app).start(shop.id, { commit: sha('e') })
  await builder(app).change(started.id,
    { builder: JSON.stringify({ kind: 'codebuild', project: 'web-image-stuck', max_minutes: 0.05 }) })
  await (await claimNext(app, shop.id))?.ended
  const ended = await json(`/apps/${shop.id}/builds/${started.id}`)
  t.match(ended, { status: 'timed_out', status_reason: 'step_timeout' })
  t.match(ended.steps[1].error, /did not end within 0\.05 min; it was asked to stop$/)
})

t.test('where the answer to the start is lost, the build is found by its variable, and never started twice', async (t) => {
  const stop = keepRolling(t, app)
  await sandbox.fault({ kind: 'drop', operation: 'StartBuild', executed: true })
  const shop = await makeApp(app, 'Lost answer', by('web-image'))
  const { path, taken } = await run(app, shop.id, { commit: sha('f') })
  await begun(path)
  await advance()
  await taken?.ended
  t.match(await json(path), { status: 'succeeded' })
  t.equal(await sandbox.calls('StartBuild'), 1)
  await stop()
})

t.test('a start that never arrived is sent once more, under the token of the first', async (t) => {
  const stop = keepRolling(t, app)
  await sandbox.fault({ kind: 'drop', operation: 'StartBuild', executed: false })
  const shop = await makeApp(app, 'Lost start', by('web-image'))
  const { path, taken } = await run(app, shop.id, { commit: sha('e') })
  await begun(path)
  await advance()
  await taken?.ended
  t.match(await json(path), { status: 'succeeded' })
  const { calls } = await sandbox.call<{ calls: { params: { idempotencyToken: string } }[] }>(
    'GET', '/calls?operation=StartBuild')
  const [first, ...others] = calls.map(({ params }) => params.idempotencyToken)
  t.ok(others.length > 0)
  t.same([...new Set(others)], [first])
  const client = new CodeBuild(aws(app))
  const { ids = [] } = await client.listBuildsForProject({ projectName: 'web-image' })
  const { builds = [] } = await client.batchGetBuilds({ ids })
  t.equal(builds.filter(({ sourceVersion }) => sourceVersion === sha('e')).length, 1)
  await stop()
})

t.test('a project that is not there, or may not be started, is said in words', async (t) => {
  const gone = await makeApp(app, 'No project', by('nothing-here'))
  await t.rejects(planOf(app, 'deployApp', { app_id: gone.id, commit: sha('1') }),
    { code: 'builder_unsupported', message: 'CodeBuild of account Sandbox has no project nothing-here in eu-west-1' })
  await sandbox.deny('codebuild:StartBuild')
  const shop = await makeApp(app, 'No right', by('web-image'))
  const { path, taken } = await run(app, shop.id, { commit: sha('1') })
  await taken?.ended
  t.match((await json(path)).steps[1].error, /^aws_permission_denied: .*not authorized to perform: codebuild:StartBuild on resource/)
})
