import t from '../../tap.js'
import { makePerson, makeToken } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { keepAdvancing } from '../../keep-advancing.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, runnerOf, keepRolling, claimNext, makeApp, registry, run, sha, until } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const { post, json } = actor(app)

type Row = Record<string, unknown> & { id: string, name: string, status: string, text: string }

const service = async () =>
  (await app.inject({ url: '/infrastructure/containers/services/web', headers: asAdmin })).json()
const linesOf = async (path: string): Promise<string> =>
  (await json(`${path}/logs`)).items.map(({ text }: Row) => text).join('\n')
const statuses = (build: Record<string, unknown>) =>
  (build.steps as Row[]).map(({ name, status }) => `${name} ${status}`)
const change = (id: string, values: object) => app.db.updateTable('deployment_build').set(values)
  .where('id', '=', id).execute()

t.beforeEach(async () => { await sandbox.deny() })

t.test('a good image is deployed, verified, and can be gone back to', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Good')
  const { path, taken } = await run(app, shop.id, { commit: sha('a'), image: `${registry}/web:3-ok` })
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'succeeded', status_reason: null, image: `${registry}/web:3-ok`, commit: sha('a') })
  t.same(statuses(build),
    ['checkout succeeded', 'deploy succeeded', 'verify succeeded'])
  t.ok(build.duration_ms >= 0 && build.started_at && build.finished_at)
  const now = await service()
  t.match(now, {
    images: [{ image: `${registry}/web:3-ok` }],
    current_deployment: { id: build.deployment_id, status: 'succeeded' }
  })
  t.equal(now.current_deployment.comment, `Build 1 (${build.id})`)
  const text = await linesOf(path)
  t.match(text, new RegExp(`${sha('a')} is commit ${sha('a')}`))
  t.match(text, /No image is built: the image given is deployed/)
  t.match(text, /Deployment succeeded: 2 of 2 tasks run/)
  t.match(text, /2 of 2 tasks run; the deployment of .*web:3-ok, which is sha256:[0-9a-f]{64} is complete/)
  t.match(await json(`/apps/${shop.id}`),
    { status: 'idle', queue_length: 0, live_build: { id: build.id, number: 1, status: 'succeeded' } })

  const next = await run(app, shop.id, { commit: sha('b') })
  await next.taken?.ended
  t.match(await json(next.path), { status: 'succeeded', image: `${registry}/web:${sha('b')}` })

  const back = await post(`${path}/rollback`)
  t.equal(back.statusCode, 202)
  t.match(back.json(), { trigger: 'rollback', rollback_of: build.id, commit: sha('a'), number: 3 })
  await (await claimNext(app, shop.id))?.ended
  // By the digest that ran then: the tag may name another image by now.
  const image = /^123456789012\.dkr\.ecr\.eu-west-1\.amazonaws\.com\/web@sha256:[0-9a-f]{64}$/
  t.match(await json(`/apps/${shop.id}/builds/${back.json().id}`), { status: 'succeeded', image })
  t.match(await service(), { images: [{ image }] })
  await stop()
})

t.test('a rollback names the image by its digest where that is known', async (t) => {
  const shop = await makeApp(app, 'Digest')
  const first = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:9` })).json()
  const digest = `sha256:${'e'.repeat(64)}`
  await change(first.id,
    { status: 'succeeded', image: `${registry}/web:9`, image_digest: digest, finished_at: new Date() })
  const back = (await post(`/apps/${shop.id}/deploy`, { rollback_to: first.id })).json()
  const row = await app.db.selectFrom('deployment_build').select('requested_image').where('id', '=', back.id)
    .executeTakeFirstOrThrow()
  t.equal(row.requested_image, `${registry}/web@${digest}`)
  await post(`/apps/${shop.id}/builds/${back.id}/cancel`)
})

t.test('a build deploys only on the state of its target that it was approved on', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Held')
  const stateNow = async () => {
    const { task_definition: now, deployments } = await service()
    return {
      task_definition: now.arn,
      deployment_id: deployments.find(({ status }: Row) => status === 'PRIMARY').id,
      revision_id: null,
      after_build: null
    }
  }
  const expected = await stateNow()
  const first = await run(app, shop.id, { image: `${registry}/web:10`, expected })
  const behind = (await post(`/apps/${shop.id}/deploy`,
    { image: `${registry}/web:11`, expected: { ...expected, after_build: first.build.id } })).json()
  const rival = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:12`, expected })).json()
  const buildOf = (id: string) => json(`/apps/${shop.id}/builds/${id}`)
  await until(() => buildOf(rival.id), ({ finished_at: at }) => at !== null, 120_000)
  t.match(await json(first.path), { status: 'succeeded' })
  t.match(await buildOf(behind.id), { status: 'succeeded', image: `${registry}/web:11` }, 'it was shown what comes before')
  const ended = await buildOf(rival.id)
  t.match(ended, { status: 'superseded', status_reason: 'target_changed', deployment_id: null })
  t.match(ended.steps[1].error, /not as it was/)
  t.match(await service(), { images: [{ image: `${registry}/web:11` }] })
  await stop()
})

t.test('an image that crashes is rolled back, and that is no success', async (t) => {
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Crash')
  const { path, taken } = await run(app, shop.id, { commit: sha('c'), image: `${registry}/web:4-crash` })
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'failed', status_reason: 'deploy_rolled_back' })
  t.same(statuses(build), ['checkout succeeded', 'deploy failed', 'verify skipped'])
  t.match(build.steps[1].error, /rolled_back.*exit code 1/)
  t.match(await json(`/apps/${shop.id}`), { status: 'failed', live_build: null, latest_build: { id: build.id } })
  await stop()
})

t.test('cancel while it is being deployed brings the service back, and only then frees the app', async (t) => {
  const shop = await makeApp(app, 'Cancel')
  const before = (await service()).images[0].image
  const { path, taken } = await run(app, shop.id, { commit: sha('d'), image: `${registry}/web:5-slow` })
  const waiting = (await post(`/apps/${shop.id}/deploy`, { commit: sha('e') })).json()
  await until(() => json(path), ({ deployment_id }) => deployment_id !== null)
  const stop = keepRolling(t, app, 1_000)
  await until(service, ({ images }) => images[0].image === `${registry}/web:5-slow`)
  const asked = await post(`${path}/cancel`)
  t.same([asked.statusCode, asked.json().status], [202, 'cancelling'])
  runnerOf(app).reconcileSoon()
  t.equal((await post(`${path}/cancel`)).statusCode, 202, 'again = the same')
  t.equal(await claimNext(app, shop.id), undefined, 'still locked')
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'cancelled', status_reason: 'user_cancel' })
  t.same(statuses(build).slice(1), ['deploy cancelled', 'verify cancelled'])
  t.equal((await service()).images[0].image, before)
  await until(() => json(`/apps/${shop.id}/builds/${waiting.id}`), ({ status }) => status === 'succeeded', 60_000)
  t.equal((await service()).images[0].image, `${registry}/web:${sha('e')}`, 'the next one goes on')
  await stop()
})

t.test('a cancel that may not touch the service does not stop the deployment', async (t) => {
  const shop = await makeApp(app, 'Refused')
  const member = await makePerson(app, 'Max', 'member')
  const scopes = ['deployments:read', 'deployments:write', 'infrastructure:read']
  const narrow = actor(app, (await makeToken(app, member.headers, scopes)).headers)
  const { path, taken } = await run(app, shop.id, { image: `${registry}/web:6-ok` })
  await until(() => json(path), ({ deployment_id }) => deployment_id !== null)
  t.equal((await narrow.post(`${path}/cancel`)).statusCode, 202)
  runnerOf(app).reconcileSoon()
  await until(() => linesOf(path), (text) => text.includes('insufficient_scope'))
  const stop = keepRolling(t, app)
  await taken?.ended
  t.match(await json(path), { status: 'succeeded', status_reason: 'cancelled_too_late' })
  await stop()
})

t.test('the build acts as the one who asked: what they may not do, it may not', async (t) => {
  const shop = await makeApp(app, 'Rights')
  const member = await makePerson(app, 'Mia', 'member')
  const token = await makeToken(app, member.headers, ['deployments:write'])
  const narrow = await run(app, shop.id, {}, token.headers)
  await narrow.taken?.ended
  t.match(await json(narrow.path), { status: 'failed', status_reason: 'step_failed', actor: 'Mia' })
  t.match((await json(narrow.path)).steps[1].error, /insufficient_scope/)
  const all = ['deployments:write', 'infrastructure:write', 'infrastructure:read']
  const full = await makeToken(app, member.headers, all)
  const queued = (await actor(app, full.headers).post(`/apps/${shop.id}/deploy`)).json()
  await app.inject({ method: 'DELETE', url: `/account/tokens/${full.id}`, headers: member.headers })
  await (await claimNext(app, shop.id))?.ended
  const build = await json(`/apps/${shop.id}/builds/${queued.id}`)
  t.match(build, { status: 'failed' })
  t.match(build.steps[0].error, /revoked/, 'at the first step that asks anybody')
})

t.test('what AWS refuses fails the step, with AWS\'s words', async (t) => {
  await sandbox.deny('ecs:RegisterTaskDefinition')
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Denied')
  const { path, taken } = await run(app, shop.id, { image: `${registry}/web:7` })
  await taken?.ended
  const build = await json(path)
  t.match(build, { status: 'failed', status_reason: 'step_failed' })
  t.match(build.steps[1].error, /not authorized to perform: ecs:RegisterTaskDefinition/)
  await stop()
})

t.test('a step that takes too long ends the build, and the app is free', async (t) => {
  const shop = await makeApp(app, 'Slow')
  const queued = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:8` })).json()
  await change(queued.id, {
    steps: JSON.stringify(queued.steps.map((step: Row) => step.name === 'deploy' ? { ...step, timeout_s: 1 } : step))
  })
  await (await claimNext(app, shop.id))?.ended
  const build = await json(`/apps/${shop.id}/builds/${queued.id}`)
  t.match(build, { status: 'timed_out', status_reason: 'step_timeout' })
  t.match(build.steps[1], { status: 'failed', error: 'deploy took longer than 1 s' })

  const waits = await run(app, shop.id, { image: `${registry}/web:10` })
  await until(() => linesOf(waits.path), (text) => /Waits: deployment .* is in progress/.test(text))
  const stop = keepRolling(t, app)
  await waits.taken?.ended
  t.match(await json(waits.path), { status: 'succeeded' }, 'it waited for the deployment that was left')
  await stop()
})

t.test('handed over at a shutdown, a build goes on where it was, and deploys once', async (t) => {
  const { makeBuildRunner } = await import('../../../routes/deployments/lib/builds/build-runner.js')
  const first = makeBuildRunner(app)
  const shop = await makeApp(app, 'Handover')
  const queued = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:11` })).json()
  const path = `/apps/${shop.id}/builds/${queued.id}`
  const key = { workspace_id: app.home.workspace_id, app_id: shop.id }
  const taken = await first.claim(key)
  const held = await until(() => json(path), ({ deployment_id }) => deployment_id !== null)
  await first.stop()
  await taken?.ended
  t.match(await json(path), { status: 'running', deployment_id: held.deployment_id })
  const stop = keepRolling(t, app)
  await (await makeBuildRunner(app).claim(key))?.ended
  const build = await json(path)
  t.match(build, { status: 'succeeded', deployment_id: held.deployment_id })
  const comments = await app.db.selectFrom('service_deployment').select('id')
    .where('comment', '=', `Build 1 (${build.id})`).execute()
  t.equal(comments.length, 1)
  await stop()
})

t.test('I62: a lost answer of the deploy call is found again, not repeated', async (t) => {
  const shop = await makeApp(app, 'Lost answer')
  const queued = (await post(`/apps/${shop.id}/deploy`, { image: `${registry}/web:12` })).json()
  const sent = await app.inject({
    method: 'POST',
    url: '/infrastructure/containers/services/prod%2Fweb/deploy',
    headers: asAdmin,
    payload: { image: `${registry}/web:12`, comment: `Build 1 (${queued.id})` }
  })
  await app.db.insertInto('idempotency_key').values({
    workspace_id: app.home.workspace_id,
    principal: `${app.home.admin_id}:admin`,
    operation: `deployService /infrastructure/containers/services/${encodeURIComponent(shop.target.service_id)}/deploy`,
    key: queued.id,
    body_hash: (await import('../../../lib/http/requests.js')).bodyHash({
      image: `${registry}/web:12`,
      container: 'web',
      timeout_seconds: 1800,
      comment: `Build 1 (${queued.id})`,
      dry_run: false,
      force: false
    })
  }).execute()
  const stop = keepRolling(t, app)
  await (await claimNext(app, shop.id))?.ended
  t.match(await json(`/apps/${shop.id}/builds/${queued.id}`), { status: 'succeeded', deployment_id: sent.json().id })
  await stop()
})

t.test('ten builds run at once on one instance; the eleventh waits for room', async (t) => {
  const image = `${registry}/web:${sha('9')}`
  await sandbox.call('PUT', '/missing-images', [image])
  const runs = []
  for (let index = 1; index <= 11; index++) {
    const shop = await makeApp(app, `Room ${index}`, { builder: { kind: 'image' } })
    runs.push(await run(app, shop.id, { commit: sha('9') }))
  }
  t.same(runs.map(({ taken }) => taken !== undefined), [...Array<boolean>(10).fill(true), false])
  await sandbox.call('PUT', '/missing-images', [])
  for (const { path } of runs) await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  await Promise.all(runs.map(({ taken }) => taken?.ended))
})

t.test('a person who has used up the quota of the minute does not break the build that goes on', async (t) => {
  const small = await buildApp(t, { WORKER: 'false', LIMITS: '{"requests_per_minute":12}' })
  const shop = await makeApp(small, 'Quota')
  const { build, taken } = await run(small, shop.id, { image: `${registry}/web:9-ok` })
  const stop = keepRolling(t, small)
  const asked = await Promise.all(Array.from({ length: 20 }, () => actor(small).get(`/apps/${shop.id}`)))
  t.ok(asked.some(({ statusCode }) => statusCode === 429))
  await taken?.ended
  const row = await small.db.selectFrom('deployment_build').select(['status', 'status_reason'])
    .where('id', '=', build.id).executeTakeFirst()
  t.same(row, { status: 'succeeded', status_reason: null })
  await stop()
})

t.test('a build is deployed to a function, verified, and gone back from when it is cancelled', async (t) => {
  const target = { kind: 'lambda', function_id: 'pdf-render' }
  const shop = await makeApp(app, 'Renderer', { target, image: `${registry}/pdf-render:{sha}` })
  const stop = keepRolling(t, app)
  const stopTicking = keepAdvancing(t, () => sandbox.advance(1_000))
  const made = async () => (await app.inject({
    url: '/infrastructure/serverless/functions/pdf-render', headers: asAdmin
  })).json()
  const good = await run(app, shop.id, { commit: sha('a') })
  await good.taken?.ended
  const build = await json(good.path)
  t.match(build, {
    status: 'succeeded', status_reason: 'latest_only', image: `${registry}/pdf-render:${sha('a')}`, deployment_id: null
  })
  t.match(await linesOf(good.path), /Only \$LATEST has changed/)
  t.match(build.image_digest, /^sha256:/)
  t.match(await made(), { image: build.image, image_digest: build.image_digest })
  t.match(await linesOf(good.path), /takes .* over; before it was .*:latest/)

  const bad = await run(app, shop.id, { image: `${registry}/pdf-render:nopull` })
  await bad.taken?.ended
  t.match(await json(bad.path), { status: 'failed', status_reason: 'step_failed' })
  t.match(await linesOf(bad.path), /Lambda could not take .* over: Source image .* does not exist/)

  await post(`${good.path}/rollback`)
  await (await claimNext(app, shop.id))?.ended
  t.match((await made()).image, /pdf-render@sha256:/)
  await stopTicking()
  await stop()

  const back = (await made()).image
  const unwanted = await run(app, shop.id, { image: `${registry}/pdf-render:8` })
  await until(made, ({ image }) => image === `${registry}/pdf-render:8`)
  t.equal((await post(`${unwanted.path}/cancel`)).statusCode, 202)
  const stopAgain = keepAdvancing(t, () => sandbox.advance(1_000))
  await unwanted.taken?.ended
  t.match(await json(unwanted.path), { status: 'cancelled' })
  t.equal((await made()).image, back)
  await stopAgain()
})
