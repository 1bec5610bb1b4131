import t from '../../../tap.js'
import { workDue } from '../../../../lib/durable/due-jobs.js'
import { triggerKind } from '../../../../routes/agent/lib/triggers/fire-trigger.js'
import { asAdmin } from '../../../app.js'
import { bind, makePerson, makeToken } from '../../account/actors.js'
import { until } from '../../../chat.js'
import { actor, makeApp, registry } from '../../deployments/actors.js'
import { steer } from '../../infrastructure/sandbox.js'
import { call, firingsOf, makeDue, makeTrigger, say, scriptedQuestion, send, settled, startWorld } from './world.js'

const world = await startWorld(t)
const { app } = world
const sandbox = steer(app)
const dayMs = 86_400_000

/** @returns what the run was begun with, as the model reads it */
const askedOf = async (run: string): Promise<string> => {
  const { content } = await app.db.selectFrom('agent_message').select('content')
    .where('workspace_id', '=', app.home.workspace_id).where('run_id', '=', run).where('seq', '=', 1)
    .executeTakeFirstOrThrow()
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}

const deploy = async (id: string) => {
  const { post, json } = actor(app)
  const build = (await post(`/apps/${id}/deploy`, { image: `${registry}/web:7` })).json()
  return until(async () => {
    const now = await json(`/apps/${id}/builds/${build.id}`)
    return now.finished_at !== null && now
  })
}

t.test('a build that fails begins one run of each trigger that waits for it, which reads the build', async (t) => {
  const [shop, other] = [await makeApp(app, 'Shop'), await makeApp(app, 'Other')]
  const question = scriptedQuestion(world, [call(['getApp', { app_id: shop.id }]), say('The image was refused.')])
  const made = await makeTrigger(app, { kind: 'build_failed', app_id: shop.id, question })
  const each = await makeTrigger(app, { kind: 'build_failed', question: scriptedQuestion(world, [say('Seen.')]) })
  const foreign = await makeTrigger(app, { kind: 'build_failed', app_id: other.id })
  const off = await makeTrigger(app, { kind: 'build_failed' })
  await send(app, 'PATCH', `/triggers/${off.id}`, { enabled: false })
  // One whose owner sees another project, and one whose token sees no apps.
  const eve = await makePerson(app, 'Eve', 'none')
  const elsewhere = (await app.inject({
    method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Elsewhere' }
  })).json()
  await bind(app, 'operator', { kind: 'user', id: eve.id }, { kind: 'project', id: elsewhere.id })
  const blind = [
    await makeTrigger(app, { kind: 'build_failed' }, eve.headers),
    await makeTrigger(app, { kind: 'build_failed' },
      (await makeToken(app, asAdmin, ['agent:read', 'agent:write'])).headers)
  ]
  t.match((await send(app, 'POST', '/triggers',
    { kind: 'build_failed', name: 'Watch', question: 'Why?', app_id: shop.id }, eve.headers)).json(),
  { status: 422, code: 'trigger_invalid', errors: [{ pointer: '/app_id' }] })
  await sandbox.deny('ecs:RegisterTaskDefinition')
  const build = await deploy(shop.id)
  t.match(build, { status: 'failed', status_reason: 'step_failed', number: 1 })
  const [fired, ...more] = await until(async () => {
    const firings = await settled(app, made.id)
    return firings.length > 0 && firings
  })
  t.match(fired, { title: 'Build 1 failed', status: 'started', run_status: 'completed' })
  t.match(await settled(app, each.id), [{ title: 'Build 1 failed', status: 'started', run_status: 'completed' }])
  for (const { id } of blind) {
    t.same(await app.db.selectFrom('agent_trigger_firing').select('id').where('trigger_id', '=', id).execute(), [],
      'who may not see the app learns nothing of its builds')
  }
  t.same([more, await firingsOf(app, foreign.id), await firingsOf(app, off.id)], [[], [], []])
  t.match(await askedOf(String(fired?.run_id)), new RegExp(`"build_id": "${build.id}"`), 'the model is shown which')
  t.match((await send(app, 'GET', `/reports/${fired?.report_id}`)).json(), { title: 'Build 1 failed' })
})

t.test('anomalies that AWS does not answer begin nothing, and are read again within the hour', async (t) => {
  const made = await makeTrigger(app, { kind: 'cost_anomaly', cron: '0 0 1 1 *' })
  await sandbox.deny('ce:GetAnomalies')
  await makeDue(app, made.id)
  const before = await sandbox.calls('GetAnomalies')
  await workDue(app, triggerKind, { workspace_id: app.home.workspace_id, id: made.id })
  await sandbox.deny()
  t.ok(await sandbox.calls('GetAnomalies') > before)
  t.same(await firingsOf(app, made.id), [])
  const { next_at: next } = (await send(app, 'GET', `/triggers/${made.id}`)).json()
  t.equal(Math.round((Date.parse(next) - Date.now()) / 3_600_000), 1)
  await send(app, 'DELETE', `/triggers/${made.id}`)
})

t.test('unusual spending that is large enough begins one run, however often costs are looked at', async (t) => {
  // The sandbox's anomaly ended 16 days before its own day.
  await sandbox.call('POST', '/clock', { advance_ms: 14 * dayMs })
  const question = scriptedQuestion(world, [say('The traffic of one gateway grew.')])
  const made = await makeTrigger(app, { kind: 'cost_anomaly', min_impact_usd: 165, question })
  const large = await makeTrigger(app, { kind: 'cost_anomaly', min_impact_usd: 166 })
  for (let day = 0; day < 2; day++) {
    for (const { id } of [made, large]) {
      await makeDue(app, id)
      await workDue(app, triggerKind, { workspace_id: app.home.workspace_id, id })
    }
    t.match(await settled(app, made.id), [
      { title: 'Cost anomaly: EC2 - Other, 165.48 USD', status: 'started', run_status: 'completed' }
    ])
  }
  t.same(await firingsOf(app, large.id), [])
})
