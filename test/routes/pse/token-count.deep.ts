import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { actor, makeSession } from './actors.js'

const text = 'The door must open within 5 seconds.\n\n'.repeat(100)
const dryRun = async (app: Parameters<typeof makeSession>[0], words: string, body: object = {}) => {
  const { path } = await makeSession(app, words)
  const answer = await actor(app).post(`${path}/generate`, { engine: 'model', dry_run: true, ...body })
  return answer.json().generation.estimate
}

t.test('a dry run has the model\'s server count the inputs, and a run estimates by their length', async (t) => {
  const { app } = await startChatApp(t)
  t.match(await dryRun(app, text), { tokens_by: 'model', estimated: true })
  const more = await dryRun(app, `${text}${text}`)
  t.ok(more.input_tokens > (await dryRun(app, text)).input_tokens)
  t.notOk('tokens_by' in await dryRun(app, text, { engine: 'template' }), 'no model is asked')
  const { path } = await makeSession(app, text)
  const { generation } = (await actor(app).post(`${path}/generate`, { engine: 'model' }, { prefer: 'wait=60' })).json()
  t.match(generation, { status: 'succeeded', estimate: { tokens_by: 'characters' } })
})

t.test('where the server does not count, the script of the texts does', async (t) => {
  const server = createServer((_, answer) => answer.writeHead(404, { 'content-type': 'application/json' }).end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const app = await buildApp(t, {
    SANDBOX: 'off', ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`
  })
  const [latin, wide] = [await dryRun(app, text), await dryRun(app, `${text}${'扉は五秒以内に開く。'.repeat(400)}`)]
  t.match([latin.tokens_by, wide.tokens_by], ['characters', 'characters'])
  t.ok(wide.input_tokens - latin.input_tokens > 3_000, 'a character of Japanese is about a token')
})
