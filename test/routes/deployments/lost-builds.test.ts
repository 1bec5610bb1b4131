import t from 'tap'
import { handOver } from '../../../db/deployments/leases.js'
import { writeBuild } from '../../../db/deployments/progress.js'
import { BuildState } from '../../../routes/deployments/lib/build-state.js'
import { reapLost } from '../../../routes/deployments/lib/reap.js'
import { withStep } from '../../../routes/deployments/lib/steps.js'
import { stepNames } from '../../../schemas/deployments/builds.js'
import { buildApp } from '../../app.js'
import { actor, builder, makeApp, sha, type Row } from './actors.js'

// No worker: each test takes and moves the rows itself, as a worker here or elsewhere would.
const app = await buildApp(t, { WORKER: 'false' })
const { json } = actor(app)
const workspace_id = app.home.workspace_id
const { rowOf, change, claim, start } = builder(app)

t.test('a late worker writes nothing: its epoch is over', async (t) => {
  const fenced = await makeApp(app, 'Fenced')
  const build = await start(fenced.id)
  const old = await claim(fenced.id)
  await handOver(app.db, old as NonNullable<typeof old>)
  const next = await claim(fenced.id, '01900000-0000-4000-8000-000000000002')
  t.equal(next?.id, build.id)
  t.ok(Number(next?.lease_epoch) > Number(old?.lease_epoch))
  const before = await rowOf(build.id)
  const late = await writeBuild(app.db, old as NonNullable<typeof old>, { status: 'succeeded', image: 'late:1' },
    [{ event: 'log', data: { step: 'deploy', stream: 'system', text: 'late' } }], { ends: true })
  t.equal(late, undefined)
  t.same(await rowOf(build.id), before)
  t.same((await json(`/apps/${fenced.id}/builds/${build.id}/logs`)).items, [])
  t.ok(await writeBuild(app.db, next as NonNullable<typeof next>, { image: 'mine:1' }, []))
})

t.test('a lost worker: its build fails and the next one starts', async (t) => {
  const lost = await makeApp(app, 'Lost')
  const [first, second] = [await start(lost.id, { commit: sha('1') }), await start(lost.id, { commit: sha('2') })]
  const held = await claim(lost.id)
  const state = new BuildState(app, held as NonNullable<typeof held>)
  const steps = state.row.steps.map((step, index) => index === 0 ? { ...step, status: 'running' as const } : step)
  await state.writeStep(steps, 'checkout')
  t.same(await reapLost(app), [], 'a lease that holds is left alone')
  await change(first.id, { lease_until: new Date(Date.now() - 1_000) })
  t.same(await reapLost(app), [{ workspace_id, app_id: lost.id }])
  t.match(await json(`/apps/${lost.id}/builds/${first.id}`), {
    status: 'failed',
    status_reason: 'worker_lost',
    steps: [{ status: 'failed', error: /stopped answering/ }, ...Array(4).fill({ status: 'skipped' })]
  })
  t.equal((await claim(lost.id))?.id, second.id)
  await t.rejects(state.write({ image: 'late:1' }), { name: 'LostLease' })
  t.match(await json(`/apps/${lost.id}/builds/${first.id}`), { image: null })
})

for (const [index, name] of stepNames.entries()) {
  t.test(`a worker that dies in the step ${name} leaves a build that says so`, async (t) => {
    const lost = await makeApp(app, `Lost in ${name}`)
    const build = await start(lost.id, { commit: sha('1') })
    const held = await claim(lost.id)
    const state = new BuildState(app, held as NonNullable<typeof held>)
    const done = state.row.steps.map((step, at) => at < index ? { ...step, status: 'succeeded' as const } : step)
    await state.writeStep(withStep(done, name, { status: 'running', started_at: new Date() }), name)
    await change(build.id, { lease_until: new Date(Date.now() - 1_000) })
    t.equal((await reapLost(app)).length, 1)
    const ended = await json(`/apps/${lost.id}/builds/${build.id}`)
    t.match(ended, { status: 'failed', status_reason: 'worker_lost' })
    t.same(ended.steps.map((step: Row) => step.status),
      stepNames.map((_, at) => at < index ? 'succeeded' : at === index ? 'failed' : 'skipped'))
    t.equal((await json(`/apps/${lost.id}`)).queue_length, 0)
    await t.rejects(state.log(name, 'late'), { name: 'LostLease' })
  })
}
