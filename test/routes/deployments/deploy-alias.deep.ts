import { Lambda } from '@aws-sdk/client-lambda'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { aws } from '../../consent/infrastructure.js'
import { planOf } from '../../plan.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, claimNext, makeApp, registry, run, runnerOf, sha, until } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const { json, post } = actor(app)
/** Another actor, who is no client of ours. */
const lambda = new Lambda(aws(app))
const name = 'pdf-render'
const image = (tag: string) => `${registry}/${name}:${tag}`
const target = { kind: 'lambda', function_id: name, alias: 'live' }
const textOf = async (path: string): Promise<string> =>
  (await json(`${path}/logs?limit=1000`)).items.map(({ text }: { text: string }) => text).join('\n')
const aliasNow = () => lambda.getAlias({ FunctionName: name, Name: 'live' })
const shop = await makeApp(app, 'By alias', { target, image: image('{sha}') })

const deploy = async (digit: string) => {
  const { path, taken, build } = await run(app, shop.id, { commit: sha(digit), image: image(`${digit}-ok`) })
  await taken?.ended
  return { path, build, ended: await json(path) }
}

t.test('a deployment publishes a version, moves the alias to it, and says where it was', async (t) => {
  const before = await aliasNow()
  const { preview, facts } = await planOf(app, 'deployApp', { app_id: shop.id, image: image('1-ok') })
  t.match(preview.find(({ label }) => label === 'Alias live'),
    { before: `version ${before.FunctionVersion}`, after: 'a new version, published with this image' })
  t.match(facts, { alias_revision_id: before.RevisionId })
  const { path, ended } = await deploy('1')
  const after = await aliasNow()
  t.not(after.FunctionVersion, before.FunctionVersion)
  t.match(ended, {
    status: 'succeeded', status_reason: null, published: { function_id: shop.target.function_id, version: after.FunctionVersion }
  })
  t.match(await textOf(path),
    `Alias live leads to version ${after.FunctionVersion}; before it was version ${before.FunctionVersion}`)
  t.same((await json(`/apps/${shop.id}/builds?limit=1`)).items, [ended], 'the list says the same')
  const serves = await lambda.getFunction({ FunctionName: name, Qualifier: 'live' })
  t.equal(serves.Code?.ImageUri, image('1-ok'), 'whoever calls the alias gets the image')
})

t.test('a rollback moves the alias back to the version that the earlier build has published', async (t) => {
  const first = await deploy('2')
  const { FunctionVersion: there } = await aliasNow()
  await deploy('3')
  t.not((await aliasNow()).FunctionVersion, there)
  const updates = await sandbox.calls('UpdateFunctionCode')
  const { preview } = await planOf(app, 'rollbackBuild', { app_id: shop.id, build_id: first.build.id })
  t.match(preview.find(({ label }) => label === 'Alias live'), { after: `version ${there}` })
  const back = await post(`${first.path}/rollback`)
  t.equal(back.statusCode, 202)
  await (await claimNext(app, shop.id))?.ended
  t.match(await json(`/apps/${shop.id}/builds/${back.json().id}`), { status: 'succeeded', published: { version: there } })
  t.equal((await aliasNow()).FunctionVersion, there)
  t.equal(await sandbox.calls('UpdateFunctionCode'), updates, 'no code is sent for it')
})

t.test('where somebody else has moved the alias since the approval, nothing is published, and the alias stays', async (t) => {
  const { facts } = await planOf(app, 'deployApp', { app_id: shop.id, image: image('4-ok') })
  const { Version: hotfix } = await lambda.publishVersion({ FunctionName: name, Description: 'a hotfix' })
  await lambda.updateAlias({ FunctionName: name, Name: 'live', FunctionVersion: hotfix, Description: 'by hand' })
  const [published, moved] = [await sandbox.calls('PublishVersion'), await sandbox.calls('UpdateAlias')]
  const { path, taken } = await run(app, shop.id, { commit: sha('4'), image: image('4-ok'), expected: facts })
  await taken?.ended
  t.match(await json(path), { status: 'superseded' })
  t.same([await sandbox.calls('PublishVersion'), await sandbox.calls('UpdateAlias')], [published, moved])
  t.match(await aliasNow(), { FunctionVersion: hotfix, Description: 'by hand' })
})

t.test('an alias that divides its calls is shown, and a deployment waits for a word about it', async (t) => {
  const { FunctionVersion: version } = await aliasNow()
  const { Versions = [] } = await lambda.listVersionsByFunction({ FunctionName: name })
  const other = Versions.find(({ Version }) => Version !== '$LATEST' && Version !== version)?.Version ?? ''
  await lambda.updateAlias({
    FunctionName: name, Name: 'live', FunctionVersion: version, RoutingConfig: { AdditionalVersionWeights: { [other]: 0.1 } }
  })
  const refused = planOf(app, 'deployApp', { app_id: shop.id, image: image('5-ok') })
  await t.rejects(refused, { code: 'alias_divided', message: new RegExp(`version ${version} \\(90 %\\), version ${other} \\(10 %\\)`) })
  const move = (payload: object) => app.inject({
    method: 'POST', url: `/infrastructure/serverless/functions/${name}/aliases/live/move`, headers: asAdmin, payload
  })
  t.match((await move({})).json(), { code: 'alias_divided', versions: [{ version, share: 0.9 }, { version: other, share: 0.1 }] })
  t.match((await move({ version })).json(), { alias: 'live', version, previous_versions: [{ version }, { version: other }] })
  t.same((await aliasNow()).RoutingConfig?.AdditionalVersionWeights ?? {}, {})
  t.equal((await deploy('5')).ended.status, 'succeeded')
})

t.test('an alias that is not there is refused when the app is made', async (t) => {
  const made = await post('/apps', {
    name: 'No alias', source: { repo: 'larkspur/web' }, target: { ...target, alias: 'stable' }, image: image('{sha}')
  })
  t.match([made.statusCode, made.json()], [422, { code: 'target_not_found', errors: [{ pointer: '/target/alias' }] }])
})

/** Cancels a deployment while Lambda carries out one of its calls, which takes three seconds. */
const cancelDuring = async (operation: string, digit: string) => {
  await sandbox.fault({ kind: 'slow', operation, delay_ms: 3_000 })
  const calls = await sandbox.calls(operation)
  const { path, taken } = await run(app, shop.id, { commit: sha(digit), image: image(`${digit}-ok`) })
  await until(() => sandbox.calls(operation), (now) => now > calls)
  t.equal((await post(`${path}/cancel`)).statusCode, 202)
  runnerOf(app).reconcileSoon()
  await taken?.ended
  return json(path)
}
const stepOf = (build: { steps: { name: string }[] }, step: string) => build.steps.find((one) => one.name === step)

t.test('a cancel while the alias moves moves it back to where it was', async (t) => {
  const { FunctionVersion: before } = await aliasNow()
  const build = await cancelDuring('UpdateAlias', '6')
  t.match(build, { status: 'cancelled', status_reason: 'user_cancel', published: null })
  t.match(stepOf(build, 'deploy'), { status: 'cancelled', error: `Alias live is back at version ${before}; $LATEST keeps the image` })
  t.equal((await aliasNow()).FunctionVersion, before)
})

t.test('a cancel before the alias moves leaves it, and says what $LATEST has', async (t) => {
  const { FunctionVersion: before } = await aliasNow()
  const [published, moved] = [await sandbox.calls('PublishVersion'), await sandbox.calls('UpdateAlias')]
  const build = await cancelDuring('UpdateFunctionCode', '7')
  t.match(build, { status: 'cancelled', status_reason: 'user_cancel' })
  t.match(stepOf(build, 'deploy'), { status: 'cancelled' })
  t.same([await sandbox.calls('PublishVersion'), await sandbox.calls('UpdateAlias')], [published, moved])
  t.equal((await aliasNow()).FunctionVersion, before)
})

t.test('another worker goes on where the first one had moved the alias and got no answer', async (t) => {
  await sandbox.fault({ kind: 'drop', operation: 'UpdateAlias', executed: true })
  const [published, moved] = [await sandbox.calls('PublishVersion'), await sandbox.calls('UpdateAlias')]
  const { ended, path } = await deploy('8')
  t.match(ended, { status: 'succeeded' })
  t.equal(ended.published.version, (await aliasNow()).FunctionVersion)
  t.same([await sandbox.calls('PublishVersion') - published, await sandbox.calls('UpdateAlias') - moved], [1, 1], await textOf(path))
})

t.test('the tool says of an alias that is not there before anybody is asked', async (t) => {
  const args = { name: 'Planned', source: { repo: 'larkspur/web' }, target: { ...target, alias: 'stable' }, image: image('{sha}') }
  await t.rejects(planOf(app, 'createApp', args), { code: 'target_not_found', message: /stable is no alias of the function; it has live/ })
})
