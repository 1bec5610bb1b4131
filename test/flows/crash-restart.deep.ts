import t from '../tap.js'
import { Follower, transcript } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

t.test('I65: a restart while an approval waits: it can be given afterwards', async (t) => {
  const world = await makeWorld(t)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const first = await world.start()
    if (signal === 'SIGKILL') await addAccount(first.url)
    const follower = new Follower(first.url)
    const { end } = await follower.chat(`Scale web to ${signal === 'SIGKILL' ? 4 : 5}`)
    const { session_id, confirmation_id } = await follower.until('confirmation_required')
    await first.steward.kill(signal)
    await end
    const before = await world.updates()
    const { steward, url } = await world.start()
    const joined = await follower.join(url)
    t.equal(joined.status, 200)
    t.equal(await world.updates(), before, 'nothing ran by itself')
    const { status, body } = await follower.confirm({ session_id, confirmation_id }, url)
    t.equal(status, 200)
    t.match(body, { status: 'approved', already_decided: false })
    await joined.end
    t.match(follower.find('tool_result', ({ name }) => name === 'scaleService'), { data: { status: 'succeeded' } })
    t.match(follower.seen.at(-1), { event: 'done', data: { status: 'completed', final: true } })
    t.equal(await world.updates(), before + 1)
    await steward.kill('SIGTERM')
  }
})

t.test('I65: SIGTERM during a run: the stream ends, its lease is released, it goes on after the restart', async (t) => {
  const world = await makeWorld(t)
  const text = 'a long answer '.repeat(40)
  const { control } = world.anthropic
  // The first model call never ends: it outlasts the time that a shutdown waits for runs.
  const content = [{ type: 'text' as const, text }]
  control.script({ turns: [{ content, chunk: 10, delay_ms: 1, fault: { kind: 'hang', after_events: 20 } }] })
  control.script({ turns: [{ content }] })
  const { steward, url } = await world.start()
  const follower = new Follower(url)
  const { end } = await follower.chat('Tell me a lot')
  await follower.until('content')
  const stopped = steward.kill('SIGTERM')
  await end
  t.notOk(follower.find('done'), 'the stream ended, the run did not')
  t.same(await stopped, { code: 0, signal: null })
  const { url: again } = await world.start()
  await (await follower.join(again)).end
  t.match(transcript(follower.seen), [{ text }, { event: 'done', status: 'completed', final: true }])
  t.equal(transcript(follower.seen).length, 2)
})

t.test('SIGTERM during a run that is about to call tools: it calls them after the restart', async (t) => {
  const world = await makeWorld(t)
  await world.speakSlowly(50)
  const { steward, url } = await world.start()
  await addAccount(url)
  const follower = new Follower(url)
  const { end } = await follower.chat('Which clusters do I have?')
  await follower.until('content')
  t.same(await steward.kill('SIGTERM'), { code: 0, signal: null })
  await end
  t.notOk(follower.find('done'), 'the stream ended, the run did not')
  const { url: again } = await world.start()
  await (await follower.join(again)).end
  t.match(follower.find('tool_result'), { data: { status: 'succeeded' } })
  t.match(follower.seen.at(-1), { event: 'done', data: { status: 'completed', final: true } })
})

t.test('SIGTERM during a run that ends in time: it is completed before the process goes', async (t) => {
  const world = await makeWorld(t)
  const text = 'a short answer '.repeat(20)
  world.anthropic.control.script({ turns: [{ content: [{ type: 'text', text }], chunk: 10, delay_ms: 10 }] })
  const { steward, url } = await world.start()
  const follower = new Follower(url)
  const { end } = await follower.chat('Tell me something')
  await follower.until('content')
  t.same(await steward.kill('SIGTERM'), { code: 0, signal: null })
  await end
  const { url: again } = await world.start()
  const { status, end: rest } = await follower.join(again)
  await rest
  t.ok(status === 200 || (status === 204 && follower.find('done')), 'the rest is there, or was sent already')
  t.match(transcript(follower.seen), [{ text }, { event: 'done', status: 'completed', final: true }])
})
