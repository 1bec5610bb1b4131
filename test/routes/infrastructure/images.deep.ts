import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { planOf } from '../../plan.js'
import { actor, builder, claimNext, makeApp, registry, run, sha, until } from '../deployments/actors.js'
import { steer } from './sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const deploy = (service: string, payload: object) => app.inject({
  method: 'POST', url: `/infrastructure/containers/services/${service}/deploy`, headers: asAdmin, payload
})
const notesOf = ({ preview }: Awaited<ReturnType<typeof planOf>>) =>
  preview.filter(({ label }) => label === 'Note').map(({ after }) => after).join('\n')

t.afterEach(async () => {
  await sandbox.call('PUT', '/missing-images', [])
  await sandbox.call('PUT', '/cache-prefixes', [])
  await sandbox.deny()
  await sandbox.clear()
})

const refused = (code: string, message: RegExp) => ({ code, message })
const missing = refused('image_not_found', /no tag 9-missing in it: it was never pushed, or was deleted/)

t.test('a deployment of an image that its registry does not have is refused while it is planned', async (t) => {
  const image = `${registry}/web:9-missing`
  await t.rejects(planOf(app, 'deployService', { service: 'web', image }), missing)
  t.match((await deploy('web', { image })).json(), { status: 422, code: 'image_not_found', image })
  await t.rejects(planOf(app, 'deployFunction', { name: 'pdf-render', image: `${registry}/pdf-render:9-missing` }), missing)
  const call = await app.inject({
    method: 'POST',
    url: '/infrastructure/serverless/functions/pdf-render/deploy',
    headers: asAdmin,
    payload: { image: `${registry}/pdf-render:9-missing` }
  })
  t.match([call.statusCode, call.json().code], [422, 'image_not_found'])
  t.same([await sandbox.calls('RegisterTaskDefinition'), await sandbox.calls('UpdateFunctionCode')], [0, 0])
  await t.rejects(planOf(app, 'deployService', { service: 'web', image: `${registry}/shop/cart:1` }),
    refused('image_not_found', /has no repository shop\/cart/))
})

t.test('a build of an image that its registry does not have is refused while it is planned, and fails for that', async (t) => {
  const { id } = await makeApp(app, 'Unbuilt', { image: `${registry}/web:{sha}` })
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:${sha('a')}`])
  await t.rejects(planOf(app, 'deployApp', { app_id: id, commit: sha('a') }), refused('image_not_found', /no tag/))
  const { path } = await run(app, String(id), { commit: sha('a') })
  const ended = await until(() => actor(app).json(path), ({ status }) => status !== 'queued' && status !== 'running')
  t.match([ended.status, ended.steps[1].error], ['failed', /^image_not_found: .* has repository web, and no tag/])
})

t.test('a build that a push has begun waits for its image', async (t) => {
  const { id } = await makeApp(app, 'Pushed first', { image: `${registry}/web:{sha}` })
  await sandbox.call('PUT', '/missing-images', [`${registry}/web:${sha('c')}`])
  const build = await builder(app).start(String(id), { commit: sha('c') })
  await builder(app).change(build.id, { trigger: 'push' })
  await claimNext(app, String(id))
  const path = `/apps/${id}/builds/${build.id}`
  const log = () => actor(app).get(`${path}/logs`)
  t.match((await until(log, ({ payload }) => payload.includes('Waits for'))).payload, /Waits for the image: .*no tag/)
  t.equal((await actor(app).json(path)).status, 'running')
  await sandbox.call('PUT', '/missing-images', [])
  t.match(await until(() => actor(app).json(path), ({ deployment_id: began }) => began !== null), { status: 'running' })
})

t.test('a rollback to a build whose image was deleted says so', async (t) => {
  const { id } = await makeApp(app, 'Went back')
  const build = await builder(app).start(String(id), { commit: sha('d') })
  const image = `${registry}/web@sha256:${'4'.repeat(64)}`
  await builder(app).change(build.id, {
    status: 'succeeded', image: `${registry}/web:${sha('d')}`, image_digest: `sha256:${'4'.repeat(64)}`, finished_at: new Date()
  })
  await sandbox.call('PUT', '/missing-images', [image])
  await t.rejects(planOf(app, 'rollbackBuild', { app_id: id, build_id: build.id }),
    refused('image_not_found', /^Build 1 cannot run again, its image was deleted: .*no digest sha256:4{64}/))
})

t.test('a restart and a rollback to a revision whose image was deleted are refused', async (t) => {
  await sandbox.call('PUT', '/missing-images', [`${registry}/search:0.8.3`, `${registry}/api:1.9.2`])
  await t.rejects(planOf(app, 'deployService', { service: 'api', task_definition: 'api:1' }),
    refused('image_not_found', /api:1\.9\.2 cannot run/))
  await t.rejects(planOf(app, 'deployService', { service: 'search', force_new_deployment: true }),
    refused('image_not_found', /search:0\.8\.3 cannot be started again/))
})

t.test('what no registry could be asked of is said on the card, with the reason', async (t) => {
  const dockerHub = await planOf(app, 'deployService', { service: 'search', image: 'docker.io/library/nginx:1.29' })
  t.match(notesOf(dockerHub), /Whether docker\.io\/library\/nginx:1\.29 exists was not checked: only registries of ECR/)
  const foreign = '999999999999.dkr.ecr.eu-west-1.amazonaws.com/web:1'
  t.match(notesOf(await planOf(app, 'deployService', { service: 'search', image: foreign })), /not checked: this account may not ask/)
  await sandbox.deny('ecr:DescribeImages')
  t.match(notesOf(await planOf(app, 'deployService', { service: 'search', image: `${registry}/search:2.5.0` })),
    /not checked: this account may not ask its registry \(ecr:DescribeImages\)/)
  t.match(notesOf(await planOf(app, 'deployFunction', { name: 'pdf-render', image: `${registry}/pdf-render:2` })),
    /not checked: this account may not ask its registry/)
  await sandbox.deny()
  await sandbox.fault({ kind: 'html_503', service: 'ecr', times: 0 })
  t.match(notesOf(await planOf(app, 'deployService', { service: 'search', image: `${registry}/search:2.5.0` })),
    /not checked: its registry did not say \(aws_\w+\)/)
})

t.test('what a registry fetches as it is pulled is not called missing', async (t) => {
  const image = `${registry}/public/nginx:1.29`
  await t.rejects(planOf(app, 'deployService', { service: 'search', image }), { code: 'image_not_found' })
  await sandbox.call('PUT', '/cache-prefixes', ['public'])
  t.match(notesOf(await planOf(app, 'deployService', { service: 'search', image })), /fetches it from another one/)
  await sandbox.deny('ecr:DescribePullThroughCacheRules')
  t.match(notesOf(await planOf(app, 'deployService', { service: 'search', image })), /cannot be read \(ecr:DescribePullThrough/)
})

t.test('an image that is there is deployed without a word of it', async (t) => {
  const plan = await planOf(app, 'deployService', { service: 'search', image: `${registry}/search:2.5.0` })
  t.equal(notesOf(plan), '')
  const dry = (await deploy('search', { image: `${registry}/search:2.5.0`, dry_run: true })).json()
  t.match(dry.registry, [{ image: `${registry}/search:2.5.0`, state: 'found', digest: /^sha256:/, why: null }])
})

t.test('a commit that nobody could look up is not shown as if the code host had it', async (t) => {
  const { id } = await makeApp(app, 'Elsewhere', { source: { repo: 'larkspur/web', default_branch: 'main', path: '' } })
  await t.rejects(planOf(app, 'deployApp', { app_id: id, image: `${registry}/web:5`, commit: 'e'.repeat(40) }),
    { code: 'codehost_not_found' })
  const known = await planOf(app, 'deployApp', { app_id: id, image: `${registry}/web:5`, commit: sha('b') })
  t.match(known.preview.find(({ label }) => label === 'Commit'), { after: sha('b') })
})
