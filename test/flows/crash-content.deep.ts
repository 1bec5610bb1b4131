import t from '../tap.js'
import { actorOf, get, until } from './crash-content.js'
import { makeWorld } from './crash-steward.js'

const points = ['content.worked:2', 'content.stored:3', 'content.output:1'] as const

t.test('(2) kill -9 between and inside the steps of a generation: it goes on, and no finished step is done again',
  async (t) => {
    const world = await makeWorld(t)
    const keys: string[][] = []
    for (const fault of points) {
      let { steward, url } = await world.start({ FAULT: fault })
      const generation = await actorOf(url).begin(fault)
      t.match(await steward.exited, { signal: 'SIGKILL' }, fault);
      ({ steward, url } = await world.start())
      const ended = await until(() => get(url, `/content/generations/${generation}`),
        ({ status }) => status !== 'queued' && status !== 'running')
      t.match(ended, { status: 'succeeded', outputs: [{ status: 'done', result_version: 2 }] }, fault)
      const attempts = ended.steps.map(({ attempt }) => attempt)
      t.ok(attempts.filter((attempt) => attempt > 1).length <= 4, `${fault}: only what was in flight is done again`)
      keys.push(ended.steps.map(({ key }) => key).sort())
      const record = await get(url, `/content/${ended.outputs[0]?.content_id ?? ''}`)
      t.match(record, { head_version: 2 }, fault)
      await steward.kill()
    }
    t.equal(new Set(keys.map((some) => some.join())).size, 1, 'the same steps, wherever it broke')
  })
