import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, makeEnvironment, type App } from '../app.js'
import { actor, approve, makeContent, makeOpenProject, secret } from '../routes/content/actors.js'
import { startReceiver } from '../routes/content/receiver.js'
import { steer } from '../routes/infrastructure/sandbox.js'

const receiver = await startReceiver(t)
const environment = await makeEnvironment(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]
const keys = { access_key_id: 'AKIATESTTESTTEST0001', secret_access_key: 'a-very-secret-key' }
const auth = { type: 'access_keys', ...keys }

const withKey = async (SECRET_KEY: string, use: (app: App) => Promise<void>) => {
  const app = await build(readConfig({ ...environment, SECRET_KEY }))
  try {
    // Each application starts a sandbox of its own.
    await steer(app).call('PUT', '/credentials', { ...keys, account_id: '123456789012' })
    await use(app)
  } finally {
    await app.close()
  }
}

const command = async (SECRET_KEY: string, ...names: string[]) => {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'server.js'), ...names],
    { env: { PATH: process.env.PATH, ...environment, SECRET_KEY }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => { child.once('exit', resolve) })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, out, err }
}

let project = ''
let account = ''
let content = ''
const publish = async (app: App) => {
  const answer = await actor(app).post(`/${content}/publish`, { republish: true })
  const [row] = answer.json().items ?? []
  if (!row) return answer.json()
  const data = { workspace_id: app.home.workspace_id, publication_id: row.id }
  await app.jobs.enqueue(app.db, 'content.publication', data)
  await app.jobs.drain()
  return (await actor(app).json(`/${content}/publications`)).items[0]
}
const clusters = (app: App) =>
  app.inject({ url: `/infrastructure/containers/clusters?account_id=${account}`, headers: asAdmin })
const target = async (app: App) => (await actor(app).json(`/brands/${project}`)).publish_targets[0]

t.test('F48: keys of cloud accounts and secrets of publish targets outlive the key that encrypted them', async (t) => {
  await withKey(first, async (app) => {
    const made = await app.inject({
      method: 'POST', url: '/cloud/accounts', headers: asAdmin, payload: { name: 'Keys', regions: ['eu-west-1'], auth }
    })
    account = made.json().id
    const hook = { kind: 'webhook', name: 'Site', secret, config: { url: `${receiver.url}/site` } }
    project = await makeOpenProject(app, 'Site', { publish_targets: [hook] })
    content = (await makeContent(app, project)).id
    await approve(app, content)
    t.equal((await clusters(app)).statusCode, 200)
  })
  await withKey(`${second},${first}`, async () => undefined)
  await withKey(second, async (app) => {
    t.equal((await clusters(app)).statusCode, 200)
    t.match(await publish(app), { state: 'succeeded' })
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    t.ok(new Webhook(secret).verify(body, headers as Record<string, string>))
  })
})

t.test('without the key nothing starts; what it encrypted can be given up, and entered again', async (t) => {
  const all = 'connections to the code host (1), cloud accounts (1), publish targets (1)'
  const refused = await command(third)
  const advice = 'add it after a comma, or give them up: node dist/server.js forget-secrets'
  t.same([refused.code, refused.err],
    [1, `steward: SECRET_KEY: the key is missing that encrypted ${all}; ${advice}\n`])
  t.same(await command(third, 'forget-secrets'), { code: 0, out: `forgotten: ${all}\n`, err: '' })
  t.same(await command(third, 'forget-secrets'), { code: 0, out: 'forgotten: nothing\n', err: '' })
  await withKey(third, async (app) => {
    t.match((await clusters(app)).json(), { code: 'cloud_account_unusable' })
    t.match(await target(app), { secret_set: false, disabled_reason: 'secret_lost' })
    const before = receiver.received.length
    t.match(await publish(app), { code: 'no_target' })
    t.equal(receiver.received.length, before, 'nothing is sent unsigned')

    const url = `/cloud/accounts/${account}`
    const lost = await app.inject({ url, headers: asAdmin })
    t.match(lost.json(), { status: 'unverified', auth: { type: 'access_keys', has_secret: false } })
    const entered = await app.inject({ method: 'PATCH', url, headers: asAdmin, payload: { auth } })
    t.equal(entered.statusCode, 200)
    t.equal((await clusters(app)).statusCode, 200)
    const brand = await actor(app).json(`/brands/${project}`)
    Object.assign(brand.publish_targets[0], { secret, disabled_reason: null })
    t.equal((await actor(app).put(`/brands/${project}`, brand)).statusCode, 200)
    t.match(await publish(app), { state: 'succeeded' })
  })
})
