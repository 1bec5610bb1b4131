import t from '../../tap.js'
import { buildLeases } from '../../../db/deployments/leases.js'
import { writeIn } from '../../../db/deployments/progress.js'
import { LostTooOften } from '../../../lib/durable/kind.js'
import { BuildState } from '../../../routes/deployments/lib/builds/build-state.js'
import { failBuild } from '../../../routes/deployments/lib/builds/run-build.js'
import { withStep } from '../../../routes/deployments/lib/builds/start-build.js'
import { workspace } from '../../app.js'
import { actor, builder, makeApp, sha, type Row } from './actors.js'

// No worker: each test takes and moves the rows itself, as a worker here or elsewhere would.
const app = await workspace(t, { WORKER: 'false' })
const { json } = actor(app)
const { rowOf, change, claim, start } = builder(app)

/** What a runner does with a build whose lease has lapsed. @returns whether there was one */
const giveUp = async (appId: string): Promise<boolean> => {
  const row = await claim(appId, '01900000-0000-4000-8000-000000000002')
  if (!row || row.attempts === 0) return false
  await failBuild(app, new BuildState(app, row), new LostTooOften())
  return true
}

t.test('a late worker writes nothing: its epoch is over', async (t) => {
  const fenced = await makeApp(app, 'Fenced')
  const build = await start(fenced.id)
  const old = await claim(fenced.id)
  await buildLeases.releaseLease(app.db, old as NonNullable<typeof old>)
  const next = await claim(fenced.id, '01900000-0000-4000-8000-000000000002')
  t.equal(next?.id, build.id)
  t.ok(Number(next?.lease_epoch) > Number(old?.lease_epoch))
  const before = await rowOf(build.id)
  const late = await writeIn(app.db, old as NonNullable<typeof old>, { status: 'succeeded', image: 'late:1' },
    [{ event: 'log', data: { step: 'deploy', stream: 'system', text: 'late' } }], { ends: true })
  t.equal(late, undefined)
  t.same(await rowOf(build.id), before)
  t.same((await json(`/apps/${fenced.id}/builds/${build.id}/logs`)).items, [])
  t.ok(await writeIn(app.db, next as NonNullable<typeof next>, { image: 'mine:1' }, []))
})

t.test('a lost worker: its build fails and the next one starts', async (t) => {
  const lost = await makeApp(app, 'Lost')
  const [first, second] = [await start(lost.id, { commit: sha('1') }), await start(lost.id, { commit: sha('2') })]
  const held = await claim(lost.id)
  const state = new BuildState(app, held as NonNullable<typeof held>)
  const steps = state.row.steps.map((step, index) => index === 0 ? { ...step, status: 'running' as const } : step)
  await state.writeStep(steps, 'checkout')
  t.notOk(await giveUp(lost.id), 'a lease that holds is left alone')
  await change(first.id, { lease_until: new Date(Date.now() - 1_000) })
  t.ok(await giveUp(lost.id))
  t.match(await json(`/apps/${lost.id}/builds/${first.id}`), {
    status: 'failed',
    status_reason: 'worker_lost',
    steps: [{ status: 'failed', error: /stopped answering/ }, ...Array(2).fill({ status: 'skipped' })]
  })
  t.equal((await claim(lost.id))?.id, second.id)
  const ended = await json(`/apps/${lost.id}/builds/${first.id}`)
  await t.rejects(state.write({ image: 'late:1' }), { name: 'LostLease' })
  t.same(await json(`/apps/${lost.id}/builds/${first.id}`), ended)
})

const stepNames = ['checkout', 'build', 'deploy', 'verify'] as const

for (const [index, name] of stepNames.entries()) {
  t.test(`a worker that dies in the step ${name} leaves a build that says so`, async (t) => {
    const lost = await makeApp(app, `Lost in ${name}`, { builder: { kind: 'image' } })
    const build = await start(lost.id, { commit: sha('1') })
    const held = await claim(lost.id)
    const state = new BuildState(app, held as NonNullable<typeof held>)
    const done = state.row.steps.map((step, at) => at < index ? { ...step, status: 'succeeded' as const } : step)
    await state.writeStep(withStep(done, name, { status: 'running', started_at: new Date() }), name)
    await change(build.id, { lease_until: new Date(Date.now() - 1_000) })
    t.ok(await giveUp(lost.id))
    const ended = await json(`/apps/${lost.id}/builds/${build.id}`)
    t.match(ended, { status: 'failed', status_reason: 'worker_lost' })
    t.same(ended.steps.map((step: Row) => step.status),
      stepNames.map((_, at) => at < index ? 'succeeded' : at === index ? 'failed' : 'skipped'))
    t.equal((await json(`/apps/${lost.id}`)).queue_length, 0)
    await t.rejects(state.log(name, 'late'), { name: 'LostLease' })
  })
}
