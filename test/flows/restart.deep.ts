import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { makeEnvironment } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, textOf } from '../chat.js'
import { askedIn, lastId, read, say } from './asking.js'

t.test('I65: an approval waits through a restart', async (t) => {
  const anthropic = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => anthropic.close())
  const environment = await makeEnvironment(t, { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: anthropic.url })
  const start = async () => {
    const app = await build(readConfig(environment), false)
    await app.ready()
    return app
  }
  const before = await start()
  const input = { name: 'Made after a restart' }
  const message = scripted(anthropic, [{ content: [{ type: 'tool_use', name: 'createProject', input }] }, say('Made.')])
  const { frames, session } = await chat(before, { message })
  const { session_id, confirmation_id } = askedIn(frames)[0] ?? {}
  await before.close()

  const after = await start()
  t.teardown(() => after.close())
  const inbox = await read(after, '/api/v1/agent/confirmations')
  t.match(inbox.items, [{ id: confirmation_id, status: 'pending', arguments: input }])
  const decided = await confirm(after, { session_id, confirmation_id, approved: true })
  t.match([decided.statusCode, decided.json()], [200, { status: 'approved', already_decided: false }])
  const rest = await follow(after, session, lastId(frames))
  t.same(framesOf(rest.frames, 'tool_result').map(({ data }) => data.status), ['succeeded'])
  t.equal(textOf(rest.frames), 'Made.')
  t.match(rest.frames.at(-1)?.data, { status: 'completed', final: true })
  const { items } = await read(after, '/account/projects')
  t.same(items.map(({ name }: { name: string }) => name), [input.name])
})
