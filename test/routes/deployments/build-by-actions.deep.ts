import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { planOf } from '../../plan.js'
import { makeToken } from '../account/actors.js'
import { steer as steerHost } from '../codehost/actors.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, builder, claimNext, keepRolling, makeApp, registry, run, runnerOf, sha, until } from './actors.js'

const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"lease_ms":6000}' })
const sandbox = steer(app)
const codehost = steerHost(app)
const { json, post } = actor(app)
const actions = { kind: 'actions', workflow: 'image.yml', build_input: 'build' } as const
const repository = 'larkspur/web'

const textOf = async (path: string): Promise<string> =>
  (await json(`${path}/logs?limit=1000`)).items.map(({ text }: { text: string }) => text).join('\n')
const host = (method: string, path: string, body?: object) => codehost.call(method, path, body)
const workflow = (change: object) => host('PATCH', '/workflows', { repository, ...change })
const dispatches = async () => (await codehost.calls()).filter(({ operation }) => operation === 'dispatchWorkflow')
/** Minutes of the workflow pass in no time. */
const advance = () => host('POST', '/clock', { advance_ms: 20_000 })
const begun = (path: string) => until(() => json(path), ({ run: found }) => found?.id != null)

t.beforeEach(async () => {
  await workflow({ outcome: 'success', state: 'active', inputs: ['commit', 'build'] })
  await host('POST', '/settings', { run_details: true })
  await host('DELETE', '/calls')
  await host('DELETE', '/faults')
})
t.afterEach(() => sandbox.call('PUT', '/missing-images', []))

t.test('a workflow is started with the commit, followed by the id of its run, and its image deployed by digest', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'By a workflow', { builder: actions })
  const { preview, facts } = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('a') })
  const shown = preview.map(({ label, after }) => `${label}: ${after}`).join('\n')
  t.match(shown, `Build: The workflow Build the image (.github/workflows/image.yml) of ${repository} is started with commit ` +
    `${sha('a')}. It has to push ${registry}/web:${sha('a')}`)
  t.match(shown, /May cost: Minutes of GitHub Actions, .*no run of it has succeeded yet/)
  const { path, taken, build } = await run(app, shop.id, { ref: 'main', commit: sha('a'), expected: facts })
  const running = await begun(path)
  t.match(running, { builder: 'actions', run: { url: new RegExp(`/larkspur/web/actions/runs/${running.run.id}$`) } })
  await until(() => textOf(path), (text) => text.includes('image / Set up job: success'))
  await advance()
  await taken?.ended
  const ended = await json(path)
  t.match(ended, { status: 'succeeded', image: /\/web@sha256:[0-9a-f]{64}$/ })
  t.same((await dispatches()).map(({ body }) => body), [{
    ref: 'main', inputs: { commit: sha('a'), build: build.id }, return_run_details: true
  }])
  const text = await textOf(path)
  t.match(text, 'image / Build and push: success')
  t.match(text, `#5 pushing manifest for web:${sha('a')} done`)
  t.notMatch(text, /^\d{4}-\d\d-\d\dT/m, 'the host\'s own time of each line is left out')
  t.equal(text.split('#5 exporting to image').length, 2, 'no line is told twice')
  const after = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('b') })
  t.match(JSON.stringify(after.preview), /About 1 min of GitHub Actions, .*the longest of the last 1 runs that succeeded/)
  await stop()
})

t.test('a run that fails is named by its job and its step', async (t) => {
  await workflow({ outcome: 'failure' })
  const shop = await makeApp(app, 'Fails', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('b') })
  const { run: { id } } = await begun(path)
  await advance()
  await taken?.ended
  const ended = await json(path)
  t.match(ended, { status: 'failed', deployment_id: null, image: null })
  t.equal(ended.steps[1].error, `Run ${id} ended as failure: job image, step Build and push`)
  t.match(await textOf(path), /##\[error\]buildx failed with: ERROR: failed to build/)
})

t.test('a run that somebody else cancels is no success, and says who did not', async (t) => {
  await workflow({ outcome: 'endless' })
  const shop = await makeApp(app, 'Stopped there', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('c') })
  const { run: { id } } = await begun(path)
  const stopped = await fetch(`${app.codehost.addresses.api}/repos/${repository}/actions/runs/${id}/cancel`,
    { method: 'POST', headers: { authorization: 'token gho_sandbox_bruno' } })
  t.equal(stopped.status, 202)
  await taken?.ended
  t.match((await json(path)).steps[1].error, `Run ${id} was cancelled at the code host, and not from here`)
})

t.test('a cancel here cancels the run there, and then frees the app', async (t) => {
  await workflow({ outcome: 'endless' })
  const shop = await makeApp(app, 'Stopped here', { builder: actions })
  const { path, taken, build } = await run(app, shop.id, { commit: sha('d') })
  const { run: { id } } = await begun(path)
  const { preview } = await planOf(app, 'cancelBuild', { app_id: shop.id, build_id: build.id })
  t.match(preview[0], { after: 'cancelled; what builds the image is stopped' })
  const answer = await post(`${path}/cancel`)
  t.match([answer.statusCode, answer.json().status], [202, 'cancelling'])
  runnerOf(app).reconcileSoon()
  await taken?.ended
  t.match(await json(path), { status: 'cancelled', status_reason: 'user_cancel', deployment_id: null })
  t.match(await textOf(path), `Run ${id} is asked to stop`)
  const found = await fetch(`${app.codehost.addresses.api}/repos/${repository}/actions/runs/${id}`,
    { headers: { authorization: 'token gho_sandbox_octavia' } })
  t.match(await found.json(), { status: 'completed', conclusion: 'cancelled' })
})

t.test('a run that never ends is stopped when its time is over', async (t) => {
  await workflow({ outcome: 'endless' })
  const shop = await makeApp(app, 'Endless', { builder: actions })
  const started = await builder(app).start(shop.id, { commit: sha('e') })
  await builder(app).change(started.id, { builder: JSON.stringify({ ...actions, max_minutes: 0.05 }) })
  await (await claimNext(app, shop.id))?.ended
  const ended = await json(`/apps/${shop.id}/builds/${started.id}`)
  t.match(ended, { status: 'timed_out', status_reason: 'step_timeout' })
  t.match(ended.steps[1].error, /^Run \d+ of image\.yml did not end within 0\.05 min; it was asked to stop$/)
})

t.test('where the answer to the start is lost, the run is found by its name, and never started twice', async (t) => {
  const stop = keepRolling(t, app)
  await host('POST', '/faults', { kind: 'drop', operation: 'dispatchWorkflow', executed: true })
  const shop = await makeApp(app, 'Lost answer', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('f') })
  await begun(path)
  await advance()
  await taken?.ended
  t.match(await json(path), { status: 'succeeded' })
  t.equal((await dispatches()).length, 1)
  await host('POST', '/faults', { kind: 'drop', operation: 'dispatchWorkflow', executed: true })
  const nameless = await makeApp(app, 'No name', { builder: { kind: 'actions', workflow: 'image.yml' } })
  const lost = await run(app, nameless.id, { commit: sha('1') })
  await lost.taken?.ended
  t.match((await json(lost.path)).steps[1].error, /^A run was asked for and no answer came: whether it began is not known/)
  t.equal((await dispatches()).length, 2)
  await stop()
})

t.test('an older code host does not say which run it began: it is found by its name too', async (t) => {
  const stop = keepRolling(t, app)
  await host('POST', '/settings', { run_details: false })
  const shop = await makeApp(app, 'Older host', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('2') })
  await begun(path)
  await advance()
  await taken?.ended
  t.match(await json(path), { status: 'succeeded' })
  const nameless = await makeApp(app, 'Older and nameless', { builder: { kind: 'actions', workflow: 'image.yml' } })
  const lost = await run(app, nameless.id, { commit: sha('3') })
  await lost.taken?.ended
  t.match((await json(lost.path)).steps[1].error, /does not say which run it is\. Name an input in `build_input`/)
  await stop()
})

t.test('what cannot be started is said before approval, or in words', async (t) => {
  const gone = await makeApp(app, 'No workflow', { builder: { kind: 'actions', workflow: 'other.yml' } })
  await t.rejects(planOf(app, 'deployApp', { app_id: gone.id, commit: sha('4') }),
    { code: 'builder_unsupported', message: 'larkspur/web has no workflow other.yml on its default branch' })
  await workflow({ state: 'disabled_manually' })
  const shop = await makeApp(app, 'Switched off', { builder: actions })
  await t.rejects(planOf(app, 'deployApp', { app_id: shop.id, commit: sha('4') }),
    { code: 'builder_unsupported', message: 'The workflow image.yml of larkspur/web is disabled_manually' })
  await workflow({ state: 'active', inputs: ['commit'] })
  const { path, taken } = await run(app, shop.id, { commit: sha('4') })
  await taken?.ended
  t.match((await json(path)).steps[1].error, 'The code host refuses to start image.yml on main: it has to have the trigger ' +
    'workflow_dispatch there, with the inputs commit and build')
})

t.test('a run that succeeds without an image is no success', async (t) => {
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:${sha('5')}`])
  const shop = await makeApp(app, 'No image', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('5') })
  await begun(path)
  await advance()
  await taken?.ended
  t.match((await json(path)).steps[1].error, /^Run \d+ succeeded, and what it has pushed is not known: ECR of .* no tag/)
})

t.test('a workflow is started with the right of the person who asks, and an image that is named is not built', async (t) => {
  const { headers } = await makeToken(app, asAdmin,
    ['deployments:read', 'deployments:write', 'infrastructure:read', 'infrastructure:write', 'codehost:read'])
  const shop = await makeApp(app, 'Scopes', { builder: actions })
  const { path, taken } = await run(app, shop.id, { commit: sha('6') }, headers)
  await taken?.ended
  const ended = await json(path)
  t.match([ended.status, ended.steps[1].error],
    ['failed', 'insufficient_scope: A build by a workflow needs the scope codehost:write'])
  const named = await builder(app).start(shop.id, { image: `${registry}/web:1` })
  t.match(await json(`/apps/${shop.id}/builds/${named.id}`), { builder: null, steps: [{ name: 'checkout' }, { name: 'deploy' }, {}] })
  await post(`/apps/${shop.id}/builds/${named.id}/cancel`)
  t.equal((await dispatches()).length, 0)
})
