import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { takePush } from '../../../routes/deployments/lib/apps/take-push.js'
import { buildApp } from '../../app.js'
import { planOf } from '../../plan.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, builder, claimNext, keepRolling, makeApp, registry, run, runnerOf, sha, until, type Row } from './actors.js'

/** A registry of OCI's distribution specification, which gives anybody a token, but for what is private. */
const held = new Map<string, string>()
const distribution: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  if (url.pathname === '/token') {
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ token: url.searchParams.get('scope') }))
  }
  const [, repository = '', reference = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(url.pathname) ?? []
  const isOpen = request.headers.authorization === `Bearer repository:${repository}:pull` && repository !== 'private/web'
  if (!isOpen) {
    const realm = `Bearer realm="${url.origin}/token",service="registry",scope="repository:${repository}:pull"`
    return response.writeHead(401, { 'www-authenticate': realm }).end()
  }
  const digest = held.get(`${repository}:${reference}`)
  if (digest === undefined) return response.writeHead(404).end()
  return response.writeHead(200, {
    'docker-content-digest': digest, 'content-type': 'application/vnd.oci.image.index.v1+json'
  }).end()
}
const server = createServer(distribution)
await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
t.teardown(() => { server.close() })
// What is listening has a port.
const other = `127.0.0.1:${(server.address() as AddressInfo).port}`

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: other })
const sandbox = steer(app)
const { json, post } = actor(app)
const image = { kind: 'image' } as const
const digest = (digit: string) => `sha256:${digit.repeat(64)}`
const linesOf = async (path: string): Promise<string[]> =>
  (await json(`${path}/logs`)).items.map(({ text }: { text: string }) => text)
const said = (path: string, text: RegExp) => until(() => linesOf(path), (lines) => lines.some((line) => text.test(line)))
const stepsOf = (build: { steps: Row[] }) => build.steps.map(({ name, status }) => `${String(name)} ${status}`)

t.afterEach(async () => {
  await sandbox.call('PUT', '/missing-images', [])
  await sandbox.call('PUT', '/moved-tags', {})
  await sandbox.deny()
})

t.test('a build waits until somebody has pushed the image of the commit, and deploys its digest', async (t) => {
  const stop = keepRolling(t, app)
  const tag = `${registry}/web:${sha('a')}`
  await sandbox.call('PUT', '/missing-images', [tag])
  const shop = await makeApp(app, 'Awaits', { builder: { kind: 'image', wait_minutes: 5 } })
  t.same(shop.builder, { kind: 'image', wait_minutes: 5 })
  const plan = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('a') })
  const shown = plan.preview.map(({ label, after }) => `${label}: ${after}`).join('\n')
  t.match(shown, `Build: No image is built here: the build waits up to 5 min until the registry has ${tag}`)
  t.match(shown, /Note: The registry does not have it yet: ECR of \d+ in eu-west-1 has repository web, and no tag/)
  const { path, taken } = await run(app, shop.id, { commit: sha('a') })
  await said(path, /^Waits up to 5 min for .*no tag/)
  t.match(await json(path), { status: 'running', builder: 'image', run: null, image: null })
  await sandbox.call('PUT', '/moved-tags', { [tag]: digest('5') })
  await sandbox.call('PUT', '/missing-images', [])
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'succeeded', image: `${registry}/web@${digest('5')}`, image_digest: digest('5') })
  t.same(stepsOf(build), ['checkout succeeded', 'build succeeded', 'deploy succeeded', 'verify succeeded'])
  t.match((await linesOf(path)).join('\n'), `The image is ${digest('5')}: this digest is deployed, whatever its tag names later`)

  const back = (await post(`${path}/rollback`)).json()
  t.same(back.steps.map(({ name }: Row) => name), ['checkout', 'deploy', 'verify'], 'what was built is not built again')
  await post(`/apps/${shop.id}/builds/${back.id}/cancel`)
  await stop()
})

t.test('an image that does not come in time ends the build, with what is missing', async (t) => {
  const tag = `${registry}/web:${sha('b')}`
  await sandbox.call('PUT', '/missing-images', [tag])
  const shop = await makeApp(app, 'Too late', { builder: image })
  const started = await builder(app).start(shop.id, { commit: sha('b') })
  await builder(app).change(started.id, { builder: JSON.stringify({ kind: 'image', wait_minutes: 0.03 }) })
  await (await claimNext(app, shop.id))?.ended
  const ended = await json(`/apps/${shop.id}/builds/${started.id}`)
  t.match(ended, { status: 'timed_out', status_reason: 'step_timeout', image: null, deployment_id: null })
  t.match(ended.steps[1].error, /did not come within 0\.03 min\. ECR of \d+ in eu-west-1 has repository web, and no tag/)
})

t.test('a tag that was moved after the approval is not deployed', async (t) => {
  const tag = `${registry}/web:${sha('c')}`
  await sandbox.call('PUT', '/moved-tags', { [tag]: digest('1') })
  const shop = await makeApp(app, 'Moved', { builder: image })
  const { preview, facts } = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('c') })
  t.match(preview.find(({ label }) => label === 'Image'), { after: `${registry}/web@${digest('1')}` })
  t.match(facts, { image_digest: digest('1') })
  await sandbox.call('PUT', '/moved-tags', { [tag]: digest('2') })
  const { path, taken } = await run(app, shop.id, { commit: sha('c'), expected: facts })
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'failed', image: null, deployment_id: null })
  t.match(build.steps[1].error, /was sha256:1{64} when the build was approved, and is sha256:2{64} now: the tag has moved/)
})

t.test('of two pushes the older one is given up while its image is awaited', async (t) => {
  const repo = 'larkspur/two-pushes'
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:${sha('1')}`, `${registry}/web:${sha('2')}`])
  const auto_deploy = { enabled: true, branch: 'main', paths: [] }
  const shop = await makeApp(app, 'Two pushes', { builder: image, source: { repo }, auto_deploy })
  await app.db.updateTable('deployment_app').set({ source: JSON.stringify({ repo, default_branch: 'main', path: '' }) })
    .where('id', '=', shop.id).execute()
  const push = (digit: string) => takePush(app, {
    workspace_id: app.home.workspace_id, repo, branch: 'main', commit: sha(digit), message: null, paths: null
  })
  await push('1')
  const [first] = (await json(`/apps/${shop.id}/builds`)).items
  // The code host has the commits in another repository.
  await builder(app).change(first.id, { repo: 'larkspur/web' })
  const taken = await claimNext(app, shop.id)
  await said(`/apps/${shop.id}/builds/${first.id}`, /^Waits up to 30 min/)
  await push('2')
  await until(() => json(`/apps/${shop.id}/builds/${first.id}`), ({ finished_at: at }) => at !== null)
  const [second, ended] = (await json(`/apps/${shop.id}/builds`)).items
  t.match(ended, { status: 'superseded', status_reason: 'newer_push', superseded_by: second.id })
  t.match(ended.steps[1].error, /^Build 2 is of a newer push: the image of [0-9a-f]{40} is not awaited any more$/)
  await post(`/apps/${shop.id}/builds/${second.id}/cancel`)
  await taken?.ended
})

t.test('a registry that may not be asked is said before approval, and ends a build', async (t) => {
  const shop = await makeApp(app, 'No rights', { builder: image })
  await sandbox.deny('ecr:DescribeImages')
  const denied = /^Whether .* exists cannot be known: this account may not ask its registry \(ecr:DescribeImages\)/
  await t.rejects(planOf(app, 'deployApp', { app_id: shop.id, commit: sha('d') }), { code: 'registry_denied', message: denied })
  const { path, taken } = await run(app, shop.id, { commit: sha('d') })
  await taken?.ended
  const build = await json(path)
  t.match([build.status, build.steps[1].error], ['failed', denied])
})

t.test('a wait is cancelled at once', async (t) => {
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:${sha('e')}`])
  const shop = await makeApp(app, 'Cancelled', { builder: image })
  const { path, taken } = await run(app, shop.id, { commit: sha('e') })
  await said(path, /^Waits/)
  const answer = await post(`${path}/cancel`)
  t.match([answer.statusCode, answer.json().status], [200, 'cancelled'])
  runnerOf(app).reconcileSoon()
  await taken?.ended
})

t.test('another registry is asked by the API of the distribution specification, as anybody', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Elsewhere', { builder: image, image: `${other}/open/web:{sha}` })
  const missing = await planOf(app, 'deployApp', { app_id: shop.id, commit: sha('f') })
  t.match(JSON.stringify(missing.preview), `The registry does not have it yet: ${other} has no ${sha('f')} of open/web`)
  held.set(`open/web:${sha('f')}`, digest('7'))
  const { path, taken } = await run(app, shop.id, { commit: sha('f') })
  await taken?.ended
  t.match(await json(path), { status: 'succeeded', image: `${other}/open/web@${digest('7')}` })
  const hidden = await makeApp(app, 'Private', { builder: image, image: `${other}/private/web:{sha}` })
  await t.rejects(planOf(app, 'deployApp', { app_id: hidden.id, commit: sha('f') }),
    { code: 'registry_denied', message: /shows private\/web to nobody without credentials, and Steward has none for it/ })
  const inside = await makeApp(app, 'Inside', { builder: image, image: '169.254.169.254/web:{sha}' })
  await t.rejects(planOf(app, 'deployApp', { app_id: inside.id, commit: sha('f') }),
    { code: 'registry_denied', message: /may not be asked from here: The address is not a public one/ })
  await stop()
})

t.test('a builder needs a tag that names the commit', async (t) => {
  for (const template of [null, `${registry}/web:latest`, `${registry}/web:{ref}`]) {
    const answer = await post('/apps', {
      name: 'No tag', source: shopSource, target: shopTarget, builder: image, ...(template && { image: template })
    })
    t.match(answer.json(), { status: 400, code: 'invalid_request', errors: [{ pointer: '/image', code: 'template' }] })
  }
  const shop = await makeApp(app, 'Tagged', { builder: image })
  t.match((await actor(app).patch(`/apps/${shop.id}`, { image: `${registry}/web:1` })).json(), { status: 400 })
  t.match((await actor(app).patch(`/apps/${shop.id}`, { image: `${registry}/web:1`, builder: null })).json(), { builder: null })
  t.match((await actor(app).patch(`/apps/${shop.id}`, { builder: { kind: 'magic' } })).json(), { status: 400 })
})

const shopSource = { repo: 'larkspur/web' }
const shopTarget = { kind: 'ecs_service', service_id: 'prod/web', container: 'web' }
