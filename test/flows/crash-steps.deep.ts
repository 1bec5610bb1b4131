import t from '../tap.js'
import { Follower, get, send } from './crash-client.js'
import { makeWorld } from './crash-steward.js'

for (const fault of ['call.after_claim:1', 'results.after_commit:1', 'call.before_claim:2']) {
  t.test(`a plan of steps whose process dies at ${fault} goes on, and does nothing twice`, async (t) => {
    const world = await makeWorld(t)
    const first = await world.start({ FAULT: fault })
    const names = ['One', 'Two', 'Three']
    world.anthropic.control.script({
      match: { text: 'Make three projects' },
      turns: [
        { content: names.map((name) => ({ type: 'tool_use' as const, name: 'createProject', input: { name } })) },
        { content: [{ type: 'text', text: 'Done.' }] }
      ]
    })
    const follower = new Follower(first.url)
    await follower.chat('Make three projects')
    const { confirmation_id: id } = await follower.until('confirmation_required')
    const path = `/api/v1/agent/confirmations/${id}/steps`
    const { input_digest } = await get(first.url, path)
    // The process may be gone before it answers: the decision is stored all the same.
    await send(first.url, path, { approved: true, input_digest }).catch(() => undefined)
    t.match(await first.steward.exited, { signal: 'SIGKILL' })
    const { url } = await world.start()
    await (await follower.join(url)).end
    const ends = follower.seen.filter(({ event }) => event === 'tool_result').map(({ data }) => data.status)
    t.same(ends, ['succeeded', 'succeeded', 'succeeded'])
    const { items } = await get(url, '/account/projects?limit=100')
    t.same((items as { name: string }[]).map(({ name }) => name).filter((name) => names.includes(name)).toSorted(),
      ['One', 'Three', 'Two'])
  })
}
