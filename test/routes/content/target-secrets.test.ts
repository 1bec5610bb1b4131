import { Webhook } from 'standardwebhooks'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, secret } from './actors.js'
import { startReceiver } from './receiver.js'

const receiver = await startReceiver(t)
const app = await buildApp(t, { WORKER: 'false', SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
const { post, put, json } = actor(app)
const another = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const password = 'abcd efgh ijkl mnop qrst uvwx'

const targets = {
  webhook: { kind: 'webhook', name: 'Site', secret, config: { url: receiver.url } },
  wordpress: { kind: 'wordpress', name: 'Blog', secret: password, config: { url: receiver.url, username: 'ada' } },
  ghost: {
    kind: 'ghost', name: 'News', secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`, config: { url: receiver.url }
  }
}

t.test('F48: a stored secret does not follow a changed url or username: it is asked again', async (t) => {
  const elsewhere = `${receiver.url}/elsewhere`
  const changes: [keyof typeof targets, object][] = [
    ['webhook', { url: elsewhere }], ['wordpress', { url: elsewhere }], ['wordpress', { username: 'eve' }],
    ['ghost', { url: elsewhere }]
  ]
  for (const [kind, change] of changes) {
    const name = `${kind} ${Object.keys(change)[0]}`
    const project = await makeOpenProject(app, name, { publish_targets: [targets[kind]] })
    const before = await json(`/brands/${project}`)
    const [target] = before.publish_targets
    const moved = { ...target, config: { ...target.config, ...change } }
    for (const sent of [moved, { ...moved, secret: null }, { ...moved, secret_set: true, enabled: false }]) {
      const answer = await put(`/brands/${project}`, { ...before, publish_targets: [sent] })
      t.match([answer.statusCode, answer.json()],
        [400, { code: 'invalid_request', errors: [{ pointer: '/publish_targets/0/secret', code: 'required' }] }])
    }
    t.same(await json(`/brands/${project}`), before, 'nothing was written')
    const renamed = { ...before, publish_targets: [{ ...target, name: 'Renamed' }] }
    t.equal((await put(`/brands/${project}`, renamed)).statusCode, 200, 'anything else may change without it')
    const given = { ...before, revision: undefined, version: undefined, updated_at: undefined }
    const again = await put(`/brands/${project}`,
      { ...given, publish_targets: [{ ...moved, secret: targets[kind].secret }] })
    t.match([again.statusCode, again.json()],
      [200, { publish_targets: [{ config: moved.config, secret_set: true }] }], `${kind} with its secret`)
  }
})

t.test('F48: a secret that is replaced with the url signs nothing for the new receiver', async (t) => {
  const project = await makeOpenProject(app, 'Moved', { publish_targets: [targets.webhook] })
  const before = await json(`/brands/${project}`)
  const [target] = before.publish_targets
  const moved = { ...target, secret: another, config: { url: `${receiver.url}/moved` } }
  t.equal((await put(`/brands/${project}`, { ...before, publish_targets: [moved] })).statusCode, 200)
  const { id } = await makeContent(app, project, { title: 'Moved' })
  await approve(app, id)
  await post(`/${id}/publish`)
  const { items: [{ id: publication_id }] } = await json(`/${id}/publications`)
  await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
  await app.jobs.drain()
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received.filter(({ path }) => path === '/moved')
  const signed = headers as Record<string, string>
  t.ok(new Webhook(another).verify(body, signed))
  t.throws(() => new Webhook(secret).verify(body, signed))
})
