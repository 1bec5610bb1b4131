import t from '../tap.js'
import { surviveAt } from './crash-approved-write.js'
import { Follower, transcript } from './crash-client.js'
import { addAccount, makeWorld, type World } from './crash-steward.js'

const words = Array.from({ length: 1_200 }, (_, index) => `word${index} `).join('')

/** A model that writes a long text, slowly enough for sixty pieces to be stored before the end on a busy machine. */
const speakSlowly = (world: World) =>
  world.anthropic.control.script({ turns: [{ content: [{ type: 'text', text: words }], chunk: 20, delay_ms: 3 }] })

for (const fault of ['model.text:1', 'model.text:2', 'model.text:60']) {
  t.test(`a process that dies at ${fault}: the text is reset and sent again`, async (t) => {
    const world = await makeWorld(t)
    speakSlowly(world)
    speakSlowly(world)
    const first = await world.start({ FAULT: fault })
    const follower = new Follower(first.url)
    await (await follower.chat('Tell me a lot')).end
    t.match(await first.steward.exited, { signal: 'SIGKILL' })
    const { url } = await world.start()
    await (await follower.join(url)).end
    t.match(transcript(follower.seen), [{ text: words }, { event: 'done', status: 'completed' }])
    t.equal(transcript(follower.seen).length, 2)
    const late = new Follower(url)
    late.sessionId = follower.sessionId
    await (await late.join(url, `${String(follower.seen.at(-1)?.data.run_id)}:0`)).end
    t.same(transcript(late.seen), transcript(follower.seen), 'a client that comes late sees the same')
  })
}

t.test('a process that dies while AWS is carrying out the write', async (t) => {
  const world = await makeWorld(t)
  const { steward, url } = await world.start()
  await addAccount(url)
  await world.control('/faults', { kind: 'hang', operation: 'UpdateService', executed: true })
  const follower = new Follower(url)
  const { end } = await follower.chat('Scale web to 4')
  const { session_id, confirmation_id } = await follower.until('confirmation_required')
  await follower.confirm({ session_id, confirmation_id })
  while (await world.updates() === 0) await new Promise((resolve) => { setTimeout(resolve, 20) })
  await steward.kill()
  await end
  const { url: again } = await world.start()
  await (await follower.join(again)).end
  t.same(follower.find('tool_result', ({ name }) => name === 'scaleService')?.data.status, 'succeeded',
    'the count that was wanted stands')
  t.equal(await world.updates(), 1)
})

t.test('a process that dies before the first piece', (t) =>
  surviveAt(t, { fault: 'model.text:1', status: 'succeeded', updates: 1 }))
